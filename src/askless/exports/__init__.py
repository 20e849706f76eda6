"""Labels in files for others: CSV, JSONL and Parquet, each written whole or not at all.

Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from askless.errors import InvalidInput, UnknownPart
from askless.exports.csv_file import write_csv
from askless.exports.jsonl_file import write_jsonl
from askless.exports.parquet_file import write_parquet
from askless.exports.row import Row
from askless.files import write_whole

_FORMATS: Final[dict[str, Callable[..., None]]] = {
    "csv": write_csv,
    "jsonl": write_jsonl,
    "parquet": write_parquet,
}


def export_formats() -> tuple[str, ...]:
    """Every format `export` can write."""
    return tuple(_FORMATS)


def export(rows: Iterable[Row], path: Path, format_: str | None = None) -> None:
    """Write `rows` to `path`, whole or not at all.

    Parameters
    ----------
    rows
        One for each item.
    path
        An existing file there is replaced.
    format_
        One of `export_formats`; None to go by the ending of `path`.

    Raises
    ------
    UnknownPart
        There is no such format.
    InvalidInput
        The file cannot be written, or the format needs a package that is not installed.
    """
    name = format_ or path.suffix.lstrip(".").lower()
    if name not in _FORMATS:
        raise UnknownPart("export format", name, _FORMATS)
    try:
        write_whole(path, lambda file: _FORMATS[name](rows, file), private=False)
    except OSError as error:
        raise InvalidInput(
            f"Labels are written to a file in a folder that exists and has room; "
            f"{path} cannot be written: {error.strerror or error}."
        ) from error
