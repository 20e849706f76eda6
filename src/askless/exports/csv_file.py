"""Labels as CSV: UTF-8, one header line, safe to open in a spreadsheet.

A cell that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or
a carriage return) gets an apostrophe in front, as those programs themselves do. Lists are
joined by spaces.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import BinaryIO

from askless.exports.row import COLUMNS, Row

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(rows: Iterable[Row], file: BinaryIO) -> None:
    """Write `rows` into `file`."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_cell(getattr(row, column)) for column in COLUMNS])
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
        case float():
            return repr(value)
        case _:
            return _text(str(value))


def _text(value: str) -> str:
    return "'" + value if value.startswith(_FORMULA) else value
