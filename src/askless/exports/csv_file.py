r"""Labels as CSV: UTF-8, one header line, line feeds between rows, safe to open in a spreadsheet.

A spreadsheet runs a cell as a formula if it begins with a tab or a line break, or, after spaces,
with =, +, - or @ or their full-width forms. Such a cell, if it is no plain number, gets an
apostrophe in front, as spreadsheets themselves do. So does one that begins with apostrophes and
then like this: drop one apostrophe and the text is as it was. Lists of ours are joined by spaces,
those of a source are JSON.

Every text comes back to its cell through `csv.reader` and `pandas.read_csv`, but for what not
every reader accepts: NUL is written as ``\x00`` and a lone surrogate (part of a file name that is
not Unicode) as ``\udce9``. `csv.writer` is not used because it quotes a carriage return only where
lines end in one (Python 3.12 and older).
Tested in tests/exports/test_csv_file.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import chain
from math import isnan
from typing import Any, BinaryIO, Final

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter

_FORMULA: Final = re.compile("'*(?:\\s*[-=+@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")
_NUMBER: Final = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?")
_NEEDS_QUOTES: Final = re.compile('[",\r\n]')


def write_csv(contents: Contents, file: BinaryIO) -> None:
    """Write the rows into `file`."""
    note_guarded(
        write_table(contents.columns, (row.values for row in contents.rows()), file), contents
    )


def note_guarded(cells: int, contents: Contents) -> None:
    """Tell that so many cells are not as they were."""
    if cells:
        begin = "1 cell begins" if cells == 1 else f"{cells:,} cells begin"
        contents.notes.append(
            f"{begin} like a formula and got an apostrophe in front in the CSV file, so that no "
            "spreadsheet runs it; JSONL, Parquet and XLSX have the text as it is."
        )


def write_table(header: Sequence[str], table: Iterable[Sequence[Any]], file: BinaryIO) -> int:
    """Write any table of at least two columns into `file`; how many cells got an apostrophe.

    Parameters
    ----------
    header
        The names of the columns.
    table
        The rows, each with one value for each column.
    file
        Open for writing bytes.
    """
    cells = _Cells()
    for row in chain([header], table):
        line = ",".join([cells.of(value) for value in row]) + "\n"
        file.write(line.encode(errors="backslashreplace"))
    return cells.guarded


class _Cells:
    """Values as cells; counts those that got an apostrophe."""

    def __init__(self) -> None:
        self.guarded = 0

    def of(self, value: object) -> str:
        match value:
            case None:
                return ""
            case bool():
                return "true" if value else "false"
            case tuple():
                return self._text(" ".join(map(str, value)))
            case int():
                return repr(value)
            case float():
                return "" if isnan(value) else repr(value)
            case list() | dict():
                return self._text(json.dumps(value, ensure_ascii=False, default=str))
            case _:
                return self._text(str(value))

    def _text(self, value: str) -> str:
        text = value.replace("\0", "\\x00")
        if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
            text = "'" + text
            self.guarded += 1
        if _NEEDS_QUOTES.search(text):
            text = '"' + text.replace('"', '""') + '"'
        return text


CSV: Final = Exporter(
    title="CSV",
    purpose="for spreadsheets and most programs",
    suffix=".csv",
    media_type="text/csv",
    write=write_csv,
)
FULL: Final = Exporter(
    title="Full record",
    purpose="one row an item or copy, with the answers behind its label",
    suffix=".full.csv",
    media_type="text/csv",
    write=write_csv,
    full=True,
)
