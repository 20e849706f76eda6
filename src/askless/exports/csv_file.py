r"""Labels as CSV: UTF-8, one header line, line feeds between rows, safe to open in a spreadsheet.

A spreadsheet runs a cell as a formula if it begins with a tab or a line break, or, after spaces,
with =, +, - or @ or their full-width forms. Such a cell gets an apostrophe in front, as
spreadsheets themselves do. So does one that begins with apostrophes and then like this: drop one
apostrophe and the text is as it was. Lists are joined by spaces.

Every text comes back to its cell through `csv.reader` and `pandas.read_csv`, but for what not
every reader accepts: NUL is written as ``\x00`` and a lone surrogate (part of a file name that is
not Unicode) as ``\udce9``. `csv.writer` is not used because it quotes a carriage return only where
lines end in one (Python 3.12 and older).
Tested in tests/exports/test_csv_file.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, BinaryIO, Final

from askless.exports.exporter import ExportContext, Exporter
from askless.exports.row import COLUMNS, Row

_FORMULA: Final = re.compile("'*(?:\\s*[-=+@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")
_NEEDS_QUOTES: Final = re.compile('[",\r\n]')


def write_csv(rows: Iterable[Row], file: BinaryIO, _: ExportContext) -> None:
    """Write `rows` into `file`."""
    write_table(COLUMNS, (row.values() for row in rows), file)


def write_table(header: Sequence[str], table: Iterable[Sequence[Any]], file: BinaryIO) -> None:
    """Write any table of at least two columns into `file`.

    Parameters
    ----------
    header
        The names of the columns.
    table
        The rows, each with one value for each column.
    file
        Open for writing bytes.
    """
    for row in chain([header], table):
        line = ",".join([_cell(value) for value in row]) + "\n"
        file.write(line.encode(errors="backslashreplace"))


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
    text = value.replace("\0", "\\x00")
    if _FORMULA.match(text):
        text = "'" + text
    if _NEEDS_QUOTES.search(text):
        text = '"' + text.replace('"', '""') + '"'
    return text


CSV: Final = Exporter(
    title="CSV",
    purpose="opens in every spreadsheet",
    suffix=".csv",
    media_type="text/csv",
    write=write_csv,
)
