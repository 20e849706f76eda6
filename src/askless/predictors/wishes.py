"""An order of asking, for a session: probabilities with the wish which items come first.

A session corrects its probabilities before every question by something it is given
(`Session(correction=...)`). For a predictor that learns nothing needs correcting, but what is
asked while it learns matters: `askless.predictors.order` says what. O(n) a question.
"""

from __future__ import annotations

import numpy as np

from askless.core.probability import Probs
from askless.core.state import State
from askless.predictors.order import DEFAULT_ORDER, Order


class Wishes:
    """Adds to probabilities the wish of an order; hands back the same object while none changes.

    Parameters
    ----------
    n
        How many items the pool has.
    order
        One of `askless.predictors.order.order_names`; None for the best for `objective`.
    objective
        ``questions``, ``labels`` or ``seconds``: what the planner saves.
    seed
        Fixes what is drawn at random.
    """

    def __init__(
        self, n: int, *, order: str | None = None, objective: str = "questions", seed: int = 0
    ) -> None:
        self._order = Order(order or DEFAULT_ORDER[objective], n, seed=seed)
        self._raw: Probs | None = None
        self._made: Probs | None = None

    def __call__(self, probs: Probs, state: State) -> Probs:
        """The probabilities to plan with.

        Parameters
        ----------
        probs
            What the predictor says.
        state
            What the answers imply.
        """
        first = self._order.first(probs.values, state.labels())
        if self._made is not None and self._raw is probs:
            before = self._made.first
            if first is before or (
                first is not None and before is not None and np.array_equal(first, before)
            ):
                return self._made
        made = probs if first is None else Probs(probs.values, first=first)
        self._raw, self._made = probs, made
        return made
