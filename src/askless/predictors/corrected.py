"""The probabilities a session plans with, out of those it is given.

What may be done to them depends on where they come from:

| probabilities | are corrected by |
|---|---|
| one half for every item: nobody knows anything | the share of True labels (`BaseRate`) |
| brought with the pool, the same from the first question to the last | `Recalibrated` |
| of a predictor that learns from the answers | nothing, but what to ask first (`Wishes`) |

A session may see all of them, one after the other: it begins with what the pool brings, and goes on
with the checkpoints of a trainer. `Corrected` tells them apart by their values. Its `words`
are plain, so that they can be kept with the session and the same be made again later.

Cost: that of the parts, and O(n) for each new version of the probabilities.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from askless.core.probability import Probs
from askless.core.state import State
from askless.predictors.base_rate import BaseRate
from askless.predictors.order import DEFAULT_ORDER
from askless.predictors.recalibrated import Recalibrated
from askless.predictors.wishes import Wishes


class Corrected:
    """For `Session(correction=...)`: hands back the same object while nothing changes.

    Parameters
    ----------
    given
        What the session was opened with.
    recalibrate
        Whether to correct these by what the answers show.
    sample
        For `Recalibrated`.
    order
        For `Wishes`.
    seed
        Fixes what is drawn at random.
    """

    def __init__(
        self,
        given: Probs,
        *,
        recalibrate: bool = True,
        sample: float = 1.0,
        order: str = DEFAULT_ORDER["seconds"],
        seed: int = 0,
    ) -> None:
        self.words: dict[str, Any] = {
            "recalibrate": recalibrate,
            "sample": sample,
            "order": order,
            "seed": seed,
        }
        """The keyword arguments, in plain JSON values."""
        self._given = given
        self._raw: Probs | None = None
        self._is_given = False
        alike = len(given) > 0 and bool(np.all(given.values == 0.5))
        self._first: BaseRate | Recalibrated | None = None
        if alike:
            self._first = BaseRate()
        elif recalibrate:
            self._first = Recalibrated(sample=sample, seed=seed)
        self._learnt = Wishes(len(given), order=order, seed=seed)

    def __call__(self, probs: Probs, state: State) -> Probs:
        """The probabilities to plan with.

        Parameters
        ----------
        probs
            What the session was opened with, or what a predictor has learnt since.
        state
            What the answers imply.
        """
        if probs is not self._raw:
            self._raw = probs
            self._is_given = np.array_equal(probs.values, self._given.values)
        if not self._is_given:
            return self._learnt(probs, state)
        return probs if self._first is None else self._first(probs, state)
