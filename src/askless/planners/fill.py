"""Fill every question: with doubtful items, sure ones, and those of refuted guesses.

Eight sure items are hardly worth a question, and half a refuted guess leaves room in
one. So both are combined. A question consists of

- the first items of an atom, items held by the same open clauses (`askless.planners._menu`), or
  none;
- up to four of the fresh items we are least sure of;
- the fresh items we are surest of: as many as bring P(yes) to one half, or fill the question;

and of all such questions the one worth most is asked, at prices for bits, settled items, blame
and open clauses that follow from what the fresh items hold (`askless.planners._prices`).
Much follows that is nowhere written down: a sure item of a refuted guess rides along in
further questions, its doubtful companion stays tentatively wrong, and is proved so by
the first yes that the sure one is part of; a suspect is asked together with fresh items
whenever those alone would tell too little; and where the cap does not bind refuted
guesses are halved.

Takes 1.01 to 1.02 times the bound of `askless.core.bounds` on calibrated pools of any kind
with groups of eight, where `nested` may take 1.25 and the paper's rule 1.3. Everything is read off the
state: no plan is kept from one question to the next. At most `_MOST_CLAUSES` clauses are
considered, and while so many are open no fresh item is added.

One sort per version of the probs, then a few hundred microseconds a question, independent of
n. Items are shown several times, so it is no choice where looking is what takes the
time. Not in the paper. Tested in tests/planners/test_fill.py.
"""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.entropy import binary_entropy_bits
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners import _options
from askless.planners._fresh import Fresh, Row
from askless.planners._menu import Dish, dishes, single
from askless.planners._prices import Prices, prices
from askless.planners._refuted import held_guesses, tied, within_reach

_HARDEST: Final = 4
"""How many of the least sure fresh items a question may hold."""
_MOST_CLAUSES: Final = 6
"""While so many clauses are open, no fresh item is asked."""
_LARGEST: Final = 1 << 15
"""The largest question when there is no cap."""
_LN2: Final = math.log(2.0)


class Fill:
    """Whatever is worth most at the going prices.

    Parameters
    ----------
    max_n
        The most items in a question; None for no cap.
    same_guess
        Whether all guesses in a question are the same label.
    seed
        Every planner has one; here nothing is left to chance.
    """

    def __init__(self, *, max_n: int | None = 8, same_guess: bool = True, seed: int = 0) -> None:
        self.max_n = _options.size("max_n", max_n)
        self.same_guess = _options.flag("same_guess", same_guess)
        self.seed = _options.whole("seed", seed, 0)
        self._most = min(_LARGEST, self.max_n or _LARGEST)
        self._fresh = Fresh(same_guess=self.same_guess)

    def plan(
        self, probs: Probs, state: State, leased: AbstractSet[int] = frozenset()
    ) -> Question | None:
        """The question worth most; None if nothing is free."""
        if self._fresh.renew(probs):
            self._totals = [_totals(wrong) for wrong in self._fresh.sorted]
        menu, n_clauses = self._menu(state, leased)
        crowded = bool(menu) and n_clauses >= _MOST_CLAUSES
        rows = [] if crowded else self._fresh.rows(state, leased)
        hands = {row.guess: self._hand(row) for row in rows}
        offers = []
        for guess in (True, False) if self.same_guess else (None,):
            fitting = [dish for dish in menu if guess is None or dish.guess[0] == guess]
            hand = hands.get(guess, _EMPTY)
            if fitting or hand.n:
                going = prices(hand.bits, hand.right, self._most, n_clauses)
                offers.append(_best(hand, fitting, going, self._most))
        return max(offers, key=lambda offer: offer[0])[1] if offers else None

    def worst_case_questions(self, n: int) -> int:
        """At most n + 6 (n + 1) (max_n + 1).

        At most n answers are yes. A no with fresh items opens a clause; six can be open, and
        those that go do so as an item is settled, six at most each time: 6 (n + 1) such
        answers. Any other no shortens a clause, of which max_n items can be taken.
        """
        return n + _MOST_CLAUSES * (n + 1) * (min(self._most, n) + 1)

    def _menu(self, state: State, leased: AbstractSet[int]) -> tuple[list[Dish], int]:
        """What can be asked about the oldest clauses, and how many those are."""
        menu: list[Dish] = []
        seen: set[int] = set()
        for clause in within_reach(state, leased):
            if len(seen) >= _MOST_CLAUSES:
                break
            if clause.answer in seen:
                continue
            group = tied(clause, state)
            seen.update([other.answer for other in group])
            held, agree = held_guesses(group)
            wrong_if = self._fresh.wrong_if
            if agree:
                menu += dishes(
                    group, held, wrong_if, leased, self._most, same_guess=self.same_guess
                )
            else:  # any group may be refuted already, but never an open item
                item = next(i for i in clause.items if i not in leased)
                menu.append(single(item, held[item], wrong_if(item, held[item])))
        return menu, len(seen)

    def _hand(self, row: Row) -> _Hand:
        """The fresh items of a row that a question may hold."""
        wrong, guess = self._fresh.wrong, self._fresh.guess
        surest, logs = list[int](), [0.0]
        for item in islice(row.surest(), self._most):
            surest.append(item)
            logs.append(logs[-1] + math.log1p(-wrong[item]))
            if logs[-1] < -_LN2:
                break
        hardest = list(islice(row.hardest(), min(_HARDEST, self._most)))
        hard_logs = [0.0, *accumulate([math.log1p(-wrong[item]) for item in hardest])]
        # Items of the same e as the ends count whether open or not: only the ratio matters.
        chances = self._fresh.sorted[row.kind]
        first = np.searchsorted(chances, wrong[surest[0]], side="left")
        last = np.searchsorted(chances, wrong[hardest[0]], side="right")
        bits, right = self._totals[row.kind]
        return _Hand(
            surest,
            hardest,
            {item: bool(guess[item]) for item in surest + hardest},
            np.array(logs),
            np.array(hard_logs),
            wrong[hardest[0]],
            float(bits[last] - bits[first]),
            float(right[last] - right[first]),
        )


