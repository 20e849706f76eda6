"""Nested group testing: ask a run of items, surest first; after a "no", halve it.

Also known as generalised binary splitting. Questions about groups of guesses are group tests with
unequal priors, and for items asked in a fixed order the best nested procedure is known (Sobel and
Groll 1959 for equal priors). How many items to ask is the dynamic programme of
`askless.planners._groups`. A refuted run is split where the answer tells most for what it
costs: its first k items, given that not all are right, are right with chance

    u(k) = (P(k) - P(all)) / (1 - P(all)),      k maximises h(u(k)) / c(k)

which costs at most 0.31 % more than the best tree of splits where all chances are equal
(experiments/theory). When a run is down to one item, that
is wrong, and those behind it are free again, as likely as before.

With no cap this takes 1.00 to 1.04 times the entropy, whatever the probs. The paper (Sec. 4.1)
shortens a refuted guess by one item at a time instead, a linear search.

With `same_guess`, to save questions, a label that is less than a third as frequent as the other has
its turn first. The total is the same as long as the probs are; a predictor that learns is taught
more by the rare label (experiments/scratch), and it is what people look for. Otherwise the surest
items of either label come first, and with them the first labels. With objective ``labels`` a
refuted guess waits as long as the next group promises more labels per question
(`askless.planners._labels_per_question`). Costs are questions, or seconds, c(k) = a + b k; a group
then ends where a larger one could not save another 0.4 % of an item's a + b seconds, since one
refusal of a huge group is a long search. Where this person overlooks wrong guesses, what that costs
by the size of a group is added to both (`askless.core.misses`).

Any state will do: the shortest open clause is halved first, or the one that promises most,
whoever made it. With a priority, clauses that hold priority items and groups of priority items come
first; where the last of these leave slots empty, a few sure items fill them.

One sort per version of the probs, a plan for the next two thousand items every few hundred
questions, microseconds in between. Not for saving questions under a cap that binds: eight sure
items are a question hardly worth asking, and `fill` adds doubtful ones. Tested in
tests/planners/test_nested.py.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from askless.core.clause import Clause
from askless.core.entropy import binary_entropy_bits
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.errors import InvalidInput
from askless.planners._groups import group_ends
from askless.planners._labels_per_question import group_labels, refuted_labels
from askless.planners._refuted import held_guesses, tied, within_reach
from askless.planners._unconstrained import SortedItems, UnconstrainedItems
from askless.planners.options import CostOptions, check_plan, refuted_down_to_one
from askless.seams import Priority

_WINDOW: Final = 2048
"""How many items the plan looks ahead, or how many bundles where groups are large,"""
_DOUBT: Final = 64.0
"""or until this many wrong guesses are expected among them."""
_RARE: Final = 3
"""A label that is this many times rarer than the other is asked about first."""
_MARGIN: Final = 4
"""As many of the largest groups from the end, or expected errors, a plan is no longer trusted."""
_LARGEST: Final = 1 << 11
"""The largest question when there is no cap."""
_MOST_FILLERS: Final = 7
"""The most sure items that fill up a question about priority items, when probs are least known;"""
_FILLERS_RIGHT: Final = 0.95
"""and the least chance that all of them are right."""
_MOST_CLAUSES: Final = 16
"""The most refuted guesses that wait while the first labels are wanted soon."""
_WORTH_WHILE: Final = 1 / 250
"""To save seconds: the least share of a + b that larger groups have to promise."""


@dataclass(kw_only=True, eq=False)
class Nested(CostOptions):
    """The best nested procedure, easy items first. Its options are those of `CostOptions`.

    With the objective ``labels`` a refuted guess waits while other groups promise more.
    """

    name = "nested"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self._pace.question_s == 0.0:
            raise InvalidInput(
                "nested needs more than 0 seconds per question; got 0. Where asking takes "
                "no time, one item a question is best: use one-by-one, or auto."
            )
        timed = self.objective == "seconds"
        self._per_question, self._per_item = self._pace[:2] if timed else (1.0, 0.0)
        self._most = min(_LARGEST, self.max_n or _LARGEST)
        if timed:
            question, item, _ = self._pace
            large = math.ceil(question / (question + item) / _WORTH_WHILE)
            self._most = min(self._most, max(1, large))
        self._slip_cost = (
            None if self._slips is None else self._slips.seconds(np.arange(self._most + 1))
        )
        self._free = UnconstrainedItems(same_guess=self.same_guess)
        self._windows: dict[int, _Window] = {}
        self._promises: dict[Clause, float] = {}

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """Half of a refuted guess, else the next group; None if nothing is free."""
        check_plan(probs, state)
        if self._free.renew(probs, priority):
            self._windows.clear()
            self._promises.clear()
        self._free.follow(state)  # even when not needed yet, for the states to come
        clauses = within_reach(state, leased)
        if not clauses:
            return self._next_group(state, leased)
        urgent = _with_priority(clauses, priority)
        if self.objective == "labels" and not urgent:
            return self._soonest(clauses, state, leased)
        shortest = min(urgent or clauses, key=lambda c: (len(c), c.answer))
        return self._halve(shortest, state, leased)

    def worst_case_questions(self, n: int) -> int:
        """The sum of min(max_n, k) over k = 1 .. n.

        At worst every group of m items is refuted and shortened by one item at a
        time: m questions, and one item settled.
        """
        return refuted_down_to_one(n, self._most)

    def _halve(self, clause: Clause, state: State, leased: AbstractSet[int]) -> Question:
        """The first items of a refuted guess, as many as tell most."""
        held, agree = held_guesses(tied(clause, state))
        wrong = {i: self._free.wrong_if(i, held[i]) for i in clause.items}
        ranked = sorted(wrong, key=lambda i: (wrong[i], i))
        free = [i for i in ranked if i not in leased]
        if self.same_guess:
            row = self._free.row_of(free[0], held[free[0]])
            free = [i for i in free if self._free.row_of(i, held[i]) == row]
        # Where guesses disagree any group may be refuted already, but never an open item.
        most = self._split([wrong[i] for i in ranked]) if agree else 1
        items = tuple(free[:most])
        return Question(items, tuple([held[i] for i in items]))

    def _split(self, wrong: Sequence[float]) -> int:
        """How many items of a refuted run to ask: h(u(k)) / c(k) at its greatest."""
        logs = np.cumsum(np.log1p(-np.array(wrong)))
        all_right = np.exp(logs[-1])
        right = (np.exp(logs[:-1]) - all_right) / (1.0 - all_right)
        right = right[: self._most]
        cost = self._per_question + self._per_item * np.arange(1, len(right) + 1)
        if self._slip_cost is not None:
            cost += 2.0 * self._slip_cost[1 : len(right) + 1] * (1.0 - right)
        return 1 + int(np.argmax(binary_entropy_bits(np.clip(right, 0.0, 1.0)) / cost))

    def _soonest(
        self, clauses: tuple[Clause, ...], state: State, leased: AbstractSet[int]
    ) -> Question:
        """Of the next group and all refuted guesses what promises most labels a question."""
        best = max(clauses, key=lambda clause: (self._promise(clause), -clause.answer))
        if len(clauses) < _MOST_CLAUSES:
            group = self._next_group(state, leased)
            wrong = self._free.wrong
            if group and group_labels([wrong[i] for i in group.items]) > self._promise(best):
                return group
        return self._halve(best, state, leased)

    def _promise(self, clause: Clause) -> float:
        """Labels a question, remembered: few clauses come and go with an answer."""
        if clause not in self._promises:
            wrong = sorted([self._free.wrong_if(item, guess == 1) for item, guess in clause.pairs])
            self._promises[clause] = refuted_labels(wrong, self._split(wrong))
        return self._promises[clause]

    def _next_group(self, state: State, leased: AbstractSet[int]) -> Question | None:
        """The next group of the plan, after a new plan if its items are not the expected ones."""
        lists = self._free.lists(state, leased)
        if not lists:
            return None
        items = self._first(lists)
        window = self._windows.get(items.index)
        group = window.next_of(items, self._free.wrong) if window else []
        if not group:
            self._windows[items.index] = window = self._look_ahead(items.surest())
            group = window.next_of(items, self._free.wrong)
        ahead = islice(items.surest(), len(group), None)
        if len(group) < self._most and next(ahead, None) is None:
            group = group + self._fillers(items, group)
        guess = self._free.guess
        return Question(tuple(group), tuple([bool(guess[i]) for i in group]))

    def _first(self, lists: list[SortedItems]) -> SortedItems:
        """The list to ask about: the clearly rarer label's, otherwise the one surer of its best.

        With more classes than two, one list to its end, then the one with most to tell: an item
        that is found not to be of one class joins the list of another, and that should fill up
        before it is asked.
        """
        if self._free.many_rows and self.objective == "questions":
            return self._free.in_turn(lists)
        if self.objective == "questions" and len(lists) == 2:
            few, many = sorted(lists, key=self._free.likelier)
            if _RARE * self._free.likelier(few) < self._free.likelier(many):
                return few
        return min(lists, key=lambda items: self._free.wrong[next(items.surest())])

    def _fillers(self, items: SortedItems, group: list[int]) -> list[int]:
        """Sure items for the slots that the last of the priority items leave empty."""
        everyone = self._free.beside(items, items.row)
        room = min(self._most - len(group), _MOST_FILLERS)
        fillers, right = list[int](), 1.0
        for item in everyone.surest() if everyone else ():
            if item in group:
                continue
            right *= 1.0 - self._free.wrong[item]
            if len(fillers) == room or right < _FILLERS_RIGHT:
                break
            fillers.append(item)
        return fillers

    def _look_ahead(self, items: Iterator[int]) -> _Window:
        """The plan for the next items."""
        reach = min(_WINDOW * max(1, self._most // 8), 16 * _LARGEST)
        ahead, doubts, doubt = list[int](), list[float](), 0.0
        for item in islice(items, reach):
            ahead.append(item)
            doubts.append(self._free.wrong[item])
            doubt += doubts[-1]
            if doubt > _DOUBT:
                break
        wrong = np.array(doubts)
        ends = group_ends(wrong, self._most, self._per_question, self._per_item, self._slip_cost)
        trusted = len(ahead)
        if len(ahead) == reach or doubt > _DOUBT:  # there may be more items behind these
            trusted = int(np.searchsorted(np.cumsum(wrong), doubt - _MARGIN))
            trusted = max(trusted, len(ahead) - _MARGIN * self._most)
        return _Window(ahead, ends[:trusted].tolist())


def _with_priority(clauses: tuple[Clause, ...], priority: Priority | None) -> tuple[Clause, ...]:
    """The clauses that hold a priority item."""
    if priority is None:
        return ()
    return tuple([clause for clause in clauses if priority[list(clause.items)].any()])


class _Window:
    """What was planned for the next items, as long as they, or others as sure, come in that order.

    Parameters
    ----------
    items
        The items, in asking order.
    ends
        Where the group that starts with each had best end; none for the last few, unless
        nothing comes behind them.
    """

    def __init__(self, items: list[int], ends: list[int]) -> None:
        self._items = items
        self._ends = ends
        self._place = {item: at for at, item in enumerate(items[: len(ends)])}

    def next_of(self, items: SortedItems, wrong: Sequence[float] | memoryview) -> list[int]:
        """The group to ask; empty if none was planned for these items."""
        first = next(items.surest())
        group = self._group(self._place.get(first))
        if group and group == list(islice(items.surest(), len(group))):
            return group
        if len(self._ends) == len(self._items):
            return []  # so near the end it matters how many are left
        # Items come back when a wrong one is found. Where many are equally sure, the plan for
        # their likes will do.
        at = bisect_left(self._items, wrong[first], hi=len(self._ends), key=wrong.__getitem__)
        group = self._group(at)
        likes = list(islice(items.surest(), len(group)))
        return likes if [wrong[i] for i in likes] == [wrong[i] for i in group] else []

    def _group(self, at: int | None) -> list[int]:
        return [] if at is None or at >= len(self._ends) else self._items[at : self._ends[at]]
