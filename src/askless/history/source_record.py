"""What became of the source of a session: what was added, what is gone, what items are called.

Items keep their numbers for ever. One that was added gets the next number. One that is gone keeps
its label and its answers in the record; while it has no label it is not asked about, and in the
state it stands as an unsure item does: closed, and nothing is deduced through it. When it comes
back, everything is as it was. A file whose content has changed is another item under the same
name: the old one is gone, since its label was given to something else.

Changed by `askless.history.history.History` alone. Tested in tests/history/test_source_record.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from askless.core.state import State, mark_unsure
from askless.core.updated import Updated
from askless.errors import InvalidInput


class InSource(NamedTuple):
    """How many items are in the source now, and what is known about them.

    Parameters
    ----------
    items
        All of them.
    n_with
        By label: how many have it.
    unsure
        How many are marked unsure.
    """

    items: int
    n_with: tuple[int, ...]
    unsure: int

    @property
    def settled(self) -> int:
        """How many have a certain label."""
        return sum(self.n_with)


@dataclass(slots=True)
class SourceRecord:
    """The source of a session, as it was found last.

    Parameters
    ----------
    sizes
        How many items there were at the beginning, and after each event that added some.
    ids, checksums, probs
        Of the items that were added, in the order of their numbers; one half where the source gives
        no probabilities.
    names
        By item, what it is called now, for those that were renamed.
    copies
        By item, its exact duplicates now, for those where that has changed.
    gone
        The items that are not in the source now.
    closed
        Those of them that have no label, and are not asked about.
    """

    sizes: list[int]
    ids: list[str] = field(default_factory=list)
    checksums: list[str] = field(default_factory=list)
    probs: list[float] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    copies: dict[int, tuple[str, ...]] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=set)

    def note(self, update: Updated) -> None:
        """The source has changed.

        Raises
        ------
        InvalidInput
            An item is named that there is not, or that is gone already, or back without having
            been gone. Nothing is noted then.
        """
        n = self.sizes[-1]
        names = {int(number): str(name) for number, name in (update.renamed or {}).items()}
        copies = {int(number): tuple(some) for number, some in (update.copies or {}).items()}
        _check(max((*update.gone, *update.back, *names), default=-1) < n, n)
        _check(max(copies, default=-1) < n + len(update.ids), n)
        if self.gone.intersection(update.gone) or not self.gone.issuperset(update.back):
            raise InvalidInput("Only an item that is there goes, and one that is gone comes back.")
        self.ids += update.ids
        self.checksums += update.checksums
        self.probs += update.probs or [0.5] * len(update.ids)
        self.names |= names
        self.copies |= copies
        self.gone = self.gone.union(update.gone).difference(update.back)
        self.closed.difference_update(update.back)
        if update.ids:
            self.sizes.append(n + len(update.ids))

    def close(self, state: State) -> State:
        """The state in which no item that is gone is open."""
        for item in self.gone:
            if state.is_open(item):
                state = mark_unsure(state, item)
                self.closed.add(item)
        return state

    def count(self, state: State) -> InSource:
        """How many items are in the source now: without those that are gone."""
        if not self.gone:
            return InSource(state.n, state.n_with, state.n_unsure)
        gone = state.labels()[sorted(self.gone)]
        n_with = (n - int(np.sum(gone == label)) for label, n in enumerate(state.n_with))
        unsure = state.n_unsure - int(np.sum(gone == -2))
        return InSource(state.n - len(gone), tuple(n_with), unsure)


def _check(holds: bool, n: int) -> None:
    if not holds:
        raise InvalidInput(f"Items of this pool are 0 to {n - 1}; a change of others was noted.")
