"""What is believed about every item alike, while there is no model: the share of True labels.

If one item in thirty is positive, groups of the others can be asked about long before anything has
been learnt, and also if nothing ever is. With k of m settled labels True the share is
(k + 1) / (m + 2). Probabilities that tell items apart are left as they are.
"""

from __future__ import annotations

import numpy as np

from askless.core.probability import Probs
from askless.core.state import State

_GROWTH = 1.25
_FEWEST = 10


class BaseRate:
    """For `askless.session.session.Session`: corrects probs that say the same of all items."""

    def __init__(self) -> None:
        self._raw: Probs | None = None
        self._made: Probs | None = None
        self._due = _FEWEST

    def __call__(self, probs: Probs, state: State) -> Probs:
        """The probabilities to plan with: the same object until there is enough news.

        Parameters
        ----------
        probs
            What the predictor says.
        state
            What the answers imply.
        """
        if probs is not self._raw:
            self._raw = self._made = probs
            alike = len(probs) > 0 and bool(np.all(probs.values == 0.5))
            self._due = _FEWEST if alike else len(probs) + 1
        if self._made is None or state.n_settled < self._due:
            return probs if self._made is None else self._made
        labels = state.labels()
        true = int(np.count_nonzero(labels == 1))
        share = (true + 1) / (state.n_settled + 2)
        self._made = Probs(np.full(len(probs), share))
        self._due = int(state.n_settled * _GROWTH) + 1
        return self._made
