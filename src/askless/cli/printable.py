"""What others have written, on a terminal: shown, never obeyed.

Tested in tests/cli/test_printable.py.
"""

from __future__ import annotations

from unicodedata import category


def printable(text: str) -> str:
    """Text in which control characters are spelt out, line breaks too.

    A file may be called anything, and a terminal does what such characters tell it.

    Parameters
    ----------
    text
        One line.
    """
    return "".join(repr(c)[1:-1] if category(c) in ("Cc", "Cs") else c for c in text)
