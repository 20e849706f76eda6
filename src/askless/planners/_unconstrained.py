"""The free items that no open clause holds, sorted by how sure their guess is.

An item whose likelier label has probability 1 - e is guessed to have that label, and e is
the chance that the guess is wrong, never taken below `SMALLEST_WRONG`: no predictor is
that sure, and a "no" must stay possible. A planner takes items from one sorted list, or
with `same_guess` from one for each row, so that all items of a question can
have the same guess. A row is a guessed label; with more classes than two, a class and whether it is
guessed or excluded, 2 * class + guess. While a priority item is free and in no open clause, the
lists hold priority items alone.

One sort for each version of the probs or the priority; following a state costs O(n) over a whole
run. Used by `askless.planners.nested` and `askless.planners.fill`; tested in
tests/planners/test_unconstrained.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

import numpy as np

from askless.core.entropy import binary_entropy_bits
from askless.core.probability import Probs
from askless.core.state import State
from askless.planners._line import Inputs, Line, Lines
from askless.seams import Priority

SMALLEST_WRONG: Final = 1e-9


@dataclass(frozen=True, slots=True)
class SortedItems:
    """Free unconstrained items of one state, to be read from either end.

    Parameters
    ----------
    line
        Open items, surest first.
    index
        Which of `UnconstrainedItems.sorted` they belong to.
    row
        What is guessed for all of them; None if that differs.
    state, leased
        What makes an item free and unconstrained.
    """

    line: Line
    index: int
    row: int | None
    state: State
    leased: AbstractSet[int]

    def surest(self) -> Iterator[int]:
        """The items, surest first."""
        return self._unconstrained(self.line.front(self.state, self.leased))

    def hardest(self) -> Iterator[int]:
        """The items, least sure first."""
        return self._unconstrained(self.line.back(self.state, self.leased))

    def _unconstrained(self, items: Iterable[int]) -> Iterator[int]:
        held = self.state.held
        return (item for item in items if item not in held)


class UnconstrainedItems:
    """The sorted lists, for one version of the probs and the priority after another.

    Parameters
    ----------
    same_guess
        Whether each row has a list of its own.

    Attributes
    ----------
    wrong
        e for every item, as a buffer: indexing it gives plain floats, quickly.
    guess
        The likelier label of every item, True at exactly one half, likewise.
    rows
        The row of each list, True and False if there are two classes; None for all in one list.
    sorted
        For each list the e of all its items, open or not, in ascending order. Lists of
        priority items, if there are any, come before those of all items.
    """

    def __init__(self, *, same_guess: bool) -> None:
        self._same_guess = same_guess
        self._kinds: memoryview | None = None
        self._turn: int | None = None
        self.rows: tuple[int | None, ...] = (True, False) if same_guess else (None,)
        self._inputs = Inputs()
        self._lines = Lines()

    def renew(self, probs: Probs, priority: Priority | None) -> bool:
        """Sort again if these are new; says whether they were."""
        if not self._inputs.change_to(probs, priority):
            return False
        likely = probs.values >= 0.5
        e = np.maximum(np.minimum(probs.values, 1.0 - probs.values), SMALLEST_WRONG)
        self.wrong = e.data
        self.guess = likely.data
        order = np.argsort(e, kind="stable")
        row = likely.astype(np.intp)
        if probs.kinds is not None:
            self._kinds, row = probs.kinds.data, 2 * probs.kinds + row
            if self._same_guess:
                # Both guesses of each class: a clause may hold the less likely one.
                both = [2 * kind + guess for kind in np.unique(probs.kinds) for guess in (1, 0)]
                self.rows = tuple(map(int, both))
        lists = [order if this is None else order[row[order] == this] for this in self.rows]
        first = [] if priority is None else [items[priority[items]] for items in lists]
        orders = [*first, *lists]
        self._lines.renew(orders)
        self.sorted = [e[items] for items in orders]
        self._row, self._e, self._priority = row, e, priority
        return True

    def follow(self, state: State) -> list[Line]:
        """The lines of the state; cheap for one learnt from a state followed before."""
        return self._lines.of(state)

    def lists(self, state: State, leased: AbstractSet[int]) -> list[SortedItems]:
        """The lists with an item in them: those of priority items, or else of all."""
        kinds = len(self.rows)
        every = [
            SortedItems(line, index, self.rows[index % kinds], state, leased)
            for index, line in enumerate(self.follow(state))
        ]
        for some in (every[:-kinds], every[-kinds:]):
            filled = [items for items in some if next(items.surest(), None) is not None]
            if filled:
                return filled
        return []

    def priority_is_constrained(self, state: State, leased: AbstractSet[int]) -> bool:
        """Whether priority items are free, and open clauses hold every one of them."""
        first = [
            SortedItems(line, 0, None, state, leased)
            for line in self.follow(state)[: -len(self.rows)]
        ]
        free = any(next(items.line.front(state, leased), None) is not None for items in first)
        return free and all(next(items.surest(), None) is None for items in first)

    def likelier(self, items: SortedItems) -> int:
        """How many items of the whole pool, open or not, have a list's guess as likelier label."""
        kinds = len(self.rows)
        return len(self.sorted[items.index % kinds - kinds])

    def beside(self, items: SortedItems, row: int | None) -> SortedItems | None:
        """All items of that row, if `items` is a list of priority items; otherwise None."""
        kinds, lines = len(self.rows), self.follow(items.state)
        if items.index + kinds >= len(lines):
            return None
        index = kinds + self.rows.index(row)
        return SortedItems(lines[index], index, row, items.state, items.leased)

    @property
    def many_rows(self) -> bool:
        """Whether rows are of classes, more than two."""
        return self._kinds is not None and self._same_guess

    def row_of(self, item: int, guess: bool) -> int:
        """The row that an item belongs to with this guess."""
        return guess if self._kinds is None else 2 * self._kinds[item] + guess

    def in_turn(self, lists: list[SortedItems]) -> SortedItems:
        """The list of the row that had its turn last, or else the one with the largest entropy."""
        for items in lists:
            if items.row == self._turn:
                return items
        wanted = lists[0].state.labels() == -1
        if self._priority is not None and lists[0].index < len(self.rows):
            wanted &= self._priority
        bits = binary_entropy_bits(self._e) * wanted
        by_row = np.bincount(self._row, weights=bits)
        chosen = max(lists, key=lambda items: by_row[items.row or 0])
        self._turn = chosen.row
        return chosen

    def wrong_if(self, item: int, guess: bool) -> float:
        """The chance that this guess, likely or not, is wrong for the item."""
        e = self.wrong[item]
        return e if guess == self.guess[item] else 1.0 - e
