"""The base rate: the share of True labels, believed of every item alike.

For probabilities that say nothing. If one item in thirty is positive, groups of guesses "negative"
can be asked about long before a predictor has learnt anything, and also if none ever does. With k
of m settled labels True the share is (k + 1) / (m + 2), Laplace's rule of succession, computed
again when there are a quarter more labels; O(n) each time. `askless.calibration` decides when it is
used. Tested in tests/calibration/test_base_rate.py.
"""

from __future__ import annotations

import numpy as np

from askless.core.probability import Probs
from askless.core.state import State

_GROWTH = 1.25
_FEWEST = 10


class BaseRate:
    """A calibrator that ignores the probabilities once ten labels are settled."""

    def __init__(self) -> None:
        self._rate: Probs | None = None
        self._due = _FEWEST

    def __call__(self, probs: Probs, state: State) -> Probs:
        """The base rate for every item; `probs` themselves while few labels are known."""
        self.note(probs, state)
        return probs if self._rate is None else self._rate

    def note(self, probs: Probs, state: State) -> None:
        """See a state go by, and count its labels if that is due."""
        if state.n_settled >= self._due:
            true, settled = state.n_with[True], state.n_settled
            self._rate = Probs(np.full(len(probs), (true + 1) / (settled + 2)))
            self._due = int(settled * _GROWTH) + 1
