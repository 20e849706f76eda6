"""The free items in no open clause, surest guess first.

An item whose likelier label has probability 1 - e is guessed to have that label, and e is
the chance that the guess is wrong, never taken below `SMALLEST_WRONG`: no predictor is
that sure, and a "no" must stay possible. A planner draws from one row of such items, or
with `same_guess` from one for each guessed label, so that all items of a question can
have the same guess. While the probs wish for some items first (`Probs.first`) and one of them
is free and in no open clause, the rows hold those alone.

One sort per version of the probs; following a state costs O(n) over a whole run. Used by
`askless.planners.nested` and `askless.planners.fill`; tested in tests/planners/test_fresh.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

import numpy as np

from askless.core.probability import Probs
from askless.core.state import State
from askless.planners._line import Line, Lines, same_version

SMALLEST_WRONG: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Row:
    """Free fresh items of one state, to be read from either end.

    Parameters
    ----------
    line
        Open items, surest first.
    kind
        Which of `Fresh.sorted` the row belongs to.
    guess
        The label guessed for all its items; None if they differ.
    state, leased
        What makes an item free and fresh.
    """

    line: Line
    kind: int
    guess: bool | None
    state: State
    leased: AbstractSet[int]

    def surest(self) -> Iterator[int]:
        """The items, surest first."""
        return self._fresh(self.line.front(self.state, self.leased))

    def hardest(self) -> Iterator[int]:
        """The items, least sure first."""
        return self._fresh(self.line.back(self.state, self.leased))

    def _fresh(self, items: Iterable[int]) -> Iterator[int]:
        held = self.state.fixed_guess
        return (item for item in items if held(item) is None)


class Fresh:
    """The rows, for one version of the probs after another.

    Parameters
    ----------
    same_guess
        Whether each guessed label has a row of its own.

    Attributes
    ----------
    wrong
        e for every item, as a buffer: indexing it gives plain floats, quickly.
    guess
        The likelier label of every item, True at exactly one half, likewise.
    sorted
        For each kind of row the e of all its items, open or not, in ascending order.
    """

    def __init__(self, *, same_guess: bool) -> None:
        self._same_guess = same_guess
        self._kinds = 2 if same_guess else 1
        self._probs: Probs | None = None
        self._lines = Lines()

    def renew(self, probs: Probs) -> bool:
        """Sort anew if these probs are new; says whether they were."""
        if same_version(self._probs, probs):
            return False
        self._probs = probs
        likely = probs.values >= 0.5
        e = np.maximum(np.minimum(probs.values, 1.0 - probs.values), SMALLEST_WRONG)
        self.wrong = e.data
        self.guess = likely.data
        order = np.argsort(e, kind="stable")
        kinds = [order[likely[order]], order[~likely[order]]] if self._same_guess else [order]
        wished = [] if probs.first is None else [kind[probs.first[kind]] for kind in kinds]
        orders = [*wished, *kinds]
        self._lines.renew(orders)
        self.sorted = [e[kind] for kind in orders]
        return True

    def follow(self, state: State) -> list[Line]:
        """The lines of the state; cheap for one learnt from a state followed before."""
        return self._lines.of(state)

    def rows(self, state: State, leased: AbstractSet[int]) -> list[Row]:
        """The rows with an item in them: those wished for, or else all."""
        guesses: tuple[bool | None, ...] = (True, False) if self._same_guess else (None,)
        kinds = len(guesses)
        rows = [
            Row(line, kind, guesses[kind % kinds], state, leased)
            for kind, line in enumerate(self.follow(state))
        ]
        for some in (rows[:-kinds], rows[-kinds:]):
            filled = [row for row in some if next(row.surest(), None) is not None]
            if filled:
                return filled
        return []

    def all_held(self, state: State, leased: AbstractSet[int]) -> bool:
        """Whether wished-for items are free, and open clauses hold every one of them."""
        wished = [Row(line, 0, None, state, leased) for line in self.follow(state)[: -self._kinds]]
        free = any(next(row.line.front(state, leased), None) is not None for row in wished)
        return free and all(next(row.surest(), None) is None for row in wished)

    def likelier(self, row: Row) -> int:
        """How many items of the whole pool, open or not, have a row's guess as likelier label."""
        return len(self.sorted[row.kind % self._kinds - self._kinds])

    def beside(self, row: Row, guess: bool | None) -> Row | None:
        """All items with that guess, while `row` is one of wished-for items; otherwise None."""
        lines = self.follow(row.state)
        if row.kind + self._kinds >= len(lines):
            return None
        kind = self._kinds + (guess is False)
        return Row(lines[kind], kind, guess, row.state, row.leased)

    def wrong_if(self, item: int, guess: bool) -> float:
        """The chance that this guess, likely or not, is wrong for the item."""
        e = self.wrong[item]
        return e if guess == self.guess[item] else 1.0 - e
