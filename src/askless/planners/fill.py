"""Fill every question: with doubtful items, sure ones, and those of refuted guesses.

Eight sure items are hardly worth a question, and half a refuted guess leaves room in one. So
the two are put together. A question consists of

- the first items of an atom, items held by the same open clauses (`askless.planners._menu`), or
  none;
- up to four of the fresh items we are least sure of;
- the fresh items we are surest of, as few or as many as one likes, up to an even bet;

and of all such questions the one worth most is asked, at prices for bits, settled items, blame
and open clauses that follow from what the fresh items hold (`askless.planners._prices`).
Much follows that is written down nowhere: a sure item of a refuted guess rides along in
further questions, its doubtful companion counts as wrong meanwhile, and is proved so by the
first yes the sure one is part of; a suspect is asked together with fresh items where those
alone would tell too little; where the cap does not bind, refuted guesses are halved.

On calibrated pools of some thousand items this takes 1.01 to 1.02 times the bound of
`askless.core.bounds`, with groups of eight as well as with no cap, where groups of eight
cost `nested` up to 1.25 and the paper's rule 1.3 times the bound. Everything is read off
the state; nothing is planned beyond the next question. With `same_guess` the labels take turns,
sixteen questions each. While items are wished for (`Probs.first`), others only ride along, with
the last of them or with suspects; and while open clauses hold all that are left, nothing is begun.

One sort per version of the probs, then some hundred microseconds a question, whatever n. Items
are shown several times, so it is no choice where looking is what takes the time. Not in the paper.
Tested in tests/planners/test_fill.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.core.entropy import binary_entropy_bits
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners import _options
from askless.planners._fresh import Fresh, Row
from askless.planners._menu import Dish, dishes, even_steps, single
from askless.planners._prices import prices
from askless.planners._refuted import held_guesses, tied, within_reach

_HARDEST: Final = 4
"""How many of the least sure fresh items a question may hold."""
_CROWD: Final = 6
"""While so many clauses are open, nothing is begun: sure fresh items ride along where room is
scarce, and others wait."""
_MOST_CLAUSES: Final = 10
"""While so many clauses are open, no fresh item is asked."""
_TURN: Final = 16
"""So many questions are about one label, then as many about the other."""
_LARGEST: Final = 1 << 11
"""The largest question when there is no cap."""
_REMEMBERED: Final = 64
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
        self._known: dict[tuple[Clause, ...], list[Dish]] = {}

    def plan(
        self, probs: Probs, state: State, leased: AbstractSet[int] = frozenset()
    ) -> Question | None:
        """The question worth most; None if nothing is free."""
        if self._fresh.renew(probs):
            self._totals = [_totals(wrong) for wrong in self._fresh.sorted]
            self._known.clear()
        rows = {row.guess: row for row in self._fresh.rows(state, leased)}
        held = self._fresh.all_held(state, leased)
        for guess in self._turns(state):
            menu, n_clauses = self._menu(guess, state, leased)
            if menu or (guess in rows and not held):
                full = bool(menu) and n_clauses >= _MOST_CLAUSES
                hand = _EMPTY if full else self._hand(guess, rows, held=held)
                return self._best(hand, menu, n_clauses)
        return None

    def worst_case_questions(self, n: int) -> int:
        """At most n + 20 (n + 1) (max_n + 1).

        At most n answers are yes. A no with fresh items opens a clause; ten can be open for
        each label, and those that go do so as an item is settled, all at most each time: 20 (n + 1)
        such answers. Any other no shortens a clause, of which max_n items can be taken.
        """
        return n + 2 * _MOST_CLAUSES * (n + 1) * (min(self._most, n) + 1)

    def _turns(self, state: State) -> tuple[bool | None, ...]:
        """Which label to ask about, and which if that cannot be; None for any mixture."""
        if not self.same_guess:
            return (None,)
        first = len(state.answers) // _TURN % 2 == 0
        return first, not first

    def _menu(
        self, guess: bool | None, state: State, leased: AbstractSet[int]
    ) -> tuple[list[Dish], int]:
        """What can be asked about the oldest clauses with that label, and how many those are."""
        menu: list[Dish] = []
        seen: set[int] = set()
        for clause in within_reach(state, leased, guess):
            if len(seen) >= _MOST_CLAUSES:
                break
            if clause.answer not in seen:
                group = tied(clause, state)
                seen.update([other.answer for other in group])
                menu += self._dishes(group, guess, leased)
        return [dish for dish in menu if guess is None or dish.guess[0] == guess], len(seen)

    def _dishes(
        self, clauses: tuple[Clause, ...], guess: bool | None, leased: AbstractSet[int]
    ) -> list[Dish]:
        """What can be asked about clauses that hang together, the first being within reach.

        Remembered, since an answer touches few of them.
        """
        if not leased and clauses in self._known:
            return self._known[clauses]
        held, agree = held_guesses(clauses)
        wrong_if = self._fresh.wrong_if
        if not agree:  # any group may be refuted already, but never an open item
            item, label = next(
                (item, label)
                for item, label in zip(clauses[0].items, clauses[0].guess, strict=True)
                if item not in leased and guess in (None, label)
            )
            return [single(item, label, wrong_if(item, label))]
        menu = dishes(clauses, held, wrong_if, leased, self._most, same_guess=self.same_guess)
        if not leased:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[clauses] = menu
        return menu

    def _hand(self, guess: bool | None, rows: dict[bool | None, Row], *, held: bool) -> _Hand:
        """The ways to add fresh items with that guess to a question.

        The last of the wished-for items leave slots free, all slots if those left are `held`.
        Where room is scarce, the surest of all items ride along in these.
        """
        row = rows.get(guess)
        everyone, few = row, list[int]()
        if rows and not held:
            everyone = self._fresh.beside(next(iter(rows.values())), guess)
            few = list(islice(row.surest(), self._most)) if row and everyone else []
        if everyone and len(few) < self._most and next(everyone.surest(), None) is not None:
            bits, right = self._amounts(everyone)
            if prices(bits, right, self._most, 0).scarce_room:
                wished = frozenset(few)
                others = (item for item in everyone.surest() if item not in wished)
                sure, hard = chain(few[:-_HARDEST], others), few[: -_HARDEST - 1 : -1]
                return self._made(everyone, sure, hard, riding=True)
        if held or row is None:
            return _EMPTY
        return self._made(row, row.surest(), islice(row.hardest(), min(_HARDEST, self._most)))

    def _amounts(self, row: Row) -> tuple[float, float]:
        """Entropy and expected number of right guesses of a row, which must hold an item."""
        # Items as doubtful as those at the ends count whether open or not: a ratio is all we need.
        wrong, chances = self._fresh.wrong, self._fresh.sorted[row.kind]
        first = np.searchsorted(chances, wrong[next(row.surest())], side="left")
        last = np.searchsorted(chances, wrong[next(row.hardest())], side="right")
        bits, right = self._totals[row.kind]
        return float(bits[last] - bits[first]), float(right[last] - right[first])

    def _made(
        self, row: Row, sure: Iterable[int], hard: Iterable[int], *, riding: bool = False
    ) -> _Hand:
        """The ways to take some of either, at the prices of the whole row."""
        wrong, guess = self._fresh.wrong, self._fresh.guess
        surest, hardest, logs = list[int](), list(hard), [0.0]
        for item in islice(sure, self._most):
            surest.append(item)
            logs.append(logs[-1] + math.log1p(-wrong[item]))
            if logs[-1] < -_LN2:
                break
        hard_logs = [0.0, *accumulate([math.log1p(-wrong[item]) for item in hardest])]
        labels = {item: bool(guess[item]) for item in surest + hardest}
        room = min(self._most, len(labels))
        if len(logs) <= _FEW:
            n_surest, n_hardest = _ways(len(logs), len(hard_logs), room)
        else:
            n_surest, n_hardest = _fitting(even_steps(np.array(logs)), len(hard_logs), room)
        return _Hand(
            surest,
            hardest,
            labels,
            n_hardest,
            n_surest,
            np.array(logs)[n_surest] + np.array(hard_logs)[n_hardest],
            wrong[hardest[0]] if hardest else 0.0,
            *self._amounts(row),
            riding,
        )

    def _best(self, hand: _Hand, menu: list[Dish], n_clauses: int) -> Question:
        """The question worth most that is made from one hand and at most one dish."""
        # One row for each choice from the menu, the first for none; one column for each way.
        table = np.concatenate([_NOTHING, *[dish.table for dish in menu]], axis=1)
        size, log_right, solved, culprit = table[:, :, None]
        n_fresh = hand.n_hardest + hand.n_surest
        total = size + n_fresh
        going = prices(hand.bits, hand.right, self._most, n_clauses)
        worth = going.worth(
            log_right + hand.log_right,
            total,
            np.maximum(culprit, hand.culprit * (hand.n_hardest > 0)),
            solved,
            (n_fresh > 0) & (total > 1),
        )
        worth[(total > self._most) | (total == 0)] = -np.inf
        if hand.riding:
            worth[0, hand.n_hardest == 0] = -np.inf
        if menu and n_clauses >= _CROWD:
            waits = hand.n_hardest if going.scarce_room else n_fresh
            worth[0] = worth[:, waits > 0] = -np.inf
        if any(dish.alone for dish in menu):
            alone = np.array([False, *[dish.alone for dish in menu for _ in dish.table[0]]])
            worth[alone[:, None] & (n_fresh > 0)] = -np.inf
        choice, way = divmod(int(worth.argmax()), worth.shape[1])
        items, guess = _taken(menu, choice)
        fresh = hand.hardest[: hand.n_hardest[way]] + hand.surest[: hand.n_surest[way]]
        labels = [hand.guess[item] for item in fresh]
        return Question((*items, *fresh), (*guess, *labels))


@dataclass(frozen=True, slots=True)
class _Hand:
    """Fresh items that a question may hold, and what all fresh items of their row amount to.

    Parameters
    ----------
    surest, hardest
        The ones to begin with from either end.
    guess
        The likelier label of each.
    n_hardest, n_surest
        The ways to take some of either; the first is to take none.
    log_right
        For each way, the natural logarithm of the chance that all are right.
    culprit
        The chance of the first of `hardest` to be wrong.
    bits, right
        Entropy and expected number of right guesses of the whole row.
    riding
        Whether items nobody wished for are among the surest; by themselves these are not asked.
    """

    surest: list[int]
    hardest: list[int]
    guess: dict[int, bool]
    n_hardest: NDArray[np.intp]
    n_surest: NDArray[np.intp]
    log_right: NDArray[np.float64]
    culprit: float
    bits: float
    right: float
    riding: bool = False


_NONE: Final = np.zeros(1, dtype=np.intp)
_NOTHING: Final = np.zeros((4, 1))
_FEW: Final = 17
"""Up to so many numbers of surest items each is tried, so that the ways are known beforehand."""
_EMPTY: Final = _Hand([], [], {}, _NONE, _NONE, np.zeros(1), 0.0, 1.0, 0.0)


@lru_cache(maxsize=1024)
def _ways(n_sure: int, n_hard: int, room: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """`_fitting` where each number of surest items, from none to all, may be taken."""
    return _fitting(np.arange(n_sure), n_hard, room)


def _fitting(
    sure: NDArray[np.intp], n_hard: int, room: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All ways to take so many of the surest and so many of the hardest that fit."""
    n_surest, n_hardest = np.repeat(sure, n_hard), np.tile(np.arange(n_hard), len(sure))
    fits = n_surest + n_hardest <= room
    return n_surest[fits], n_hardest[fits]


def _taken(menu: list[Dish], choice: int) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """The items and guesses of a choice from the menu; choice 0 is nothing."""
    at = choice - 1
    for dish in menu if choice else []:
        if at < len(dish.table[0]):
            count = int(dish.table[0, at])
            return dish.items[:count], dish.guess[:count]
        at -= len(dish.table[0])
    return (), ()


def _totals(wrong: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Entropy and expected number of right guesses of the first 0, 1, 2, ... items."""
    bits = np.concatenate([[0.0], np.cumsum(binary_entropy_bits(wrong))])
    right = np.concatenate([[0.0], np.cumsum(1.0 - wrong)])
    return bits, right
