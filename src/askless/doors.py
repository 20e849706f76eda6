"""What comes in from callers, taken as what it must be or refused in a sentence.

One place for the refusals that many doors share. What a door needs beyond that it says itself.
Stands above `errors` alone; imported by whoever is called from outside. Tested in
tests/test_doors.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from askless.errors import InvalidInput

Kind = TypeVar("Kind")
MOST = 2**62
"""More than anybody has of anything; larger numbers are refused, since memory is."""


def of_kind(word: str, value: Any, kind: type[Kind], what: str) -> Kind:
    """The value, if it is of that kind.

    Parameters
    ----------
    word
        What it is called, for the message.
    value
        What came.
    kind, what
        What it must be: the type, and in words.
    """
    if isinstance(value, kind):
        return value
    raise InvalidInput(f"{word} is {what}; got {shown(value)}.")


def flag(word: str, value: Any) -> bool:
    """True or False; numpy's are welcome."""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return bool(value)
    raise InvalidInput(f"{word} is True or False; got {shown(value)}.")


def whole(word: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """A whole number in these bounds; numpy's are welcome, booleans are not."""
    number = index(value)
    if number is None or not least <= number <= most:
        raise InvalidInput(f"{word} is a whole number, {least} or more; got {shown(value)}.")
    return number


def each(word: str, values: Any) -> list[Any]:
    """What a list, an array or the like holds."""
    if isinstance(values, Iterable) and not isinstance(values, str | bytes):
        try:
            return list(values)
        except TypeError:  # an array of one number says that it can be iterated over
            pass
    raise InvalidInput(f"{word} come in a list, or the like; got {shown(values)}.")


def shown(value: Any) -> str:
    """A value for a message: how it begins, and its type where that does not tell."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    try:
        words = " ".join(repr(value).split())
    except Exception:  # somebody else's code
        words = "..."
    plain = value is None or isinstance(value, str | int | float)
    return words[:80] if plain else f"{words[:60]} ({type(value).__name__})"


def index(value: Any) -> int | None:
    """A whole number as Python's own; None if it is none."""
    if type(value) is int:
        return value
    if isinstance(value, bool | type) or not hasattr(value, "__index__"):
        return None
    try:
        return int(value.__index__())
    except TypeError:  # an array of several numbers
        return None
