"""Verification in batches: show a grid of likely labels, and the person marks the wrong ones.

For annotators who can point. A grid of n guesses is settled by one answer, whatever is wrong
in it, and every item is looked at once, so an item with error e = min(p, 1 - p) costs

    a / n + b + c e   seconds in a grid (a per question, b per item, c per mark),
    a + b             seconds alone, where a plain no needs no mark.

Items go surest first, all with one guess to a grid unless `same_guess` is off.

- ``questions`` and ``labels``: as many items as `max_n` allows.
- ``seconds``: a grid is full when asking is 5 % of looking and marking,
  sum (b + c e) >= 20 a: a larger one could not save more than that. An item is asked
  alone if that is cheaper, c e > a (1 - 1/n), and items leave a grid as long as it costs
  more than they would singly, c sum e > a (n - 1). So, by the probs, the total never
  exceeds one-by-one's, whatever a, b and c.

Where wrong guesses are overlooked in groups, in a group of n with chance m(n), and a wrong label
costs w seconds, each wrong guess costs s(n) = w m(n) more in a grid and nothing alone. So c + s(n)
stands for c in the last two rules, and a grid ends where an item's share of what larger and smaller
grids do not have in common is least, (a + (s(n) - s(2)) sum e) / n: sure items stay together,
doubtful ones come in smaller grids.

A plain no, from somebody who does not care to point, is an open clause; those are left to
`askless.planners.nested` until they are gone.

One sort per version of the probs, then a question costs O(n). Not for people who can only say
yes or no: a large grid is then nearly always a no. Not in the paper, where nobody
points. Tested in tests/planners/test_grid.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners._line import Inputs, Line, Lines
from askless.planners.nested import Nested
from askless.planners.options import CostOptions, check_plan, refuted_down_to_one
from askless.seams import Priority

ENOUGH: Final = 20.0
"""A grid is full when its items take this many times as long as the asking."""
_LARGEST: Final = 10_000
"""No larger one is thought of when its slips are weighed."""


@dataclass(kw_only=True, eq=False)
class Grid(CostOptions):
    """As many guesses at once as is worth while. Its options are those of `CostOptions`."""

    name = "grid"
    answers_for = "pointed"

    max_n: int | None = 24

    def __post_init__(self) -> None:
        super().__post_init__()
        self._about_clauses = Nested(max_n=self.max_n, same_guess=self.same_guess, seed=self.seed)
        self._inputs = Inputs()
        self._lines = Lines()

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """The surest free items, or a question about what a plain no has left open."""
        check_plan(probs, state)
        if any(not leased >= set(clause.items) for clause in state.clauses):
            return self._about_clauses.plan(probs, state, leased, priority)
        if self._inputs.change_to(probs, priority):
            self._sort(probs, priority)
        lines = self._lines.of(state)
        fronts = {at: next(line.front(state, leased), None) for at, line in enumerate(lines)}
        first = {at: item for at, item in fronts.items() if item is not None}
        if not first:
            return None
        at = min(first, key=lambda at: self._rank(first[at]))
        alone = at == len(lines) - 1
        items = [first[at]] if alone else self._filled(lines[at], state, leased)
        return Question(tuple(items), tuple([self._values[item] >= 0.5 for item in items]))

    def worst_case_questions(self, n: int) -> int:
        """The sum of min(max_n, k) over k = 1 .. n, if nobody ever points.

        At worst a grid of m items is refuted, and so is every guess about fewer of them: m
        questions, and one item settled.
        """
        return refuted_down_to_one(n, self.max_n)

    def _sort(self, probs: Probs, priority: Priority | None) -> None:
        """Sort the items: one line for each guess, and one for items better asked alone."""
        values = probs.values
        wrong = np.minimum(values, 1.0 - values)
        self._values, self._wrong, self._priority = values.data, wrong.data, priority
        order = np.argsort(wrong, kind="stable")
        if priority is not None:
            order = order[np.argsort(~priority[order], kind="stable")]
        alone = self._better_alone(wrong)[order]
        guess = values[order] >= 0.5
        rows = guess if probs.kinds is None else 2 * probs.kinds[order] + guess
        groups = (
            [rows == row for row in np.unique(rows)] if self.same_guess else [np.ones_like(guess)]
        )
        self._lines.renew([*[order[group & ~alone] for group in groups], order[alone]])

    def _better_alone(self, wrong: NDArray[np.float64]) -> NDArray[np.bool_]:
        if self.objective != "seconds":
            return np.zeros(len(wrong), dtype=bool)
        a, b, c = self._pace
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.ceil(ENOUGH * a / (b + c * wrong))
        size = np.clip(np.nan_to_num(size, nan=1.0), 1.0, self.max_n or np.inf)
        if self._slips is None:
            return np.asarray(c * wrong > a * (1.0 - 1.0 / size))
        sizes = np.arange(2, int(min(size.max(initial=2.0), _LARGEST)) + 1)
        bearable = a * (1.0 - 1.0 / sizes) / (c + self._slips.seconds(sizes))
        return np.asarray(wrong > bearable.max(initial=0.0))

    def _rank(self, item: int) -> tuple[bool, float]:
        """Priority items come before the others, surer ones before less sure ones."""
        first = self._priority is not None and bool(self._priority[item])
        return not first, self._wrong[item]

    def _filled(self, line: Line, state: State, leased: AbstractSet[int]) -> list[int]:
        """The items of the next grid, surest first."""
        a, b, c = self._pace
        wrong = self._wrong
        thrifty = self.objective == "seconds"
        items: list[int] = []
        marks = 0.0
        for item in line.front(state, leased):
            items.append(item)
            marks += wrong[item]
            if len(items) == self.max_n:
                break
            if thrifty and len(items) * b + c * marks >= ENOUGH * a:
                break
        items.sort(key=wrong.__getitem__)
        if self._slips is not None and len(items) > 2:
            items = items[: self._bearable([wrong[item] for item in items])]
            marks = sum(wrong[item] for item in items)
        while thrifty and len(items) > 1:
            slip_s = 0.0 if self._slips is None else float(self._slips.seconds(len(items)))
            if (c + slip_s) * marks <= a * (len(items) - 1):
                break
            marks -= wrong[items.pop()]
        return items

    def _bearable(self, wrong: list[float]) -> int:
        """How many of these items to show, two at least: what size costs each is then least."""
        assert self._slips is not None
        sizes = np.arange(2, len(wrong) + 1)
        slip_s = self._slips.seconds(sizes)
        cost = self._pace.question_s + (slip_s - slip_s[0]) * np.cumsum(wrong)[1:]
        return int(sizes[np.argmin(cost / sizes)])
