"""Uncertainty sampling, or random order: one item a question, the baseline.

Each question settles exactly one item, so n items cost n questions whatever
the probs say. The order is ``random``, or ``uncertainty``: the items nearest to
p = 1/2 first, which is what most active learning does (Sec. 2.1 of the paper). The guess is
the likelier label, True at exactly 1/2, or the one an open clause has fixed.

One sort per version of the probs, then microseconds a question.
Use it as the baseline; any planner that asks about groups does better unless every item
is close to a coin toss. Tested in tests/planners/test_one_by_one.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners._line import Inputs, Lines
from askless.planners.options import PlannerOptions, check_plan, choice
from askless.seams import Priority

Order = Literal["random", "uncertainty"]


@dataclass(kw_only=True, eq=False)
class OneByOne(PlannerOptions):
    """One item a question; further options in `PlannerOptions`, where `max_n` means nothing here.

    Parameters
    ----------
    order
        ``random``, or ``uncertainty`` for the least certain item first.
    """

    name = "one-by-one"
    follows_priority = False

    max_n: int | None = None
    order: Order = "uncertainty"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.order = choice("order", self.order, get_args(Order))
        self._inputs = Inputs()
        self._lines = Lines()

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """The next free open item of the order, with its likelier label."""
        check_plan(probs, state)
        if self._inputs.change_to(probs, None):
            self._sort(probs)
        (line,) = self._lines.of(state)
        for item in line.front(state, leased):
            guess = state.fixed_guess(item)
            if guess is None:
                guess = probs.values.item(item) >= 0.5
            return Question((item,), (guess,))
        return None

    def worst_case_questions(self, n: int) -> int:
        """`n`: every question settles its item."""
        return n

    def _sort(self, probs: Probs) -> None:
        if self.order == "random":
            order = np.random.default_rng(self.seed).permutation(len(probs))
        else:
            order = np.argsort(np.abs(probs.values - 0.5), kind="stable")
        self._lines.renew([order.astype(np.intp, copy=False)])
