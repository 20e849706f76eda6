"""Calibration: probabilities corrected by what the answers have shown.

A calibrator is an `askless.seams.Calibrator`, a callable (probs, state) -> probs. Which one suits
depends on where the probabilities come from:

| probabilities | calibrator |
|---|---|
| one half for every item: nothing is known | `base_rate.BaseRate`, the share of True labels |
| given with the pool, the same from the first question to the last | `online.OnlineRecalibration` |
| of a predictor that learns from the answers | none: it has seen the labels that would correct it |

Your own calibrator is passed to `Session(calibrator=...)` or `simulate_planner(calibrator=...)`; it
needs no registration. Stands beside `askless.planners` and `askless.predictors`, which it does not
know; tested in tests/calibration/test_choosing.py.
"""

from __future__ import annotations

import numpy as np

from askless.calibration.base_rate import BaseRate
from askless.calibration.online import OnlineRecalibration
from askless.core.probability import Probs
from askless.core.state import State


def choose_calibrator(given: Probs, *, recalibrate: bool = True) -> GivenOnly | None:
    """The calibrator of a session; None if its probabilities are taken as they are.

    Parameters
    ----------
    given
        What the session is opened with.
    recalibrate
        Whether to correct these by what the answers show, if they say anything.
    """
    if len(given) and np.all(given.values == 0.5):
        return GivenOnly(given, BaseRate())
    return GivenOnly(given, OnlineRecalibration()) if recalibrate else None


class GivenOnly:
    """Calibrates the probabilities a session was opened with; learnt ones pass through.

    A session begins with what the pool brings and goes on with the checkpoints of a trainer. The
    two are told apart by their values.

    Parameters
    ----------
    given
        What the session was opened with.
    calibrator
        For these.
    """

    def __init__(self, given: Probs, calibrator: BaseRate | OnlineRecalibration) -> None:
        self._given, self._calibrator = given, calibrator
        self._probs: Probs | None = None
        self._is_given = False

    def __call__(self, probs: Probs, state: State) -> Probs:
        """The probabilities to plan with."""
        if probs is not self._probs:
            self._probs = probs
            self._is_given = np.array_equal(probs.values, self._given.values)
        return self._calibrator(probs, state) if self._is_given else probs

    def note(self, state: State) -> None:
        """See a state of the past go by, so that fits come when they came; none is made yet."""
        self._calibrator.note(self._given, state)
