"""Store first, then believe: the one way a session changes.

Events that can wait (a new checkpoint was taken) go along with the next that cannot.
Imported by the session room alone; tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askless.core.event import Event, Kind
from askless.errors import Refused
from askless.seams import Clock, Store
from askless.session.record import Record


class Log:
    """A store and the record of what is in it.

    Parameters
    ----------
    store
        Keeps the events; what it already holds is taken up.
    opening
        What identifies the pool; must equal what the store was opened with.
    method
        How questions are chosen, to be stored when the session begins; None to store nothing.
    clock
        Tells the time.
    """

    def __init__(
        self,
        store: Store,
        opening: Mapping[str, Any],
        clock: Clock,
        method: Mapping[str, Any] | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._pending: list[Event] = []
        self.record = Record.of(int(opening["n"]), store.read())
        if self.record.opening is None:
            events = [self.event("opened", "", dict(opening))]
            if method is not None:
                events.append(self.event("planned", "", {"method": dict(method)}))
            self.commit(*events)
        elif dict(opening) != self.record.opening:
            raise Refused(
                "A session belongs to the pool it was opened with; "
                f"it was opened with {self.record.opening} and got {dict(opening)}."
            )

    @property
    def next_number(self) -> int:
        """The number the next event to be committed will have."""
        return self.record.last + 1 + len(self._pending)

    def event(
        self, kind: Kind, annotator: str, payload: Mapping[str, Any], key: str | None = None
    ) -> Event:
        """Something that happens now."""
        return Event(kind, annotator, payload, self._clock.wall_s(), key)

    def commit(self, *events: Event) -> tuple[Event, ...]:
        """Keep these events, and believe them once they are durable."""
        stored = self._store.append([*self._pending, *events])
        self._pending.clear()
        for event in stored:
            self.record.apply(event)
        return stored[-len(events) :]

    def put_off(self, event: Event) -> None:
        """Keep this event with the next that is committed."""
        self._pending.append(event)
