"""A Gaussian belief about weights, and what labels teach it.

An item with columns b has the label True with probability Phi(b . w), w ~ N(m, S).
A label y = +-1 turns the belief into the Gaussian with the mean and covariance of the exact
posterior (assumed density filtering; Opper 1998, Minka 2001): with v = b S b,

    z = y (b . m) / sqrt(1 + v),   Z = lapse / 2 + (1 - lapse) Phi(z),   g = d log Z / d (b . m)
    m <- m + g S b,   S <- S - h S b (S b)^T,   h = g^2 + g (b . m) / (1 + v)

A suspect is a label half known: with the chance c it tells nothing, so Z = c + (1 - c) Phi(z)
(`Belief.lean`).

Many labels are taken in one go: among k items all happens in k x k matrices, and only the
result meets the columns, so that a chunk of k costs O(k D^2 + n D k) in matrix products for
D columns and a pool of n items whose means and variances are kept current.
Tested in tests/predictors/test_kernel.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Columns = NDArray[np.floating[Any]]

LAPSE: Final = 0.002
_ROWS: Final = 20_000
_LEAST_VARIANCE: Final = 1e-9


@dataclass(slots=True, eq=False)
class Belief:
    """What is believed about the weights, and so about the items of a pool.

    Parameters
    ----------
    mean, spread
        Mean (D,) and covariance (D, D) of the weights.
    middle, variance
        Mean and variance of each item's score, shape (n,).
    """

    mean: Floats
    spread: Floats
    middle: Floats
    variance: Floats

    def learn(
        self,
        columns: Columns,
        items: NDArray[np.intp],
        signs: Floats,
        *,
        renew: bool = True,
    ) -> Floats:
        """Take the labels `signs` (+1, -1) of `items` one after the other.

        Returns the margin z of every label as it stood before that label was learnt. With
        `renew` False the scores of the pool are left as they were, for `renew_all`.
        """
        floors = np.full(len(items), LAPSE / 2)
        onto, shift, shrink, margins = self._moved(columns, items, signs, floors, 1 - LAPSE)
        self.mean = self.mean + shift @ onto
        self.spread = self.spread - onto.T @ (shrink @ onto)
        if renew:
            self.middle, self.variance = self._scores(columns, onto, shift, shrink)
        return margins

    def lean(
        self,
        columns: Columns,
        items: NDArray[np.intp],
        signs: Floats,
        floors: Floats,
    ) -> tuple[Floats, Floats]:
        """Mean and variance of every score if `signs` were the labels but for chance `floors`.

        Nothing is learnt: the belief stays as it is.
        """
        onto, shift, shrink, _ = self._moved(columns, items, signs, floors, 1 - floors)
        return self._scores(columns, onto, shift, shrink)

    def _moved(
        self,
        columns: Columns,
        items: NDArray[np.intp],
        signs: Floats,
        floors: Floats,
        heights: Floats | float,
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """S b of every item, how far mean and spread move along them, and the margins."""
        rows = columns[items].astype(np.float64)
        onto = rows @ self.spread
        among = onto @ rows.T
        middle = rows @ self.mean
        k = len(items)
        high = np.broadcast_to(heights, k)
        shift, shrink, margins = np.zeros(k), np.zeros((k, k)), np.zeros(k)
        for at in range(k):
            direction = -(shrink @ among[at])
            direction[at] += 1.0
            variance = max(float(among[at] @ direction), _LEAST_VARIANCE)
            mean = float(middle[at] + among[at] @ shift)
            margins[at], slope, bend = _moments(
                mean, variance, float(signs[at]), float(floors[at]), float(high[at])
            )
            shift += slope * direction
            shrink += bend * np.outer(direction, direction)
        return onto, shift, shrink, margins

    def renew_all(self, columns: Columns) -> None:
        """The scores of the whole pool from the weights: O(n D^2), whatever was learnt."""
        mean, spread = self.mean.astype(np.float32), self.spread.astype(np.float32)
        self.middle, self.variance = np.empty(len(columns)), np.empty(len(columns))
        for start in range(0, len(columns), _ROWS):
            part = slice(start, start + _ROWS)
            self.middle[part] = columns[part] @ mean
            self.variance[part] = np.einsum("nd,nd->n", columns[part] @ spread, columns[part])
        np.maximum(self.variance, _LEAST_VARIANCE, out=self.variance)

    def _scores(
        self, columns: Columns, onto: Floats, shift: Floats, shrink: Floats
    ) -> tuple[Floats, Floats]:
        onto32, shift32, shrink32 = (a.astype(np.float32) for a in (onto.T, shift, shrink))
        middle, variance = self.middle.copy(), self.variance.copy()
        for start in range(0, len(columns), _ROWS):
            part = slice(start, start + _ROWS)
            reach = columns[part] @ onto32
            middle[part] += reach @ shift32
            variance[part] -= np.einsum("nk,nk->n", reach @ shrink32, reach)
        return middle, np.maximum(variance, _LEAST_VARIANCE, out=variance)

    def margins(self, items: NDArray[np.intp] | slice = slice(None)) -> Floats:
        """The mean of each score over its deviation and the noise."""
        margins: Floats = self.middle[items] / np.sqrt(1.0 + self.variance[items])
        return margins


def prior_belief(columns: Columns, mean: Floats, variance: Floats) -> Belief:
    """The belief before any label: independent weights."""
    middle, spread = np.empty(len(columns)), np.empty(len(columns))
    for start in range(0, len(columns), _ROWS):
        part = slice(start, start + _ROWS)
        middle[part] = columns[part] @ mean.astype(np.float32)
        spread[part] = np.square(columns[part]) @ variance.astype(np.float32)
    return Belief(mean.copy(), np.diag(variance), middle, np.maximum(spread, _LEAST_VARIANCE))


def nothing() -> Belief:
    """The belief about no weights and no items."""
    return Belief(np.empty(0), np.empty((0, 0)), np.empty(0), np.empty(0))


def _moments(
    mean: float, variance: float, sign: float, floor: float, height: float
) -> tuple[float, float, float]:
    """The margin z, and g and h of the module's formulas, for Z = floor + height Phi(z)."""
    from math import erfc, exp, pi, sqrt

    deviation = sqrt(1.0 + variance)
    z = sign * mean / deviation
    chance = floor + height * 0.5 * erfc(-z / sqrt(2.0))
    slope = sign * height * exp(-0.5 * z * z) / sqrt(2.0 * pi) / deviation / max(chance, 1e-300)
    bend = slope * slope + slope * mean / (1.0 + variance)
    # A lapse can make a label widen the belief; then it is left as wide as it was.
    return z, slope, min(max(bend, 0.0), 0.999 / variance)
