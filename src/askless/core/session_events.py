"""What events about a session as a whole say; see `askless.core.events`, which has the others.

Tested in tests/core/test_events.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from askless.core._fields import Payload, needs, text, whole
from askless.core.event import Kind

Request = tuple[object, ...]
"""What an idempotency key stands for: the verb, who, and what tells one request from another."""


class Keyless:
    """Nobody asks for such an event by a key."""

    __slots__ = ()

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `askless.core.events.Content`."""
        return ()


@dataclass(frozen=True, slots=True)
class Opened(Keyless):
    """A session began over a pool; `about` identifies it and holds at least ``n``."""

    about: Mapping[str, Any]
    kind: ClassVar[Kind] = "opened"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `askless.core.events.Content`."""
        whole(payload, "n")
        return cls(dict(payload))

    def to_json(self) -> dict[str, Any]:
        """See `askless.core.events.Content`."""
        return dict(self.about)


@dataclass(frozen=True, slots=True)
class CheckpointTaken(Keyless):
    """New probabilities are in use."""

    number: int
    checksum: str = ""
    kind: ClassVar[Kind] = "checkpoint"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `askless.core.events.Content`."""
        return cls(whole(payload, "number"), text(payload, "checksum", ""))

    def to_json(self) -> dict[str, Any]:
        """See `askless.core.events.Content`."""
        return {"number": self.number, "checksum": self.checksum}


@dataclass(frozen=True, slots=True)
class Defined:
    """What a True label means, from here on."""

    text: str
    kind: ClassVar[Kind] = "defined"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `askless.core.events.Content`."""
        return cls(text(payload, "text"))

    def to_json(self) -> dict[str, Any]:
        """See `askless.core.events.Content`."""
        return {"text": self.text}

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `askless.core.events.Content`."""
        return (("define", annotator, self.text),)


@dataclass(frozen=True, slots=True)
class Exported:
    """Labels were written somewhere; `what` says where, in plain JSON values."""

    what: Mapping[str, Any] = field(default_factory=dict)
    kind: ClassVar[Kind] = "exported"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `askless.core.events.Content`."""
        return cls(dict(payload))

    def to_json(self) -> dict[str, Any]:
        """See `askless.core.events.Content`."""
        return dict(self.what)

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `askless.core.events.Content`."""
        return (("exported", annotator, dict(self.what)),)


@dataclass(frozen=True, slots=True)
class Planned(Keyless):
    """How questions are chosen, from here on, in plain JSON values."""

    method: Mapping[str, Any]
    kind: ClassVar[Kind] = "planned"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `askless.core.events.Content`."""
        method = payload.get("method")
        if not isinstance(method, Mapping):
            raise needs("method", "a mapping", payload)
        return cls(dict(method))

    def to_json(self) -> dict[str, Any]:
        """See `askless.core.events.Content`."""
        return {"method": dict(self.method)}
