"""What an event says, read from plain JSON values and written to them by the fields of its class.

A field is stored under its own name, or under ``metadata["stored"]``; None for a field that is not
stored. Its annotation says how it is read. Whatever comes from a file may be anything, so every
field is checked and refused in a sentence.
Tested in tests/core/test_events.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from askless.core.event import Kind
from askless.errors import InvalidInput

Payload = Mapping[str, Any]
Chance = float
"""A number from 0 to 1."""
Request = tuple[object, ...]
"""What an idempotency key stands for: the verb, who, and what tells one request from another."""

_MOST: Final = 2**53
"""No whole number in a payload is larger: JSON keeps no more digits everywhere."""


C = TypeVar("C", bound="Content")


@dataclass(frozen=True, slots=True)
class Content:
    """What an event of one kind says, and who said it.

    Parameters
    ----------
    number
        Of the event; -1 before it is stored.
    annotator, at_s
        Who did it, and when by the wall clock.
    """

    number: int = field(default=-1, kw_only=True, metadata={"stored": None})
    annotator: str = field(default="", kw_only=True, metadata={"stored": None})
    at_s: float = field(default=0.0, kw_only=True, metadata={"stored": None})
    kind: ClassVar[Kind]

    def stamp(self, number: int, annotator: str, at_s: float) -> None:
        """Say as which event it was stored; whoever has stored it does so, before anybody reads."""
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "annotator", annotator)
        object.__setattr__(self, "at_s", at_s)

    def to_json(self) -> dict[str, Any]:
        """The payload, in plain JSON values. What has its default is left out."""
        body: dict[str, Any] = {}
        for name, (attribute, _, _, _, default) in _layout(type(self))[0].items():
            value = getattr(self, attribute)
            if value != default:
                body[name] = list(value) if type(value) is tuple else value
        return body

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """What a key of this event stands for; several where an old event does not tell which.

        None where nobody asks for such an event by a key.
        """
        return ()


def read_content(content: type[C], payload: Payload, known: dict[str, Any]) -> C:
    """Read what `Content.to_json` wrote, now or in an earlier version; refuse anything else.

    Parameters
    ----------
    content
        What to read.
    payload
        Of an event.
    known
        Fields that are not read from it; the others are added.
    """
    places, required = _layout(content)
    for name, value in payload.items():
        if (place := places.get(name)) is not None:
            attribute, read, what, nullable, _ = place
            try:
                known[attribute] = None if nullable and value is None else read(value)
            except ValueError:
                raise needs(name, what, payload) from None
    for name in required:
        if name not in payload:
            raise needs(name, places[name].what, payload)
    return content(**known)


def needs(name: str, what: str, payload: Payload) -> InvalidInput:
    """What to raise where a field is not what it must be."""
    return InvalidInput(f"Such an event needs {name!r}, {what}; got {payload.get(name)!r:.80}.")


def whole(value: Any) -> int:
    """A whole number, 0 or more."""
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError
    return value


def _number(value: Any) -> float:
    if type(value) not in (float, int) or not 0 <= value <= _MOST:  # NaN fails too
        raise ValueError
    return float(value)


def _chance(value: Any) -> float:
    if type(value) not in (float, int) or not 0 <= value <= 1:
        raise ValueError
    return float(value)


def _read_as(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, kind):
            raise ValueError
        return value

    return read


def _list_of(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read_all(value: Any) -> Any:
        if not isinstance(value, (list, tuple)):
            raise ValueError
        return tuple(map(read, value))

    return read_all


_READERS: Final[Mapping[str, tuple[Callable[[Any], Any], str]]] = {
    "int": (whole, "a whole number, 0 or more"),
    "tuple[int, ...]": (_list_of(whole), "a list of whole numbers, 0 or more"),
    "float": (_number, "a number, 0 or more"),
    "Chance": (_chance, "a number from 0 to 1"),
    "tuple[str, ...]": (_list_of(_read_as(str)), "a list of texts"),
    "tuple[Chance, ...]": (_list_of(_chance), "a list of numbers from 0 to 1"),
    "tuple[float, ...]": (_list_of(_number), "a list of numbers, 0 or more"),
    "str": (_read_as(str), "text"),
    "bool": (_read_as(bool), "true or false"),
    "Mapping[str, Any]": (_read_as(Mapping), "a mapping"),
}
"""By annotation: how a field is read, and what to say it must be."""


class _Place(NamedTuple):
    attribute: str
    read: Callable[[Any], Any]
    what: str
    nullable: bool
    default: Any


_LAYOUTS: Final[dict[type, tuple[Mapping[str, _Place], Sequence[str]]]] = {}


def _layout(content: type[Content]) -> tuple[Mapping[str, _Place], Sequence[str]]:
    """By name in a payload, the fields that are stored; and the names that every payload has."""
    if content not in _LAYOUTS:
        places: dict[str, _Place] = {}
        for each in fields(content):
            stored, annotation = each.metadata.get("stored", each.name), str(each.type)
            plain = annotation.removesuffix(" | None")
            if stored is not None and plain in _READERS:
                read, what = _READERS[plain]
                places[stored] = _Place(each.name, read, what, plain != annotation, each.default)
        required = [name for name, place in places.items() if place.default is MISSING]
        _LAYOUTS[content] = places, required
    return _LAYOUTS[content]
