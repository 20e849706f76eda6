"""A store that lasts as long as the process: the simplest that keeps the laws.

It obeys every law of the seam, except that "durable" means as long as somebody holds
the list it keeps its events in. Appending and reading cost a little JSON and no disk.
Tested in tests/laws/test_store_laws.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askless.core.event import Event
from askless.errors import RepeatedKey, StoreError
from askless.stores._codec import Fields, decoded, encoded, refuse_shared_keys


class MemoryStore:
    """Keeps events in a list.

    Parameters
    ----------
    kept
        The list, to open a store again that was closed; None for an empty store.
    """

    def __init__(self, kept: list[Fields] | None = None) -> None:
        self._kept = [] if kept is None else kept
        self._numbers = {key: number for number, (*_, key, _) in enumerate(self._kept) if key}
        self._open = True

    def append(self, events: Sequence[Event]) -> int:
        """Keep these events, all or none of them; see `askless.seams.Store`."""
        self._check_open()
        refuse_shared_keys(events)
        first = len(self._kept)
        rows = [encoded(number, each) for number, each in enumerate(events, first)]
        for event in events:
            if event.key in self._numbers:
                raise RepeatedKey(event.key, self._numbers[event.key])
        self._kept.extend(rows)
        self._numbers.update({e.key: number for number, e in enumerate(events, first) if e.key})
        return first

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
            # Decoded each time, so that nobody can change what is kept.
            yield decoded(self._kept[position])
            position += 1

    def _check_open(self) -> None:
        if not self._open:
            raise StoreError("The store is closed; open it again to use it.")
