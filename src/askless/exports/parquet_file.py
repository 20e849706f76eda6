"""Labels as Parquet, for those who read tables by the column; needs the extra `parquet`.

The types of the columns are those that `Row` declares. Parquet knows proper Unicode alone: anything
else, such as part of a file name, is written as an escape.
Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from types import UnionType
from typing import Any, BinaryIO, Final, Union, get_args, get_origin

from askless.errors import NotInstalled
from askless.exports.exporter import ExportContext, Exporter
from askless.exports.row import Row, column_types

_BATCH = 50_000


def write_parquet(rows: Iterable[Row], file: BinaryIO, _: ExportContext) -> None:
    """Write `rows` into `file`, some tens of thousands at a time."""
    try:
        pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise NotInstalled(
            "Writing Parquet needs the package pyarrow, which is not installed; "
            "install askless[parquet], or export to csv or jsonl."
        ) from None
    schema = pa.schema([(name, _arrow_type(pa, type_)) for name, type_ in column_types().items()])
    with pq.ParquetWriter(file, schema) as writer:
        for batch in _batches(rows):
            columns = zip(*(row.values() for row in batch), strict=True)
            arrays = [_array(pa, *each) for each in zip(columns, schema.types, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema))


def _arrow_type(pa: Any, declared: Any) -> Any:
    """The Arrow type of a declared type: bool, int, float, text, a tuple of one, or one or None."""
    origin, members = get_origin(declared), get_args(declared)
    if origin is tuple:
        return pa.list_(_arrow_type(pa, members[0]))
    if origin in (Union, UnionType):
        return _arrow_type(pa, next(each for each in members if each is not type(None)))
    return {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}.get(declared, pa.string())


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    source = iter(rows)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _array(pa: Any, values: Sequence[Any], type_: Any) -> Any:
    try:
        return pa.array(values, type_)
    except UnicodeEncodeError:
        return pa.array(map(_unicode, values), type_)


def _unicode(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_unicode(each) for each in value]
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode(errors="backslashreplace").decode()


PARQUET: Final = Exporter(
    title="Parquet",
    purpose="for pandas, Arrow and DuckDB",
    suffix=".parquet",
    media_type="application/vnd.apache.parquet",
    write=write_parquet,
)
