"""The free items that no open clause holds, sorted by how sure their guess is.

An item whose likelier label has probability 1 - e is guessed to have that label, and e is
the chance that the guess is wrong, never taken below `SMALLEST_WRONG`: no predictor is
that sure, and a "no" must stay possible. A planner takes items from one sorted list, or
with `same_guess` from one for each guessed label, so that all items of a question can
have the same guess. While a priority item is free and in no open clause, the lists hold
priority items alone.

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
    guess
        The label guessed for all of them; None if they differ.
    state, leased
        What makes an item free and unconstrained.
    """

    line: Line
    index: int
    guess: bool | None
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
        Whether each guessed label has a list of its own.

    Attributes
    ----------
    wrong
        e for every item, as a buffer: indexing it gives plain floats, quickly.
    guess
        The likelier label of every item, True at exactly one half, likewise.
    sorted
        For each list the e of all its items, open or not, in ascending order. Lists of
        priority items, if there are any, come before those of all items.
    """

    def __init__(self, *, same_guess: bool) -> None:
        self._guesses: tuple[bool | None, ...] = (True, False) if same_guess else (None,)
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
        lists = [
            order if guess is None else order[likely[order] == guess] for guess in self._guesses
        ]
        first = [] if priority is None else [items[priority[items]] for items in lists]
        orders = [*first, *lists]
        self._lines.renew(orders)
        self.sorted = [e[items] for items in orders]
        return True

    def follow(self, state: State) -> list[Line]:
        """The lines of the state; cheap for one learnt from a state followed before."""
        return self._lines.of(state)

    def lists(self, state: State, leased: AbstractSet[int]) -> list[SortedItems]:
        """The lists with an item in them: those of priority items, or else of all."""
        kinds = len(self._guesses)
        every = [
            SortedItems(line, index, self._guesses[index % kinds], state, leased)
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
            for line in self.follow(state)[: -len(self._guesses)]
        ]
        free = any(next(items.line.front(state, leased), None) is not None for items in first)
        return free and all(next(items.surest(), None) is None for items in first)

    def likelier(self, items: SortedItems) -> int:
        """How many items of the whole pool, open or not, have a list's guess as likelier label."""
        kinds = len(self._guesses)
        return len(self.sorted[items.index % kinds - kinds])

    def beside(self, items: SortedItems, guess: bool | None) -> SortedItems | None:
        """All items with that guess, if `items` is a list of priority items; otherwise None."""
        kinds, lines = len(self._guesses), self.follow(items.state)
        if items.index + kinds >= len(lines):
            return None
        index = kinds + (guess is False)
        return SortedItems(lines[index], index, guess, items.state, items.leased)

    def wrong_if(self, item: int, guess: bool) -> float:
        """The chance that this guess, likely or not, is wrong for the item."""
        e = self.wrong[item]
        return e if guess == self.guess[item] else 1.0 - e
