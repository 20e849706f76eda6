"""What happened, as one frozen value: all that a store keeps.

A session is the list of its events in the order of their numbers. They are appended and
never edited; to undo is to append too. The store gives the numbers, 0, 1, 2, ...;
the time is there for people and decides nothing, since clocks jump.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final, Literal, get_args

from askless.errors import InvalidInput

Kind = Literal[
    "opened",  # a session began over a pool
    "asked",  # a question was put to somebody
    "answered",  # and this is what they said
    "unsure",  # an item was marked unsure, with a note
    "taken_back",  # it is no longer unsure
    "retracted",  # an answer no longer counts
    "audited",  # an answer to an audit
    "checkpoint",  # new probabilities
    "defined",  # what a True label means, from here on
    "exported",  # labels were written somewhere
    "planned",  # this is how questions are chosen, from here on
    "revised",  # several items were marked unsure, or are asked again, in one step
    "restored",  # that step no longer counts
    "updated",  # the source has changed: items were added, are gone or back, or have other names
    "claimed",  # the guesses of the open items are frozen, to be checked at random
    "reasking",  # the labels somebody gave are frozen, to be asked again at random
]

FORMAT: Final = 1
"""How payloads are written, but for kinds that came later."""
_LATER_FORMATS: Final[Mapping[Kind, int]] = {
    "planned": 2,
    "revised": 3,
    "restored": 3,
    "updated": 4,
    "claimed": 5,
    "reasking": 6,
}
NEWEST_FORMAT: Final = max(_LATER_FORMATS.values())
"""The highest format there is."""

_KINDS: Final = frozenset(get_args(Kind))
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Parameters
    ----------
    kind
        What it was.
    annotator
        Who did it; empty where nobody in particular did.
    payload
        What there is to say about it, in plain JSON values with text for keys.
    at_s
        When, by the wall clock, in seconds since 1970. For people; the order is the number.
    key
        Idempotency key: a store keeps one event of each key. None for no such promise.
    number
        Its place in the store, counted from 0; -1 before a store has given it one.
    format
        How the payload is written: the lowest number whose readers know the kind.
    """

    kind: Kind
    annotator: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)
    at_s: float = 0.0
    key: str | None = None
    number: int = -1
    format: int = FORMAT

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise InvalidInput(
                f"An event's kind is one of {', '.join(get_args(Kind))}; got {self.kind!r}."
            )
        if self.kind in _LATER_FORMATS:
            object.__setattr__(self, "format", _LATER_FORMATS[self.kind])
        elif isinstance(self.payload, dict) and "purpose" in self.payload:
            if self.payload["purpose"] == "check":
                object.__setattr__(self, "format", _LATER_FORMATS["claimed"])
            elif "claim" in self.payload:
                object.__setattr__(self, "format", _LATER_FORMATS["reasking"])
        if type(self.at_s) is not float:
            object.__setattr__(self, "at_s", float(self.at_s))
        if not isfinite(self.at_s):
            raise InvalidInput(f"An event happens at a finite time; got {self.at_s} seconds.")
        check_names(self.annotator, self.key)


def check_names(annotator: object, key: object) -> None:
    """Refuse an annotator or an idempotency key that no event can have."""
    if type(annotator) is not str or annotator:
        _check_name("annotator", annotator)
    if key is not None:
        _check_name("idempotency key", key)


def _check_name(what: str, name: object) -> None:
    # Databases disagree about NUL and about halves of surrogate pairs, so no name holds them.
    try:
        sound = isinstance(name, str) and 0 < len(name) <= _LONGEST and b"\0" not in name.encode()
    except UnicodeEncodeError:
        sound = False
    if not sound:
        raise InvalidInput(
            f"An {what} is text of 1 to {_LONGEST} characters without NUL; got {name!r:.80}."
        )
