"""Ask about single items: what labelling costs without any cleverness.

Each question settles exactly one item, so n items cost n questions whatever
the probs say. The order is ``random``, or ``uncertainty``: the items nearest to
p = 1/2 first, which is what most active learning does (Sec. 2.1 of the paper). The guess is
the likelier label, True at exactly 1/2, or the one an open clause has fixed.

One sort per version of the probs (none for ``random``), then microseconds a question.
Use it as the yardstick; any planner that asks about groups does better unless every item
is close to a coin toss. Tested in tests/planners/test_one_by_one.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final, Literal, get_args

import numpy as np

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners import _options
from askless.planners._line import Lines, same_version

Order = Literal["random", "uncertainty"]


class OneByOne:
    """One item a question.

    Parameters
    ----------
    order
        ``random``, or ``uncertainty`` for the least certain item first.
    max_n
        The largest question allowed; accepted because every planner has it, and never reached.
    seed
        Fixes the random order.
    """

    own_order: Final = True
    """It heeds no wishes (`Probs.first`): the order of its questions is its own."""

    def __init__(
        self, *, order: Order = "uncertainty", max_n: int | None = None, seed: int = 0
    ) -> None:
        self.order = _options.choice("order", order, get_args(Order))
        self.max_n = _options.size("max_n", max_n)
        self.seed = _options.whole("seed", seed, 0)
        self._lines = Lines()
        self._probs: Probs | None = None

    def plan(
        self, probs: Probs, state: State, leased: AbstractSet[int] = frozenset()
    ) -> Question | None:
        """The next free open item of the order, with its likelier label."""
        if not same_version(self._probs, probs):
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
        before, self._probs = self._probs, probs
        if self.order == "random":
            if before is not None and len(before) == len(probs):
                return  # the order does not depend on the probs
            order = np.random.default_rng(self.seed).permutation(len(probs))
        else:
            order = np.argsort(np.abs(probs.values - 0.5), kind="stable")
        self._lines.renew([order.astype(np.intp, copy=False)])
