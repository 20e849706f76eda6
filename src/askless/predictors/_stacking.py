"""Stacking: a fixed-share mixture of kernels, each alone, and of one weighted sum of them all.

Also known as stacked generalisation (Wolpert 1992), here online and Bayesian. Not to be confused
with the mixture itself (`askless.predictors._mixture`), which averages probabilities: the stacked
expert adds scores, so that kernels that are wrong about different items know more together than
the best of them.

Kernel k gives a label the margin z_k. Its experts are e / 2 + (1 - e) Phi(T z_k) for 13
temperatures T, one of which is 1, and two rates of label noise e. One more margin is
the stacked one: a probit of sum_k a_k z_k, the weights a learnt like those of a kernel
(`askless.predictors._adf_probit`). The prediction is the mixture of all these experts.

The first `n_prior_kernels` kernels hold probabilities that came with the pool, the very first as
they are. It starts with half of the weight, at T = 1, and its stacking weight starts at 1, as
evidence from a second source deserves. These kernels have few columns and are never pruned; nor
is any kernel pruned for being behind them.

Every other kernel costs time, so they are pruned: 300 / sqrt(labels) stay active, four at least.
First to go is the one whose stacking weight, of mean m and variance s, is most likely zero, by
m^2 / s; the others' weights are conditioned on its being zero. A kernel that is
`BEHIND_BITS` bits behind the best and whose stacking weight may as well be zero
(`_NEGLIGIBLE`) is pruned at once. Being behind is not enough by itself: a kernel that is behind at
first may be the best in the end.

All this assumes that labels come at random. Where easy items are asked first they do not: the
kernel with the most weight is asked about what it is surest of and pays for every mistake,
the others are not, and the weights oscillate. Without `random_labels` there is no stacked expert,
and every kernel that falls `BEHIND_BITS` behind is pruned. Cost: O(labels x experts).
docs/theory.md has the derivation. Tested in tests/predictors/test_stacking.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.predictors._adf_probit import WeightPosterior
from askless.predictors._mixture import FixedShareMixture, tempered_probs

Floats = NDArray[np.float64]

FEWEST: Final = 4
BEHIND_BITS: Final = 20.0
_NEGLIGIBLE: Final = 0.3  # m^2 / s below which a stacking weight may as well be zero
_MOST_ACTIVE: Final = 300.0  # divided by the root of the number of labels
_STACKING_VARIANCE: Final = 0.1  # of each stacking weight, before any label
_TEMPERATURES: Final = np.exp(0.15 * np.arange(-5, 8))
_NOISE: Final = np.array([0.0002, 0.002])
_SHARE: Final = 0.0005
_CHUNK: Final = 64

# All temperatures of one margin make one curve. It is tabulated here and interpolated, which is
# several times as fast as computing Phi for each of them; the error is below 1e-5.
_LARGEST_MARGIN: Final = 12.0
_STEPS_PER_UNIT: Final = 250
_GRID: Final = np.linspace(
    -_LARGEST_MARGIN, _LARGEST_MARGIN, round(2 * _LARGEST_MARGIN * _STEPS_PER_UNIT) + 1
)


@dataclass(frozen=True, slots=True, eq=False)
class StackedMixture:
    """The weights of the experts; an update gives a new mixture.

    Parameters
    ----------
    random_labels
        Whether labels come at random; without that there is no stacked expert.
    n_prior_kernels
        How many kernels, the first ones, hold the prior.
    weights
        By kernel (the stacked expert last), temperature and label noise; they add up to one.
    stack_mean, stack_cov
        Mean and covariance of the stacking weights; zero where a kernel is pruned.
    evidence
        By kernel: log2 of the likelihood it gave to all labels.
    n_labels
        How many labels were predicted.
    bits
        The code length of all labels, each predicted just before it was learnt.
    """

    random_labels: bool
    n_prior_kernels: int
    weights: Floats
    stack_mean: Floats
    stack_cov: Floats
    evidence: Floats
    n_labels: int = 0
    bits: float = 0.0

    @classmethod
    def initial(
        cls, kernels: int, *, random_labels: bool = True, n_prior_kernels: int = 0
    ) -> StackedMixture:
        """The mixture of a number of kernels before any label."""
        weights = np.ones((kernels + 1, len(_TEMPERATURES), len(_NOISE)))
        weights[-1] = random_labels or not kernels
        mean, cov = np.full(kernels, 1.0 / max(1, kernels)), _STACKING_VARIANCE * np.eye(kernels)
        if n_prior_kernels:
            weights[0] = 0.0
            weights[0, _TEMPERATURES == 1.0] = max(1.0, weights.sum()) / len(_NOISE)
            mean[0] = 1.0
        weights /= weights.sum()
        return cls(random_labels, n_prior_kernels, weights, mean, cov, np.zeros(kernels))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> StackedMixture | None:
        """The mixture with these `arrays`; None if they are not those of a mixture."""
        if not set(cls.__slots__) <= set(arrays):
            return None
        found = {name: np.asarray(arrays[name]) for name in cls.__slots__}
        k = found["stack_mean"].size
        shapes = {"weights": (k + 1, len(_TEMPERATURES), len(_NOISE)), "stack_cov": (k, k)}
        shapes |= {"stack_mean": (k,), "evidence": (k,)}
        types = {"random_labels": "b", "n_prior_kernels": "iu", "n_labels": "iu"}
        for name, array in found.items():
            if array.shape != shapes.get(name, ()) or array.dtype.kind not in types.get(name, "f"):
                return None
            if not np.all(np.isfinite(array)):
                return None
        if k and not np.any(np.diagonal(found["stack_cov"]) > 0):
            return None  # no kernel is active
        if not 0 <= int(found["n_prior_kernels"]) <= k:
            return None
        fields: dict[str, Any] = {
            name: np.array(array, np.float64) if array.ndim else array.item()
            for name, array in found.items()
        }
        return cls(**fields)

    @property
    def n_kernels(self) -> int:
        """How many kernels there are, pruned ones included."""
        return len(self.stack_mean)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All fields by name, as arrays."""
        return {name: np.array(getattr(self, name)) for name in self.__slots__}

    def active(self) -> list[int]:
        """The kernels that are not pruned."""
        return [int(at) for at in np.flatnonzero(np.diagonal(self.stack_cov))]

    def kernel_weights(self) -> Floats:
        """The weight of every kernel: its own experts', and its part in the stacked one's."""
        total = self.weights.sum(axis=(1, 2))
        size = np.abs(self.stack_mean)
        return np.asarray(total[:-1] + total[-1] * size / max(float(size.sum()), 1e-300))

    def update(self, margins: Mapping[int, Floats]) -> StackedMixture:
        """The mixture after some labels in turn.

        Parameters
        ----------
        margins
            By active kernel: the margin it gave each label before that label was learnt.
        """
        active = self.active()
        scores = np.stack([margins[at] for at in active], axis=1)
        stack, rows = self._stack(active), active
        if self.random_labels:
            scores = np.column_stack([scores, _learn_in_turn(stack, scores)])
            rows = [*active, -1]
        mixture = FixedShareMixture(self.weights[rows], _SHARE, self.bits)
        mixture, gains = mixture.update(_experts(scores))
        weights, evidence = np.zeros_like(self.weights), self.evidence.copy()
        weights[rows] = mixture.weights
        evidence[active] += gains[: len(active)]
        mean, cov = np.zeros_like(self.stack_mean), np.zeros_like(self.stack_cov)
        mean[active], cov[np.ix_(active, active)] = stack.mean, stack.cov
        return replace(
            self,
            weights=weights,
            stack_mean=mean,
            stack_cov=cov,
            evidence=evidence,
            n_labels=self.n_labels + len(scores),
            bits=mixture.bits,
        )._prune()

    def predict(self, margins: Mapping[int, Floats]) -> Floats:
        """The probability of labels with these margins, by active kernel."""
        active = self.active()
        size = len(next(iter(margins.values())))
        probs = np.full(size, float(self.weights.sum((0, 1)) @ _NOISE) / 2)
        by_temperature = self.weights @ (1 - _NOISE)
        scores = dict(margins)
        if self.random_labels:
            stack = self._stack(active)
            stack.recompute_scores(np.stack([margins[at] for at in active], axis=1))
            scores[-1] = stack.margins()
        for at, score in scores.items():
            probs += _interpolate(by_temperature[at] @ _phi_table(), score)
        return np.asarray(np.clip(probs, 1e-9, 1 - 1e-9))

    def _stack(self, active: list[int]) -> WeightPosterior:
        """The posterior of the active kernels' stacking weights; its columns are their margins."""
        cov = self.stack_cov[np.ix_(active, active)]
        return WeightPosterior.of_weights(self.stack_mean[active], cov)

    def _prune(self) -> StackedMixture:
        """Prune kernels that may as well be missing, the least useful first."""
        mixture, active = self, [at for at in self.active() if at >= self.n_prior_kernels]
        most, negligible = len(active), np.inf
        if self.random_labels:
            most = max(FEWEST, ceil(_MOST_ACTIVE / np.sqrt(self.n_labels)))
            negligible = _NEGLIGIBLE
        while active:
            size = np.square(mixture.stack_mean[active]) / np.diagonal(mixture.stack_cov)[active]
            evidence = self.evidence[active]
            idle = (evidence < evidence.max() - BEHIND_BITS) & (size < negligible)
            if len(active) <= most:
                if not idle.any():
                    break
                size[~idle] = np.inf
            mixture = mixture._without(active.pop(int(np.argmin(size))))
        return mixture

    def _without(self, at: int) -> StackedMixture:
        """One kernel pruned; the stacking weights given that its own is zero."""
        weights, slope = self.weights.copy(), self.stack_cov[at] / self.stack_cov[at, at]
        mean = self.stack_mean - self.stack_mean[at] * slope
        cov = self.stack_cov - np.outer(slope, self.stack_cov[at])
        mean[at], cov[at], cov[:, at], weights[at] = 0.0, 0.0, 0.0, 0.0
        return replace(self, weights=weights / weights.sum(), stack_mean=mean, stack_cov=cov)


def _learn_in_turn(stack: WeightPosterior, scores: Floats) -> Floats:
    """The stacked margin of each label before it is learnt; `stack` learns them all."""
    margins = []
    for start in range(0, len(scores), _CHUNK):
        part = scores[start : start + _CHUNK]
        signs = np.ones(len(part))  # margins have the sign of the label already
        margins.append(stack.learn(part, np.arange(len(part)), signs, update_scores=False))
    return np.concatenate(margins)


def _experts(scores: Floats) -> Floats:
    from scipy.special import ndtr

    return tempered_probs(ndtr, scores, _TEMPERATURES, _NOISE)


@cache
def _phi_table() -> Floats:
    """Phi(T z) by temperature and place on the grid."""
    from scipy.special import ndtr

    return np.asarray(ndtr(_TEMPERATURES[:, None] * _GRID))


def _interpolate(curve: Floats, margins: Floats) -> Floats:
    """`np.interp` on the grid, several times as fast since the grid is even."""
    place = np.clip((margins + _LARGEST_MARGIN) * _STEPS_PER_UNIT, 0.0, len(curve) - 1.001)
    low = place.astype(np.intp)
    below = curve[low]
    return below + (place - low) * (curve[low + 1] - below)
