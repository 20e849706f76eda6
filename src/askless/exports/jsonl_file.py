"""Labels as JSON lines: UTF-8, one object an item, names as in `askless.exports.row`.

Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import BinaryIO

from askless.exports.row import Row


def write_jsonl(rows: Iterable[Row], file: BinaryIO) -> None:
    """Write `rows` into `file`."""
    for row in rows:
        try:
            line = json.dumps(asdict(row), ensure_ascii=False).encode()
        except UnicodeEncodeError:  # a name that is no proper Unicode is written with escapes
            line = json.dumps(asdict(row)).encode()
        file.write(line + b"\n")
