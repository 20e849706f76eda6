"""Labels as CSV: UTF-8, one header line, safe to open in a spreadsheet.

A cell that a spreadsheet would run as a formula (it begins with =, +, - or @, also in their wide
forms, or with a tab or a line break) gets an apostrophe in front, as those programs themselves
do. Lists are joined by spaces.
Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

from askless.exports.row import COLUMNS, Row

_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20\t\r\n")


def write_csv(rows: Iterable[Row], file: BinaryIO) -> None:
    """Write `rows` into `file`."""
    write_table(COLUMNS, ([getattr(row, column) for column in COLUMNS] for row in rows), file)


def write_table(header: Sequence[str], table: Iterable[Sequence[Any]], file: BinaryIO) -> None:
    """Write any table into `file`.

    Parameters
    ----------
    header
        What the columns are called.
    table
        The rows, with as many values each.
    file
        Open for writing bytes.
    """
    text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in table:
        writer.writerow([_cell(value) for value in row])
    text.flush()
    text.detach()


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case tuple():
            return _text(" ".join(map(str, value)))
        case int() | float():
            return repr(value)
        case _:
            return _text(str(value))


def _text(value: str) -> str:
    return "'" + value if value.startswith(_FORMULA) else value
