"""What is believed about every item alike, while there is no model: the share of True labels.

If one item in thirty is positive, groups of the others can be asked about long before anything has
been learnt, and also if nothing ever is. With k of m settled labels True the share is
(k + 1) / (m + 2), reckoned anew when there are a quarter more of them, O(n) each time.
`askless.predictors.corrected` knows when there is a model.
"""

from __future__ import annotations

import numpy as np

from askless.core.probability import Probs
from askless.core.state import State

_GROWTH = 1.25
_FEWEST = 10


class BaseRate:
    """In place of probs that say the same of all items; the same object until there is news."""

    def __init__(self) -> None:
        self._made: Probs | None = None
        self._due = _FEWEST

    def __call__(self, probs: Probs, state: State) -> Probs:
        """The probabilities to plan with.

        Parameters
        ----------
        probs
            What is said of all items alike; taken while few labels are known.
        state
            What the answers imply.
        """
        if state.n_settled >= self._due:
            true = int(np.count_nonzero(state.labels() == 1))
            self._made = Probs(np.full(len(probs), (true + 1) / (state.n_settled + 2)))
            self._due = int(state.n_settled * _GROWTH) + 1
        return probs if self._made is None else self._made
