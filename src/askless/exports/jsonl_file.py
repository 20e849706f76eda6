"""Labels as JSON lines: UTF-8, one object a row.

What JSON has no word for is written as text, and a number that is none as null.
Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, BinaryIO, Final

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter


def write_jsonl(contents: Contents, file: BinaryIO) -> None:
    """Write the rows into `file`."""
    columns = contents.columns
    for row in contents.rows():
        write_line(dict(zip(columns, row.values, strict=True)), file)


def write_line(values: dict[str, Any], file: BinaryIO) -> None:
    """Write one object."""
    file.write(json_bytes(values) + b"\n")


def json_bytes(values: Any) -> bytes:
    """A value as JSON on one line."""
    try:
        return json.dumps(values, ensure_ascii=False, allow_nan=False, default=str).encode()
    except UnicodeEncodeError:  # a text that is not proper Unicode is written with escapes
        return json.dumps(_finite(values), default=str).encode()
    except ValueError:
        return json.dumps(_finite(values), ensure_ascii=False, default=str).encode()


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


JSONL: Final = Exporter(
    title="JSON Lines",
    purpose="one object a line, values as they are",
    suffix=".jsonl",
    media_type="application/jsonl",
    write=write_jsonl,
)
