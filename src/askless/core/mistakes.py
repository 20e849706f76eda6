"""The chance that a label somebody gave is wrong, and how many wrong ones are left.

    odds = q / (1 - q) * r / (1 - r)

q is the probability that the item has the other label, by a model that has not seen this label or
those of the same question. r is how often somebody who is asked so says what is wrong: alone, the
rate of mistakes that a person would repeat; in a group of g items that was all right, also the
chance that the odd one out was overlooked (`askless.core.misses`); of a deduced label, the chance
that one of the answers it rests on is wrong.

Review shows how far these chances hold (`ReviewFit`). Those of one way of asking are off by

    logit c' = t + s logit c

t normal with mean 0 and deviation 0.8, log s normal with mean 0 and deviation 0.4 before anything
was looked at; what was found says more. Also known as Platt scaling, with a prior. Both are on a
grid, and so are the chances, so that all of it costs one pass over n. `experiments/mistakes` shows
how often the interval of what is left holds.

Imported by `askless.app.mistakes`. Tested in tests/core/test_mistakes.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_T, _LOG_S = np.meshgrid(np.linspace(-4.0, 4.0, 41), np.linspace(-1.2, 1.2, 25))
_SHIFTS: Final = _T.ravel()
_SLOPES: Final = np.exp(_LOG_S.ravel())
_LOG_PRIOR: Final = -0.5 * (np.square(_T / 0.8) + np.square(_LOG_S / 0.4)).ravel()
_PLACES: Final = np.linspace(-21.0, 21.0, 421)
_Z_95: Final = 1.96


def chance_wrong(against: Floats, rates: Floats) -> Floats:
    """The chance that each label is wrong: see the module's formula.

    Parameters
    ----------
    against
        P(the item has the other label), without the labels of the same question: q.
    rates
        How often the way of asking gives a wrong label: r.
    """
    return _logistic(_logits(against) + _logits(rates))


@dataclass(frozen=True, slots=True, eq=False)
class ReviewFit:
    """How far the chances that labels are wrong hold, as a distribution over t and s.

    Parameters
    ----------
    weights
        Of each pair on the grid; they add up to one.
    """

    weights: Floats

    @classmethod
    def learn(cls, chances: Floats, wrong: NDArray[np.bool_]) -> ReviewFit:
        """From labels that were looked at: the chance that each was wrong, and whether it was."""
        curves = _curves()
        log = _LOG_PRIOR + np.log(curves) @ _histogram(chances[wrong])
        log += np.log1p(-curves) @ _histogram(chances[~wrong])
        weights = np.exp(log - log.max())
        return cls(weights / weights.sum())

    def apply(self, chances: Floats) -> Floats:
        """The chances as review has them."""
        return np.asarray(np.interp(_logits(chances), _PLACES, self.weights @ _curves()))

    def total(self, chances: Floats) -> tuple[float, float]:
        """Mean and variance of the number of wrong labels among these."""
        curves, counts = _curves(), _histogram(chances)
        means = curves @ counts
        mean = float(self.weights @ means)
        by_chance = float(self.weights @ ((curves * (1 - curves)) @ counts))
        return mean, by_chance + float(self.weights @ np.square(means - mean))


@cache
def _curves() -> Floats:
    """By pair and place: the chance that becomes of it."""
    return _logistic(_SHIFTS[:, None] + _SLOPES[:, None] * _PLACES)


def _histogram(chances: Floats) -> Floats:
    """How many chances are nearest to each place."""
    nearest = np.rint((_logits(chances) - _PLACES[0]) / (_PLACES[1] - _PLACES[0]))
    return np.bincount(nearest.astype(np.intp), minlength=len(_PLACES)).astype(np.float64)


def interval_of(mean: float, variance: float) -> tuple[float, float]:
    """The 95 % interval of a count with this mean and variance, on the scale of square roots."""
    if mean <= 0.0:
        return 0.0, 0.0
    root, half = math.sqrt(mean), _Z_95 * math.sqrt(variance / (4.0 * mean))
    return max(0.0, root - half) ** 2, (root + half) ** 2


def _logits(p: Floats) -> Floats:
    inside = np.clip(np.asarray(p, np.float64), 1e-9, 1 - 1e-9)
    return np.asarray(np.log(inside) - np.log1p(-inside))


def _logistic(logits: Floats) -> Floats:
    return np.asarray(np.clip(1.0 / (1.0 + np.exp(-logits)), 1e-12, 1 - 1e-12))
