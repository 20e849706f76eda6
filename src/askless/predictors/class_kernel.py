"""Class probabilities from a pool's kernels: Gaussian-process regression, stacked in a softmax.

Also known as least-squares classification with Gaussian processes (Rasmussen and Williams 2006,
section 6.5). Each kernel of `askless.predictors.kernel_basis` is a linear model of one-hot targets,
weights N(0, 1), noise N(0, s^2). The covariance does not depend on the targets, so all classes
share one, and a label costs what it costs with two classes:

    f_c ~ N(m_c, v),    z_c = m_c / sqrt(1 + v / s^2)        the margin of class c by one kernel

Margins are no probabilities. These are a softmax of the stacked margins,

    P(c) = (1 - e) softmax_c(sum_k a_k z_kc + b zbar_c |zbar_c| + d log share_c) + e / K

with zbar the mean over the kernels and share_c how often the class was seen, half a label each to
begin with. The weights a, b and d are fitted to what was said of the labels before they were learnt
(prequentially), by Newton's method with a Gaussian prior. Every label is predicted before it is
learnt, so nothing is held out.

Cost: O(n D) a label in matrix products for D about 600 a kernel; 15 to 20 seconds of one core for
all labels of 6,000 items with twelve kernels. Labels that are taken back make it start again.
Refuted guesses teach it nothing: the planner excludes their classes. Tested in
tests/predictors/test_class_kernel.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

NOISE: Final = 2.0
"""s, of a one-hot target."""
LAPSE: Final = 2e-4
"""e: no class is less likely than this divided by their number."""
_START: Final = 16.0  # the sum of the kernels' weights
_PRIOR_PRECISION: Final = 1.0
_CHUNK: Final = 256
_NEWTON_STEPS: Final = 8


class ClassKernel:
    """A softmax of Gaussian processes on the pool's own kernels.

    Parameters
    ----------
    classes
        How many classes there are.
    blocks
        The names and widths of the blocks of x, a kernel basis.
    seed
        Nothing is drawn; for the sake of the seam.
    """

    def __init__(self, *, classes: int, blocks: Sequence[tuple[str, int]], seed: int = 0) -> None:
        self.classes = int(classes)
        self.blocks = tuple((str(name), int(width)) for name, width in blocks)
        self.seed = int(seed)
        self._x: NDArray[Any] | None = None
        self._kernels: list[_Regression] = []

    def fit(self, x: NDArray[Any], labels: NDArray[np.int8]) -> None:
        """Learn the labels that are new; start again if some were taken back.

        Parameters
        ----------
        x
            The kernel basis, shape (n, columns).
        labels
            Class numbers; negative where unknown.
        """
        if self._x is not x or np.any((self._known >= 0) & (labels != self._known)):
            self._start_again(x)
        new = np.flatnonzero((labels >= 0) & (self._known < 0))
        if not len(new):
            return
        # At random, so that no class is learnt before the others.
        new = np.random.default_rng(self.seed + len(self._said)).permutation(new)
        for start in range(0, len(new), _CHUNK):
            items = new[start : start + _CHUNK]
            self._said.append(self._features(items))
            self._targets.append(labels[items].astype(np.intp))
            targets = np.eye(self.classes, dtype=np.float64)[labels[items]] - 1.0 / self.classes
            for kernel in self._kernels:
                kernel.learn(items, targets)
            self._known[items] = labels[items]
        self._fit_weights()

    def predict(self, x: NDArray[Any]) -> Floats:
        """P(class) for every item of the pool it was fitted to, shape (n, classes)."""
        if self._x is None:
            return np.full((len(x), self.classes), 1.0 / self.classes)
        if len(x) != len(self._known):
            raise InvalidInput(
                "The class kernel knows the items of one pool; "
                f"got {len(x)} rows after fitting {len(self._known)}."
            )
        chances = _softmax(self._features(slice(None)) @ self._weights)
        return (1.0 - LAPSE) * chances + LAPSE / self.classes

    def _start_again(self, x: NDArray[Any]) -> None:
        widths = [width for _, width in self.blocks]
        if sum(widths) != x.shape[1]:
            raise InvalidInput(
                f"The blocks of a kernel basis cover its {x.shape[1]} columns; got widths {widths}."
            )
        self._x = x
        self._known = np.full(len(x), -1, np.int8)
        ends = np.cumsum(widths)
        self._kernels = [
            _Regression(
                np.asarray(x[:, ends[at] - widths[at] : ends[at]], np.float32), self.classes
            )
            for at in range(len(widths))
        ]
        count = len(self._kernels)
        self._weights = np.r_[np.full(count, _START / count), 0.0, 1.0]
        self._prior = self._weights.copy()
        self._said: list[Floats] = []
        self._targets: list[NDArray[np.intp]] = []

    def _features(self, items: NDArray[np.intp] | slice) -> Floats:
        """What the softmax adds up, shape (items, classes, kernels + 2)."""
        margins = np.stack([kernel.margins(items) for kernel in self._kernels], axis=2)
        mean = margins.mean(axis=2, keepdims=True)
        seen = np.bincount(self._known[self._known >= 0], minlength=self.classes) + 0.5
        shares = np.broadcast_to(np.log(seen / seen.sum()), margins.shape[:2])
        return np.concatenate([margins, mean * np.abs(mean), shares[..., None]], axis=2)

    def _fit_weights(self) -> None:
        """The likeliest weights for what was said of all labels, the prior being given."""
        said, targets = np.concatenate(self._said), np.concatenate(self._targets)
        right = said[np.arange(len(said)), targets]
        weights, size = self._weights, said.shape[2]
        for _ in range(_NEWTON_STEPS):
            chances = _softmax(said @ weights)
            mean = np.einsum("nc,ncf->nf", chances, said)
            slope = (right - mean).sum(0) - _PRIOR_PRECISION * (weights - self._prior)
            weighted = said * np.sqrt(chances)[..., None]
            flat = weighted.reshape(-1, size)
            curve = flat.T @ flat - mean.T @ mean + _PRIOR_PRECISION * np.eye(size)
            step = np.linalg.solve(curve, slope)
            weights = weights + step * min(1.0, 3.0 / (float(np.linalg.norm(step)) + 1e-12))
            if np.abs(step).max() < 1e-3:
                break
        self._weights = weights


class _Regression:
    """One kernel: the posterior of its weights, and of the scores of the whole pool.

    Parameters
    ----------
    columns
        Shape (n, width).
    classes
        How many classes share the covariance.
    """

    def __init__(self, columns: Singles, classes: int) -> None:
        self._columns = columns
        self._cov = np.eye(columns.shape[1])
        self._mean: Singles = np.zeros((len(columns), classes), np.float32)
        self._variance: Floats = np.einsum("nd,nd->n", columns, columns).astype(np.float64)

    def margins(self, items: NDArray[np.intp] | slice) -> Floats:
        """Z of the module's formula, shape (items, classes)."""
        deviation = np.sqrt(1.0 + self._variance[items] / NOISE**2)
        return np.asarray(self._mean[items] / deviation[:, None], np.float64)

    def learn(self, items: NDArray[np.intp], targets: Floats) -> None:
        """Learn some targets at once, shape (items, classes)."""
        rows = self._columns[items].astype(np.float64)
        projection = rows @ self._cov
        gram = projection @ rows.T
        root = np.linalg.cholesky(gram + NOISE**2 * np.eye(len(items)))
        half = np.linalg.solve(root, projection)  # the gain is half.T @ inv(root)
        self._cov -= half.T @ half
        spread = self._columns @ half.T.astype(np.float32)  # (n, items)
        residual = np.linalg.solve(root, targets - self._mean[items])
        self._mean = self._mean + spread @ residual.astype(np.float32)
        shrunk = self._variance - np.einsum("nk,nk->n", spread, spread)
        self._variance = np.maximum(shrunk, 1e-9)


def _softmax(scores: Floats) -> Floats:
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))
