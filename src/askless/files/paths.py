"""Paths as callers give them.

Imported by whoever takes one; tested in tests/files/test_paths.py.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from askless.errors import InvalidInput


def path_of(word: str, value: Any) -> Path | None:
    """A path, or None for None.

    Parameters
    ----------
    word
        What it is called, for messages.
    value
        A text or a path.

    Raises
    ------
    InvalidInput
        It is something else, or the name of nothing.
    """
    if value is None:
        return None
    if not isinstance(value, str | os.PathLike):
        raise InvalidInput(f"{word} is a path; got {type(value).__name__}, {value!r:.60}.")
    name = os.fsdecode(value)
    if not name.strip() or "\0" in name or not _can_be_written(name):
        raise InvalidInput(f"{word} is a path; got {name!a:.60}, which is the name of nothing.")
    return Path(name)


def _can_be_written(name: str) -> bool:
    try:
        os.fsencode(name)
    except UnicodeEncodeError:  # half a character
        return False
    return True
