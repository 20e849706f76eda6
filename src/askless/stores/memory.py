"""A store that lasts as long as the process: for tests, demonstrations and simulated runs.

It obeys every law of the seam, except that "durable" means as long as somebody holds
the list it keeps its events in. Appending and reading cost a little JSON and no disk.
Tested in tests/laws/test_store_laws.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askless.core.event import Event
from askless.errors import RepeatedKey, StoreError
from askless.stores._codec import numbered, numbered_event

Kept = list[tuple[Event, str]]


class MemoryStore:
    """Keeps events in a list.

    Parameters
    ----------
    kept
        The list, to open a store again that was closed; None for an empty store.
    """

    def __init__(self, kept: Kept | None = None) -> None:
        self._kept: Kept = [] if kept is None else kept
        self._numbers = {event.key: n for n, (event, _) in enumerate(self._kept) if event.key}
        self._open = True

    def append(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Keep these events, all or none of them; see `askless.seams.Store`."""
        self._check_open()
        written = numbered(events, len(self._kept))
        for event in events:
            if event.key in self._numbers:
                raise RepeatedKey(event.key, self._numbers[event.key])
        self._kept.extend(zip(events, (text for _, text in written), strict=True))
        self._numbers.update({event.key: event.number for event, _ in written if event.key})
        return tuple(event for event, _ in written)

    def read(self, after: int = -1) -> Iterator[Event]:
        """The events whose number is above `after`, in order; see `askless.seams.Store`."""
        self._check_open()
        return self._read(after)

    def close(self) -> None:
        """Let go of everything; a second time does nothing."""
        self._open = False

    def _read(self, after: int) -> Iterator[Event]:
        position = max(after, -1) + 1
        while position < len(self._kept):
            event, text = self._kept[position]
            # Decoded anew each time, so that nobody can change what is kept.
            yield numbered_event(event, position, text)
            position += 1

    def _check_open(self) -> None:
        if not self._open:
            raise StoreError("The store is closed; open it again to use it.")
