"""Labels as an Excel workbook; needs the extra `tables`.

Texts are written as texts, so that none is run as a formula. A workbook has room for a million rows
and for 32,767 characters a cell: more is refused, and nothing is cut.
Tested in tests/exports/test_xlsx_file.py.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from math import isfinite
from typing import Any, BinaryIO, Final

from askless.errors import InvalidInput, NotInstalled
from askless.exports.contents import Contents
from askless.exports.exporter import Exporter

_MOST_ROWS: Final = 2**20
_MOST_CHARACTERS: Final = 32_767
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_xlsx(contents: Contents, file: BinaryIO) -> None:
    """Write the rows into `file`, one at a time."""
    try:
        openpyxl, cells = import_module("openpyxl"), import_module("openpyxl.cell")
    except ImportError:
        raise NotInstalled(
            "Writing XLSX needs the package openpyxl, which is not installed; "
            "install askless[tables], or export to csv."
        ) from None
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("labels")

    def cell(value: Any, number: int) -> Any:
        plain = _plain(value)
        if not isinstance(plain, str):
            return plain
        if len(plain) > _MOST_CHARACTERS:
            raise InvalidInput(
                f"A cell of a workbook holds at most {_MOST_CHARACTERS:,} characters; row "
                f"{number:,} has one of {len(plain):,}. Export to csv, jsonl or parquet."
            )
        made = cells.WriteOnlyCell(sheet, plain)
        made.data_type = "s"  # also where it begins like a formula
        return made

    try:
        sheet.append([cell(name, 1) for name in contents.columns])
        for number, row in enumerate(contents.rows(), start=2):
            if number > _MOST_ROWS:
                raise InvalidInput(
                    f"A workbook has at most {_MOST_ROWS:,} rows, and there are more. Export to "
                    "csv, jsonl or parquet."
                )
            sheet.append([cell(value, number) for value in row.values])
    except BaseException:
        sheet.close()
        raise
    book.save(file)


def _plain(value: Any) -> Any:
    """A number, a boolean, nothing, or text that XML can hold."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if isfinite(value) and abs(value) < 2**53 else str(value)
    if isinstance(value, tuple):
        value = " ".join(map(str, value))
    elif isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False, default=str)
    return in_xml(str(value))


def in_xml(text: str) -> str:
    """A text with escapes for the characters that XML has no way to hold."""
    return _NOT_IN_XML.sub(lambda found: ascii(found[0])[1:-1], text)


XLSX: Final = Exporter(
    title="Excel",
    purpose="a workbook",
    suffix=".xlsx",
    media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    write=write_xlsx,
    needs="openpyxl",
)
