"""Store first, then believe: the one way a session changes.

Events that can wait (a new checkpoint was taken) go along with the next that cannot.
Imported by the session room alone; tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from askless.core.content import Content, Request
from askless.core.event import Event, check_names
from askless.core.events import Opened, Planned
from askless.errors import Refused
from askless.history.history import History
from askless.seams import Clock, Store


class NewEvent(NamedTuple):
    """Something that happened, before it is stored."""

    content: Content
    annotator: str
    at_s: float
    key: str | None

    def to_event(self) -> Event:
        """As a store keeps it."""
        content, annotator, at_s, key = self
        return Event(content.kind, annotator, content.to_json(), at_s, key, content.number)


class Log:
    """A store and the history of what is in it.

    Parameters
    ----------
    store
        Keeps the events; what it already holds is taken up. None for a session that lasts as long
        as the process: the log then keeps what happened as it is, and writes nothing.
    opening
        What identifies the pool; must equal what the store was opened with.
    clock
        Tells the time.
    method
        How questions are chosen, to be stored when the session begins; None to store nothing.
    history
        The fold of what the store holds, if somebody has made it; None to make it.
    """

    def __init__(
        self,
        store: Store | None,
        opening: Mapping[str, Any],
        clock: Clock,
        method: Mapping[str, Any] | None = None,
        history: History | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._pending: list[NewEvent] = []
        self._in_memory: list[NewEvent] = []
        self.history = history or History(int(opening["n"]))
        for event in store.read(self.history.last) if store is not None else ():
            self.history.apply(event)
            if event.kind == "opened" and dict(opening) != self.history.opening:
                raise Refused(
                    "A session belongs to the pool it was opened with; "
                    f"it was opened with {self.history.opening} and got {dict(opening)}."
                )
        if self.history.opening is None:
            events = [self.event(Opened(opening))]
            if method is not None:
                events.append(self.event(Planned(method)))
            self.commit(*events)

    @property
    def next_number(self) -> int:
        """The number the next event to be committed will have."""
        return self.history.last + 1 + len(self._pending)

    def event(self, content: Content, annotator: str = "", key: str | None = None) -> NewEvent:
        """Something that happens now."""
        return NewEvent(content, annotator, self._clock.wall_s(), key)

    def commit(self, *events: NewEvent) -> int:
        """Keep these events, and believe them once they are durable; the number of the last."""
        happened = [*self._pending, *events]
        if self._store is not None:
            first = self._store.append([new.to_event() for new in happened])
        else:
            for new in happened:
                check_names(new.annotator, new.key)
            first = len(self._in_memory)
            self._in_memory += happened
        self._pending.clear()
        for number, (content, annotator, at_s, key) in enumerate(happened, first):
            content.stamp(number, annotator, at_s)
            self.history.take(content, key)
        return self.history.last

    def events_in_memory(self) -> list[Event]:
        """What happened, if there is no store; to be kept in one after all."""
        return [new.to_event() for new in self._in_memory]

    def put_off(self, content: Content) -> None:
        """Keep this with the next event that is committed."""
        self._pending.append(self.event(content))

    def repeats(self, key: Any, *requests: Request) -> bool:
        """Whether this very request, said in one of these ways, came with this key before.

        Raises
        ------
        Refused
            The key is no text, or came with another request.
        """
        if key is None:
            return False
        if not isinstance(key, str) or not key:
            raise Refused(
                f"A key is text that the caller makes up for one request; got {key!r:.80}."
            )
        keys = self.history.keys
        if key not in keys:
            return False
        if not any(keys.stands_for(key, request) for request in requests):
            raise Refused(
                f"A key stands for one request; key {key!r:.80} came with another before. "
                "Make up a new one."
            )
        return True
