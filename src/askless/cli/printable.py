"""What others have written, on a terminal: shown, never obeyed.

Tested in tests/cli/test_printable.py.
"""

from __future__ import annotations

from typing import Final
from unicodedata import bidirectional, category

_TURNS: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def megabytes(size: int) -> str:
    """A number of bytes in words: 0.1 MB, 83 MB, 1,234 MB."""
    return f"{size / 1e6:,.1f} MB" if size < 10e6 else f"{size / 1e6:,.0f} MB"


def printable(text: str) -> str:
    """Text in which control characters are spelt out, line breaks and turns of direction too.

    A file may be called anything, and a terminal does what such characters tell it.

    Parameters
    ----------
    text
        One line.
    """
    return "".join(
        ascii(c)[1:-1] if category(c) in ("Cc", "Cs") or bidirectional(c) in _TURNS else c
        for c in text
    )
