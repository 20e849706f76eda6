"""Labels as Parquet, for those who read tables by the column; needs the extra `parquet`.

Parquet knows proper Unicode alone: what is not, in the name of a file say, is written as an escape.
Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any, BinaryIO

from askless.errors import NotInstalled
from askless.exports.row import COLUMNS, Row

_BATCH = 50_000


def write_parquet(rows: Iterable[Row], file: BinaryIO) -> None:
    """Write `rows` into `file`, some tens of thousands at a time."""
    try:
        pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise NotInstalled(
            "Writing Parquet needs the package pyarrow, which is not installed; "
            "install askless[parquet], or export to csv or jsonl."
        ) from None
    schema = pa.schema(
        [
            ("id", pa.string()), ("checksum", pa.string()), ("label", pa.bool_()),
            ("how", pa.string()), ("final", pa.bool_()), ("prob", pa.float64()),
            ("answers", pa.list_(pa.int64())), ("annotators", pa.list_(pa.string())),
            ("unsure", pa.bool_()), ("note", pa.string()), ("test_split", pa.bool_()),
            ("definition", pa.int64()), ("copy_of", pa.string()),
        ]
    )  # fmt: skip
    with pq.ParquetWriter(file, schema) as writer:
        for batch in _batches(rows):
            columns = {name: [_proper(getattr(row, name)) for row in batch] for name in COLUMNS}
            writer.write_table(pa.table(columns, schema=schema))


def _batches(rows: Iterable[Row]) -> Iterator[list[Any]]:
    source = iter(rows)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _proper(value: Any) -> Any:
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode(errors="backslashreplace").decode()
