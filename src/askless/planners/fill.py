"""Adaptive group testing with full questions: one-step lookahead at shadow prices.

Eight sure items are hardly worth a question, and half a refuted guess leaves room in one. So
the two are put together. A question consists of

- the first items of an atom, items held by the same open clauses
  (`askless.planners._clause_options`), or none;
- up to four of the unconstrained items we are least sure of;
- the unconstrained items we are surest of, any number of them up to an even bet;

and of all such questions the one worth most is asked, at prices for bits, settled items, the most
suspect item and open clauses that follow from what the unconstrained items hold
(`askless.planners._prices`, the multipliers of two linear constraints).

Three habits follow without being written down. The confident items of a refuted group are added
to later questions; the first yes to one of these settles them, and by elimination proves that the
doubtful item was the wrong one. A suspect is asked together with unconstrained items where
those alone would tell too little. Where the cap does not bind, refuted guesses are halved.

On calibrated pools of some thousand items this takes 1.01 to 1.02 times the bound of
`askless.core.bounds`, with groups of eight as well as with no cap, where groups of eight
cost `nested` up to 1.25 and the paper's rule 1.3 times the bound. Everything is read off
the state; nothing is planned beyond the next question. With `same_guess` the labels take turns,
sixteen questions each. While priority items are open, others are only fillers, beside the last of
them or beside items that may be wrong; and while open clauses hold all that are left, no new group
is begun.

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
from askless.planners._clause_options import ClausePrefix, clause_prefixes, even_steps, single
from askless.planners._prices import prices
from askless.planners._refuted import held_guesses, tied, within_reach
from askless.planners._unconstrained import SortedItems, UnconstrainedItems
from askless.planners.options import GroupOptions, check_plan
from askless.seams import Priority

_HARDEST: Final = 4
"""How many of the least sure unconstrained items a question may hold."""
_CROWD: Final = 6
"""While this many clauses are open no new group is begun: sure items are fillers where room is
scarce, and others wait."""
_MOST_CLAUSES: Final = 10
"""While this many clauses are open, no unconstrained item is asked."""
_TURN: Final = 16
"""This many questions are about one label, then as many about the other."""
_LARGEST: Final = 1 << 11
"""The largest question when there is no cap."""
_REMEMBERED: Final = 64
_LN2: Final = math.log(2.0)


@dataclass(kw_only=True, eq=False)
class Fill(GroupOptions):
    """Whatever is worth most at the going prices. Its options are those of `GroupOptions`."""

    name = "fill"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._most = min(_LARGEST, self.max_n or _LARGEST)
        self._free = UnconstrainedItems(same_guess=self.same_guess)
        self._known: dict[tuple[Clause, ...], list[ClausePrefix]] = {}

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """The question worth most; None if nothing is free."""
        check_plan(probs, state)
        if self._free.renew(probs, priority):
            self._totals = [_totals(wrong) for wrong in self._free.sorted]
            self._known.clear()
        lists = {items.row: items for items in self._free.lists(state, leased)}
        held = self._free.priority_is_constrained(state, leased)
        for row in self._turns(state):
            prefixes, n_clauses = self._about_clauses(row, state, leased)
            if prefixes or (row in lists and not held):
                full = bool(prefixes) and n_clauses >= _MOST_CLAUSES
                fresh = _NO_CHOICES if full else self._about_others(row, lists, held=held)
                return self._best(fresh, prefixes, n_clauses)
        return None

    def worst_case_questions(self, n: int) -> int:
        """At most n + 20 (n + 1) (max_n + 1).

        At most n answers are yes. A no with fresh items opens a clause; ten can be open for
        each label, and those that go do so as an item is settled, all at most each time: 20 (n + 1)
        such answers. Any other no shortens a clause, of which max_n items can be taken.
        """
        return n + 2 * _MOST_CLAUSES * (n + 1) * (min(self._most, n) + 1)

    def _turns(self, state: State) -> tuple[int | None, ...]:
        """Which row to ask about, and which if that cannot be; None for any mixture."""
        rows = self._free.rows
        first = len(state.answers) // _TURN % len(rows)
        return rows[first:] + rows[:first]

    def _about_clauses(
        self, row: int | None, state: State, leased: AbstractSet[int]
    ) -> tuple[list[ClausePrefix], int]:
        """What can be asked about the oldest clauses with that row, and how many those are."""
        row_of = self._free.row_of
        found: list[ClausePrefix] = []
        seen: set[int] = set()
        wanted = None if row is None else lambda item, guess: row_of(item, guess) == row
        for clause in within_reach(state, leased, wanted):
            if len(seen) >= _MOST_CLAUSES:
                break
            if clause.answer not in seen:
                group = tied(clause, state)
                seen.update([other.answer for other in group])
                found += self._prefixes(group, row, leased)
        return [
            each for each in found if row is None or row_of(each.items[0], each.guess[0]) == row
        ], len(seen)

    def _prefixes(
        self, clauses: tuple[Clause, ...], row: int | None, leased: AbstractSet[int]
    ) -> list[ClausePrefix]:
        """What can be asked about clauses that hang together, the first being within reach.

        Remembered, since an answer touches few of them.
        """
        if not leased and clauses in self._known:
            return self._known[clauses]
        held, agree = held_guesses(clauses)
        wrong_if, row_of = self._free.wrong_if, self._free.row_of
        if not agree:  # any group may be refuted already, but never an open item
            item, label = next(
                (item, label == 1)
                for item, label in clauses[0].pairs
                if item not in leased and row in (None, row_of(item, label == 1))
            )
            return [single(item, label, wrong_if(item, label))]
        found = clause_prefixes(
            clauses, held, wrong_if, leased, self._most, row_of if self.same_guess else None
        )
        if not leased:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[clauses] = found
        return found

    def _about_others(
        self, row: int | None, lists: dict[int | None, SortedItems], *, held: bool
    ) -> FreshChoices:
        """The ways to add unconstrained items of that row to a question.

        The last of the priority items leave slots empty, all slots if those left are `held` by
        clauses. Where room is scarce, the surest of all items fill these.
        """
        items = lists.get(row)
        everyone, few = items, list[int]()
        if lists and not held:
            everyone = self._free.beside(next(iter(lists.values())), row)
            few = list(islice(items.surest(), self._most)) if items and everyone else []
        if everyone and len(few) < self._most and next(everyone.surest(), None) is not None:
            bits, right = self._amounts(everyone)
            if prices(bits, right, self._most, 0).scarce_room:
                first = frozenset(few)
                others = (item for item in everyone.surest() if item not in first)
                sure, hard = chain(few[:-_HARDEST], others), few[: -_HARDEST - 1 : -1]
                return self._choices(everyone, sure, hard, with_fillers=True)
        if held or items is None:
            return _NO_CHOICES
        hardest = islice(items.hardest(), min(_HARDEST, self._most))
        return self._choices(items, items.surest(), hardest)

    def _amounts(self, items: SortedItems) -> tuple[float, float]:
        """Entropy and expected number of right guesses of a list, which must hold an item."""
        # Items as doubtful as those at the ends count whether open or not: a ratio is all we need.
        wrong, chances = self._free.wrong, self._free.sorted[items.index]
        first = np.searchsorted(chances, wrong[next(items.surest())], side="left")
        last = np.searchsorted(chances, wrong[next(items.hardest())], side="right")
        bits, right = self._totals[items.index]
        return float(bits[last] - bits[first]), float(right[last] - right[first])

    def _choices(
        self,
        items: SortedItems,
        sure: Iterable[int],
        hard: Iterable[int],
        *,
        with_fillers: bool = False,
    ) -> FreshChoices:
        """The ways to take some of either, at the prices of the whole list."""
        wrong, guess = self._free.wrong, self._free.guess
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
        return FreshChoices(
            surest,
            hardest,
            labels,
            n_hardest,
            n_surest,
            np.array(logs)[n_surest] + np.array(hard_logs)[n_hardest],
            wrong[hardest[0]] if hardest else 0.0,
            *self._amounts(items),
            with_fillers,
        )

    def _best(self, fresh: FreshChoices, prefixes: list[ClausePrefix], n_clauses: int) -> Question:
        """The question worth most, made of unconstrained items and at most one prefix."""
        # One row for each choice of a prefix, the first for none; one column for each way.
        table = np.concatenate([_NOTHING, *[prefix.table for prefix in prefixes]], axis=1)
        size, log_right, solved, most_suspect = table[:, :, None]
        n_fresh = fresh.n_hardest + fresh.n_surest
        total = size + n_fresh
        going = prices(fresh.bits, fresh.right, self._most, n_clauses)
        worth = going.worth(
            log_right + fresh.log_right,
            total,
            np.maximum(most_suspect, fresh.most_suspect * (fresh.n_hardest > 0)),
            solved,
            (n_fresh > 0) & (total > 1),
        )
        worth[(total > self._most) | (total == 0)] = -np.inf
        if fresh.with_fillers:
            worth[0, fresh.n_hardest == 0] = -np.inf
        if prefixes and n_clauses >= _CROWD:
            waits = fresh.n_hardest if going.scarce_room else n_fresh
            worth[0] = worth[:, waits > 0] = -np.inf
        if any(prefix.alone for prefix in prefixes):
            alone = np.array([False, *[each.alone for each in prefixes for _ in each.table[0]]])
            worth[alone[:, None] & (n_fresh > 0)] = -np.inf
        choice, way = divmod(int(worth.argmax()), worth.shape[1])
        items, guess = _prefix_items(prefixes, choice)
        added = fresh.hardest[: fresh.n_hardest[way]] + fresh.surest[: fresh.n_surest[way]]
        labels = [fresh.guess[item] for item in added]
        return Question((*items, *added), (*guess, *labels))


@dataclass(frozen=True, slots=True)
class FreshChoices:
    """The unconstrained items that a question may hold, and what their whole list amounts to.

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
    most_suspect
        The chance of the first of `hardest` to be wrong.
    bits, right
        Entropy and expected number of right guesses of the whole list.
    with_fillers
        Whether items without priority are among the surest; by themselves these are not asked.
    """

    surest: list[int]
    hardest: list[int]
    guess: dict[int, bool]
    n_hardest: NDArray[np.intp]
    n_surest: NDArray[np.intp]
    log_right: NDArray[np.float64]
    most_suspect: float
    bits: float
    right: float
    with_fillers: bool = False


_NONE: Final = np.zeros(1, dtype=np.intp)
_NOTHING: Final = np.zeros((4, 1))
_FEW: Final = 17
"""Up to here every number of surest items is tried, so that the ways are known beforehand."""
_NO_CHOICES: Final = FreshChoices([], [], {}, _NONE, _NONE, np.zeros(1), 0.0, 1.0, 0.0)


@lru_cache(maxsize=1024)
def _ways(n_sure: int, n_hard: int, room: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """`_fitting` where each number of surest items, from none to all, may be taken."""
    return _fitting(np.arange(n_sure), n_hard, room)


def _fitting(
    sure: NDArray[np.intp], n_hard: int, room: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All ways to take some of the surest and some of the hardest items that fit."""
    n_surest, n_hardest = np.repeat(sure, n_hard), np.tile(np.arange(n_hard), len(sure))
    fits = n_surest + n_hardest <= room
    return n_surest[fits], n_hardest[fits]


def _prefix_items(
    prefixes: list[ClausePrefix], choice: int
) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """The items and guesses of one choice among all prefixes; choice 0 is nothing."""
    at = choice - 1
    for prefix in prefixes if choice else []:
        if at < len(prefix.table[0]):
            count = int(prefix.table[0, at])
            return prefix.items[:count], prefix.guess[:count]
        at -= len(prefix.table[0])
    return (), ()


def _totals(wrong: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Entropy and expected number of right guesses of the first 0, 1, 2, ... items."""
    bits = np.concatenate([[0.0], np.cumsum(binary_entropy_bits(wrong))])
    right = np.concatenate([[0.0], np.cumsum(1.0 - wrong)])
    return bits, right
