"""Bayesian probit regression by assumed density filtering (ADF), many labels at a time.

Also known as online Gaussian moment matching, and as expectation propagation with one pass over
the data (Opper 1998, Minka 2001). Not to be confused with a Laplace approximation, which is
centred on the mode of the posterior and not on its mean.

An item with columns b has the label True with probability Phi(b . w), w ~ N(m, S). After a label
y = +-1 the posterior is replaced by the Gaussian with the same mean and covariance. With
v = b S b and the label noise e,

    z = y (b . m) / sqrt(1 + v),   Z = e / 2 + (1 - e) Phi(z),   g = d log Z / d (b . m)
    m <- m + g S b,   S <- S - h S b (S b)^T,   h = g^2 + g (b . m) / (1 + v)

z is called the margin of the label. k labels are learnt in one go: the updates among them
happen in k x k matrices, and only the result meets the columns. Cost: O(k D^2 + n D k) in matrix
products for D columns and a pool of n items whose score means and variances are kept current.
Not for D in the thousands: S has D^2 entries. Used by `askless.predictors.kernel` and, for the
weights of the stacked expert, `askless.predictors._stacking`; docs/theory.md has the derivation.
Tested in tests/predictors/test_adf_probit.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Columns = NDArray[np.floating[Any]]

_LABEL_NOISE: Final = 0.002
_ROWS: Final = 20_000  # rows of the pool in one matrix product
_LEAST_VARIANCE: Final = 1e-9


@dataclass(slots=True, eq=False)
class WeightPosterior:
    """The Gaussian posterior of the weights, and what it implies for the items of a pool.

    Parameters
    ----------
    mean, cov
        Mean (D,) and covariance (D, D) of the weights.
    score_mean, score_variance
        Mean and variance of each item's score b . w, shape (n,).
    """

    mean: Floats
    cov: Floats
    score_mean: Floats
    score_variance: Floats

    @classmethod
    def from_prior(cls, columns: Columns, mean: Floats, variance: Floats) -> WeightPosterior:
        """Independent weights, before any label."""
        score_mean, score_variance = np.empty(len(columns)), np.empty(len(columns))
        for part in _parts(columns):
            score_mean[part] = columns[part] @ mean.astype(np.float32)
            score_variance[part] = np.square(columns[part]) @ variance.astype(np.float32)
        np.maximum(score_variance, _LEAST_VARIANCE, out=score_variance)
        return cls(mean.copy(), np.diag(variance), score_mean, score_variance)

    @classmethod
    def of_weights(cls, mean: Floats, cov: Floats) -> WeightPosterior:
        """The posterior of weights alone, without a pool."""
        return cls(mean, cov, np.empty(0), np.empty(0))

    def matches(self, columns: Columns) -> bool:
        """Whether this is a posterior of the weights of these columns."""
        n, d = columns.shape
        shapes = [getattr(self, name).shape for name in self.__slots__]
        return shapes == [(d,), (d, d), (n,), (n,)]

    def learn(
        self,
        columns: Columns,
        items: NDArray[np.intp],
        signs: Floats,
        *,
        update_scores: bool = True,
    ) -> Floats:
        """Learn the labels `signs` (+1, -1) of `items`, one after the other.

        Returns the margin of every label as it stood just before that label was learnt. Without
        `update_scores` the scores of the pool stay as they were, for `recompute_scores`.
        """
        rows = columns[items].astype(np.float64)
        projection = rows @ self.cov  # S b of every item, as rows
        gram = projection @ rows.T
        prior_mean = rows @ self.mean
        k = len(items)
        # The new mean is m + shift @ projection, the new covariance
        # S - projection.T @ shrink @ projection.
        shift, shrink, margins = np.zeros(k), np.zeros((k, k)), np.zeros(k)
        for at in range(k):
            direction = -(shrink @ gram[at])
            direction[at] += 1.0
            variance = max(float(gram[at] @ direction), _LEAST_VARIANCE)
            mean = float(prior_mean[at] + gram[at] @ shift)
            margins[at], g, h = _moments(mean, variance, float(signs[at]))
            shift += g * direction
            shrink += h * np.outer(direction, direction)
        self.mean = self.mean + shift @ projection
        self.cov = self.cov - projection.T @ (shrink @ projection)
        if update_scores:
            self._update_scores(columns, projection, shift, shrink)
        return margins

    def recompute_scores(self, columns: Columns) -> None:
        """Compute the scores of the whole pool from the weights: O(n D^2)."""
        mean, cov = self.mean.astype(np.float32), self.cov.astype(np.float32)
        self.score_mean, self.score_variance = np.empty(len(columns)), np.empty(len(columns))
        for part in _parts(columns):
            self.score_mean[part] = columns[part] @ mean
            self.score_variance[part] = np.einsum("nd,nd->n", columns[part] @ cov, columns[part])
        np.maximum(self.score_variance, _LEAST_VARIANCE, out=self.score_variance)

    def margins(self, items: NDArray[np.intp] | slice = slice(None)) -> Floats:
        """The margin of the label True: score mean over the deviation of score plus noise."""
        return self.score_mean[items] / np.sqrt(1.0 + self.score_variance[items])

    def _update_scores(
        self, columns: Columns, projection: Floats, shift: Floats, shrink: Floats
    ) -> None:
        onto, shift32, shrink32 = (a.astype(np.float32) for a in (projection.T, shift, shrink))
        # Copies, since `Kernel.arrays` hands out the arrays themselves.
        mean, variance = self.score_mean.copy(), self.score_variance.copy()
        for part in _parts(columns):
            covariance = columns[part] @ onto  # of these scores with those just learnt from
            mean[part] += covariance @ shift32
            variance[part] -= np.einsum("nk,nk->n", covariance @ shrink32, covariance)
        self.score_mean = mean
        self.score_variance = np.maximum(variance, _LEAST_VARIANCE, out=variance)


def _parts(columns: Columns) -> list[slice]:
    return [slice(start, start + _ROWS) for start in range(0, len(columns), _ROWS)]


def _moments(mean: float, variance: float, sign: float) -> tuple[float, float, float]:
    """z, g and h of the module's formulas."""
    deviation = sqrt(1.0 + variance)
    z = sign * mean / deviation
    likelihood = _LABEL_NOISE / 2 + (1 - _LABEL_NOISE) * 0.5 * erfc(-z / sqrt(2.0))
    slope = sign * (1 - _LABEL_NOISE) * exp(-0.5 * z * z) / sqrt(2.0 * pi) / deviation
    g = slope / max(likelihood, 1e-300)
    h = g * g + g * mean / (1.0 + variance)
    # With label noise a surprising label can raise the variance; then it is left as it was.
    return z, g, min(max(h, 0.0), 0.999 / variance)
