"""Which questions are leased, so that nobody else is asked about their items.

A question is leased to a window from the moment it is handed out until it is answered, given up,
or older than the lease. An item stands in at most one leased question, but for checks, which are
drawn from all items whoever is looking at them. Leases live in memory: after a restart there are
none, and late answers are welcome all the same.

Imported by the session room alone; tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from askless.core.events import Asked
from askless.doors import of_kind


@dataclass(slots=True)
class Lease:
    """A question somebody is looking at, and what was planned to come after it."""

    asked: Asked
    until_s: float
    planned_from: int | None = None
    """Key of the state from which `planned` was planned."""
    planned: dict[str, Asked] = field(default_factory=dict)
    """By answer: what comes after it, ready to be stored."""

    def planned_after(self, kind: str, state_key: int, leased: AbstractSet[int]) -> Asked | None:
        """What was planned to follow an answer of this kind, if nothing has happened since."""
        asking = self.planned.get(kind) if self.planned_from == state_key else None
        free = asking is not None and leased.isdisjoint(asking.question.items)
        return asking if free else None


class Leases:
    """The leased questions, one for each window of each annotator.

    Parameters
    ----------
    lease_s
        Seconds after which a question that was not answered returns to the pool.
    """

    def __init__(self, lease_s: float) -> None:
        self._lease_s = lease_s
        self._leases: dict[tuple[str, str], Lease] = {}

    def __iter__(self) -> Iterator[Lease]:
        return iter(self._leases.values())

    @property
    def items(self) -> frozenset[int]:
        """Every leased item."""
        return frozenset().union(*(lease.asked.question.items for lease in self))

    def items_of_others(self, annotator: str, tab: str) -> frozenset[int]:
        """Every item leased to another window than this."""
        mine = self._leases.get((annotator, tab))
        others = (lease.asked.question.items for lease in self if lease is not mine)
        return frozenset().union(*others)

    def renew(self, annotator: str, tab: str, now_s: float) -> Lease | None:
        """What this window is looking at, leased from now on again."""
        of_kind("An annotator", annotator, str, "a name, as text")
        of_kind("A window", tab, str, "a name, as text")
        lease = self._leases.get((annotator, tab))
        if lease is not None:
            lease.until_s = now_s + self._lease_s
        return lease

    def of(self, asked: Asked) -> Lease | None:
        """The lease of this question, if its window still holds it."""
        lease = self._leases.get((asked.annotator, asked.tab))
        return lease if lease is not None and lease.asked.id == asked.id else None

    def grant(self, asked: Asked, now_s: float) -> None:
        """Lease a question to its window, instead of whatever that held before."""
        self.release(asked.annotator, asked.tab)
        self._leases[asked.annotator, asked.tab] = Lease(asked, now_s + self._lease_s)

    def release(self, annotator: str, tab: str) -> None:
        """Return a window's question to the pool, if it holds one."""
        self._leases.pop((annotator, tab), None)

    def expire(self, now_s: float) -> None:
        """Return every question whose lease has run out."""
        for window in [w for w, lease in self._leases.items() if lease.until_s < now_s]:
            self.release(*window)