@dataclass(frozen=True, slots=True)
class _Hand:
    """Fresh items that a question may hold, and what all fresh items of their row amount to.

    Parameters
    ----------
    surest, hardest
        The ones to begin with from either end.
    guess
        The likelier label of each.
    surest_logs, hardest_logs
        Natural logarithm of the chance that the first 0, 1, 2, ... of them are right.
    culprit
        The chance of the first of `hardest` to be wrong.
    bits, right
        Entropy and expected number of right guesses of the whole row.
    """

    surest: list[int]
    hardest: list[int]
    guess: dict[int, bool]
    surest_logs: NDArray[np.float64]
    hardest_logs: NDArray[np.float64]
    culprit: float
    bits: float
    right: float

    @property
    def n(self) -> int:
        """How many different items there are."""
        return len(self.guess)


_EMPTY: Final = _Hand([], [], {}, np.zeros(1), np.zeros(1), 0.0, 1.0, 0.0)


def _best(hand: _Hand, menu: list[Dish], going: Prices, most: int) -> tuple[float, Question]:
    """The question worth most that is made from one hand and at most one dish."""
    nothing = np.zeros(1)
    size = np.concatenate([nothing, *[np.arange(1, len(d.items) + 1) for d in menu]]).astype(int)
    log_right = np.concatenate([nothing, *[dish.log_right for dish in menu]])
    solved = np.concatenate([nothing, *[dish.solved for dish in menu]])
    culprit = np.concatenate([nothing, *[dish.culprit for dish in menu]])
    alone = np.array([False] + [dish.alone for dish in menu for _ in dish.items])
    # Axes: what is taken from the menu, hard items, and four ways to add sure ones.
    n_hard = np.arange(len(hand.hardest) + 1)
    log_yes = log_right[:, None] + hand.hardest_logs
    room = np.minimum(most - size[:, None], hand.n) - n_hard
    room = np.minimum(room, len(hand.surest))
    half = np.searchsorted(-hand.surest_logs, log_yes + _LN2)
    n_sure = np.stack([np.zeros_like(half), half - 1, half, room], axis=-1)
    n_sure = np.clip(n_sure, 0, np.maximum(room, 0)[..., None])
    n_fresh = n_hard[:, None] + n_sure
    total = size[:, None, None] + n_fresh
    worth = going.worth(
        log_yes[..., None] + hand.surest_logs[n_sure],
        total,
        np.maximum(culprit[:, None], np.where(n_hard > 0, hand.culprit, 0.0))[..., None],
        solved[:, None, None],
        (n_fresh > 0) & (total > 1),
    )
    impossible = (room < 0)[..., None] | (total == 0) | (alone[:, None, None] & (n_fresh > 0))
    worth[impossible] = -np.inf
    at, hard, way = np.unravel_index(int(worth.argmax()), worth.shape)
    items, guess = _taken(menu, int(at))
    fresh = hand.hardest[:hard] + hand.surest[: n_sure[at, hard, way]]
    labels = [hand.guess[item] for item in fresh]
    return float(worth[at, hard, way]), Question((*items, *fresh), (*guess, *labels))


def _taken(menu: list[Dish], at: int) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """The items and guesses of entry `at`, of which entry 0 is nothing."""
    for dish in menu:
        if at <= len(dish.items):
            return dish.items[:at], dish.guess[:at]
        at -= len(dish.items)
    return (), ()


def _totals(wrong: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Entropy and expected number of right guesses of the first 0, 1, 2, ... items."""
    bits = np.concatenate([[0.0], np.cumsum(binary_entropy_bits(wrong))])
    right = np.concatenate([[0.0], np.cumsum(1.0 - wrong)])
    return bits, right
