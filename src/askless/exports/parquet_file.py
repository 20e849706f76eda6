"""Labels as Parquet, for those who read tables by the column; needs the extra `tables`.

Added columns have their own types, and so have those of a source that is not text: for them the
rows are read twice. Where the values of a column fit no type together they are written as text.
Parquet knows proper Unicode alone: anything else, such as part of a file name, is an escape.
Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, BinaryIO, Final, get_args, get_origin

from askless.errors import NotInstalled
from askless.exports.contents import Contents, Row
from askless.exports.exporter import Exporter

_BATCH = 50_000


def write_parquet(contents: Contents, file: BinaryIO) -> None:
    """Write the rows into `file`, some tens of thousands at a time."""
    try:
        pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise NotInstalled(
            "Writing Parquet needs the package pyarrow, which is not installed; "
            "install askless[tables], or export to csv or jsonl."
        ) from None
    schema = _schema(pa, contents)
    with pq.ParquetWriter(file, schema) as writer:
        for batch in _batches(contents.rows()):
            columns = zip(*(row.values for row in batch), strict=True)
            arrays = [_array(pa, *each) for each in zip(columns, schema.types, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema))


def _schema(pa: Any, contents: Contents) -> Any:
    types = {name: _arrow_type(pa, type_) for name, type_ in contents.types.items()}
    columns = contents.columns
    seen: dict[str, Any] = {name: pa.null() for name in columns if name not in types}
    for batch in _batches(contents.rows()) if seen else ():
        for name, values in zip(
            columns, zip(*(row.values for row in batch), strict=True), strict=True
        ):
            if name in seen:
                seen[name] = _common(pa, seen[name], values)
    text = pa.string()
    found = {name: text if type_ == pa.null() else type_ for name, type_ in seen.items()}
    return pa.schema([(name, types.get(name, found.get(name))) for name in columns])


def _common(pa: Any, so_far: Any, values: Sequence[Any]) -> Any:
    """The type of values that were seen before and of these."""
    try:
        both = [pa.schema([("x", so_far)]), pa.schema([("x", pa.array(values).type)])]
        return pa.unify_schemas(both, promote_options="permissive").types[0]
    except (pa.ArrowException, UnicodeEncodeError):
        return pa.string()


def _arrow_type(pa: Any, declared: Any) -> Any:
    """The Arrow type of a declared type: bool, int, float, text, or a tuple of one."""
    if get_origin(declared) is tuple:
        return pa.list_(_arrow_type(pa, get_args(declared)[0]))
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
    except pa.ArrowException:  # of several types, so as text
        return pa.array(map(_as_text, values), type_)


def _as_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return _unicode(value)  # type: ignore[no-any-return]
    return json.dumps(value, default=str)


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
    needs="pyarrow",
)
