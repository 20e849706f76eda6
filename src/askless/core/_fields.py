"""Fields of a payload, read as whatever a file may hold: checked, or refused in a sentence.

Used by the two modules of events alone; tested in tests/core/test_events.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from askless.errors import InvalidInput

Payload = Mapping[str, Any]

_MOST: Final = 2**53
"""No whole number in a payload is larger: JSON keeps no more digits everywhere."""
_NEEDED: Final[Any] = object()


def whole(payload: Payload, name: str, default: Any = _NEEDED) -> Any:
    """A whole number, 0 or more; `default` if it is not there."""
    value = payload.get(name, default)
    if type(value) is int and 0 <= value <= _MOST:
        return value
    if value is default and value is not _NEEDED:
        return value
    raise needs(name, "a whole number, 0 or more", payload)


def wholes(payload: Payload, name: str) -> tuple[int, ...]:
    """A list of whole numbers, 0 or more; none if it is not there."""
    values = payload.get(name)
    if values is None and name not in payload:
        return ()
    if not isinstance(values, (list, tuple)) or not all(
        type(value) is int and 0 <= value <= _MOST for value in values
    ):
        raise needs(name, "a list of whole numbers, 0 or more", payload)
    return tuple(values)


def number(payload: Payload, name: str, most: float = float(_MOST)) -> float | None:
    """A number from 0 to `most`; None if it is not there."""
    value = payload.get(name)
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= value <= most:  # NaN fails too
        raise needs(name, f"a number from 0 to {most:g}", payload)
    return float(value)


def text(payload: Payload, name: str, default: Any = _NEEDED) -> str:
    """Some text; `default` if it is not there."""
    value = payload.get(name, default)
    if not isinstance(value, str):
        raise needs(name, "text", payload)
    return value


def flag(payload: Payload, name: str, *, needed: bool = False) -> bool | None:
    """True or False; None if it is not there and not `needed`."""
    value = payload.get(name)
    if value is None and not needed:
        return None
    if not isinstance(value, bool):
        raise needs(name, "true or false", payload)
    return value


def needs(name: str, what: str, payload: Payload) -> InvalidInput:
    """What to raise where a field is not what it must be."""
    return InvalidInput(f"Such an event needs {name!r}, {what}; got {payload.get(name)!r:.80}.")
