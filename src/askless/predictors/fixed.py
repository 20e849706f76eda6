"""Given probabilities: nothing is learnt.

For a pool that comes with the predictions of a model trained elsewhere, which must stay as they
are. Also the shortest example of a predictor. Cost: one copy of n numbers.
Not for a pool with features: `kernel` takes such probabilities as its prior, and learns.
Tested in tests/predictors/test_fixed.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.clause import Clause
from askless.core.probability import Probs
from askless.errors import InvalidInput


class Fixed:
    """The same probabilities whatever the answers.

    Parameters
    ----------
    probs
        P(label is True) for every item, or one number for all of them.
    """

    def __init__(self, *, probs: ArrayLike = 0.5) -> None:
        self._set(probs)

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Nothing: these probabilities do not learn."""

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """The given probabilities."""
        if self._single:
            return np.full(len(x), self._probs[0])
        if len(self._probs) != len(x):
            raise InvalidInput(
                "Fixed probs need one number per item, or one for all; "
                f"got {len(self._probs)} for {len(x)} items."
            )
        return self._probs.copy()

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The probabilities."""
        return {"probs": self._probs[0] if self._single else self._probs}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the predictor with these arrays."""
        if set(arrays) != {"probs"}:
            raise InvalidInput(f"Fixed probs restore from 'probs'; got {sorted(arrays)}.")
        self._set(arrays["probs"])

    def _set(self, probs: ArrayLike) -> None:
        self._probs = Probs(np.atleast_1d(np.asarray(probs, dtype=np.float64))).values
        self._single = np.ndim(probs) == 0
