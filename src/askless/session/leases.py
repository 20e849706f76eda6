"""Which questions are live, so that nobody else is asked about their items.

A question is live from the moment it is handed out until it is answered, given up, or
older than the lease. An item stands in at most one live question. Leases live in memory:
after a restart there are none, and late answers are welcome all the same.

Imported by the session room alone; tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from askless.core.event import Event
from askless.session.record import Asked


@dataclass(slots=True)
class Live:
    """A question somebody is looking at, and what comes after it."""

    asked: Asked
    until_s: float
    ahead_of: int | None = None
    """Key of the state from which the next questions in `ahead` were planned."""
    ahead: dict[str, Event] = field(default_factory=dict)

    def following(self, kind: str, state_key: int, taken: AbstractSet[int]) -> Event | None:
        """What was prepared for an answer of this kind, if nothing has happened since."""
        asking = self.ahead.get(kind) if self.ahead_of == state_key else None
        free = asking is not None and taken.isdisjoint(asking.payload["items"])
        return asking if free else None


class Leases:
    """The live questions, one for each window of each annotator.

    Parameters
    ----------
    lease_s
        Seconds after which a question that was not answered returns to the pool.
    """

    def __init__(self, lease_s: float) -> None:
        self._lease_s = lease_s
        self._live: dict[tuple[str, str], Live] = {}
        self._items: set[int] = set()

    def __iter__(self) -> Iterator[Live]:
        return iter(self._live.values())

    @property
    def items(self) -> frozenset[int]:
        """Every item of a live question."""
        return frozenset(self._items)

    def taken(self, annotator: str, tab: str) -> frozenset[int]:
        """Every item of a live question of another window than this."""
        live = self._live.get((annotator, tab))
        return self.items.difference(() if live is None else live.asked.question.items)

    def of(self, annotator: str, tab: str, now_s: float) -> Live | None:
        """What this window is looking at; looking again renews the lease."""
        live = self._live.get((annotator, tab))
        if live is not None:
            live.until_s = now_s + self._lease_s
        return live

    def by_id(self, question_id: int) -> Live | None:
        """The live question with this id."""
        return next((live for live in self if live.asked.id == question_id), None)

    def grant(self, asked: Asked, now_s: float) -> Live:
        """Make a question live, instead of whatever its window held before."""
        self.release(asked.annotator, asked.tab)
        live = Live(asked, now_s + self._lease_s)
        self._live[asked.annotator, asked.tab] = live
        self._items.update(asked.question.items)
        return live

    def release(self, annotator: str, tab: str) -> None:
        """Return a window's question to the pool, if it holds one."""
        live = self._live.pop((annotator, tab), None)
        if live is not None:
            self._items.difference_update(live.asked.question.items)

    def expire(self, now_s: float) -> None:
        """Return every question whose lease has run out."""
        for window in [w for w, live in self._live.items() if live.until_s < now_s]:
            self.release(*window)
