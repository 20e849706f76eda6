"""The items in no open clause, surest guess first.

An item whose likelier label has probability 1 - e is guessed to have that label, and e is
the chance that the guess is wrong, never taken below `SMALLEST_WRONG`: no predictor is
that sure, and a "no" must stay possible. A planner draws such items from one or two
rows: one, or with `same_guess` one for each guessed label, so that all items of
a question can have the same guess. While the probs wish some items first
(`Probs.first`), the rows hold those alone.

One sort per version of the probs; following a state costs O(n) over a whole run. Used by
`askless.planners.nested` and `askless.planners.fill`; tested in tests/planners/test_fresh.py.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.core.probability import Probs
from askless.core.state import State
from askless.planners._line import Line, Recent, same_version

SMALLEST_WRONG: Final = 1e-9

Rows = tuple[Line, ...]


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
    """

    def __init__(self, *, same_guess: bool) -> None:
        self._same_guess = same_guess
        self._probs: Probs | None = None
        self._orders: list[NDArray[np.intp]] = []
        self._wished: list[NDArray[np.intp]] = []
        self._known: Recent[tuple[Rows, Rows]] = Recent()

    def renew(self, probs: Probs) -> bool:
        """Sort anew if these probs are new; says whether they were."""
        if same_version(self._probs, probs):
            return False
        self._probs = probs
        self._known.clear()
        likely = probs.values >= 0.5
        e = np.maximum(np.minimum(probs.values, 1.0 - probs.values), SMALLEST_WRONG)
        self.wrong = e.data
        self.guess = likely.data
        order = np.argsort(e, kind="stable")
        parts = [order[likely[order]], order[~likely[order]]] if self._same_guess else [order]
        self._orders = parts
        first = probs.first
        self._wished = [] if first is None else [part[first[part]] for part in parts]
        return True

    def rows(self, state: State, leased: AbstractSet[int], refuted: Container[int]) -> Rows:
        """The rows that hold a free fresh item: the wished ones, or else all the others.

        Parameters
        ----------
        state, leased
            Where things stand.
        refuted
            The items of open clauses.
        """
        known = self._known.get(state.key)
        if known is None:
            before = self._known.get(state.parent_key)
            if before is None:
                wished = tuple([Line(order, state) for order in self._wished])
                known = wished, tuple([Line(order, state) for order in self._orders])
            else:
                known = _follow(before[0], state), _follow(before[1], state)
            self._known.put(state.key, known)
        for lines in known:
            rows = [
                line for line in lines if next(surest(line, state, leased, refuted), None) is not None
            ]
            if rows:
                return tuple(rows)
        return ()

    def wrong_if(self, item: int, guess: bool) -> float:
        """The chance that this guess, likely or not, is wrong for the item."""
        e = self.wrong[item]
        return e if guess == self.guess[item] else 1.0 - e


def surest(
    line: Line, state: State, leased: AbstractSet[int], refuted: Container[int]
) -> Iterator[int]:
    """The free items of a row that are in no open clause, surest first."""
    return (item for item in line.front(state, leased) if item not in refuted)


def hardest(
    line: Line, state: State, leased: AbstractSet[int], refuted: Container[int]
) -> Iterator[int]:
    """The same, least sure first."""
    return (item for item in line.back(state, leased) if item not in refuted)


def held_guesses(clauses: tuple[Clause, ...]) -> tuple[dict[int, bool], bool]:
    """The guess that open clauses hold for each of their items, and whether any two differ.

    Where they differ the oldest clause counts, and a group of items may be refuted already
    without holding a whole clause; a single open item never is.
    """
    held: dict[int, bool] = {}
    differ = False
    for clause in clauses:
        for item, guess in zip(clause.items, clause.guess, strict=True):
            if held.setdefault(item, guess) != guess:
                differ = True
    return held, differ


def _follow(lines: Rows, state: State) -> Rows:
    return tuple([line.follow(state) for line in lines])
