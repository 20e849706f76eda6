"""Labels as JSON lines: UTF-8, one object an item, with the columns of `askless.exports.row`.

Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import BinaryIO, Final

from askless.exports.exporter import ExportContext, Exporter
from askless.exports.row import COLUMNS, Row


def write_jsonl(rows: Iterable[Row], file: BinaryIO, _: ExportContext) -> None:
    """Write `rows` into `file`."""
    for row in rows:
        values = dict(zip(COLUMNS, row.values(), strict=True))
        try:
            line = json.dumps(values, ensure_ascii=False).encode()
        except UnicodeEncodeError:  # a text that is not proper Unicode is written with escapes
            line = json.dumps(values).encode()
        file.write(line + b"\n")


JSONL: Final = Exporter(
    title="JSON Lines",
    purpose="one item a line, with how its label came about",
    suffix=".jsonl",
    media_type="application/jsonl",
    write=write_jsonl,
)
