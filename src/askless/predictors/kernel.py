"""Gaussian-process classification over the whole pool: the predictor for learning while asking.

Also known as Bayesian probit regression on kernel columns, a Gaussian process in weight space. Not
to be confused with a support vector machine, whose scores are no probabilities, nor with kernel
density estimation.

The score of an item is Gaussian, its label a probit of it (`askless.predictors._adf_probit`). No
one kernel is right for every pool, so several learn at once (`askless.predictors.kernel_basis`:
all feature sets together, all but one, or one; large or small amplitude, short or long length
scale, linear or not). Each kernel contributes 26 experts, Phi(T z) at 13 temperatures T and two
label-noise rates; one more set of experts is a stacked probit model of all kernels'
margins. The prediction is their average, weighted by how well each predicted the labels so far
(`askless.predictors._stacking`). That is calibration without a hold-out: every label is predicted
before it is learnt. The more labels there are, the fewer kernels stay active.

`fit` learns what is new since the last one. Labels that are few beside those known, and
beside those open, wait for more (`PATIENCE`). New ones are learnt in chunks, in random order, until
the rest is predicted with `SURE`; in a pool above `LARGE` items without looking at the rest, at
most `_MOST` labels. If a label was taken back, learning starts again. Refuted guesses
teach it nothing: the planner accounts for them, and the labels that follow teach more.

Probabilities that come with the pool (`prior`) are two more kernels
(`askless.predictors._kernel_pool`). One has the score s alone, Phi(s) = prior, and starts with half
of the weight, so that learning beside probabilities that are right costs a few bits. The other
corrects them. The stacked expert adds up what they and the features say.

Cost: some ms a label at 6,000 items, O(n D) for D about 400 a kernel; the kernels themselves are
made at the first `fit` unless `blocks` says that x holds them. Needs scipy. Not for a stream of
new items: it predicts those of the pool it was fitted to. Not in the paper; docs/theory.md has the
derivation. Tested in tests/predictors/test_kernel.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.clause import Clause
from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.predictors._adf_probit import Floats, WeightPosterior
from askless.predictors._kernel_pool import KernelPool, require_prior
from askless.predictors._stacking import StackedMixture
from askless.predictors.kernel_basis import LARGE

SURE: Final = 0.995
PATIENCE: Final = 256
"""New labels wait while this many times as many are known, and as many open."""

_CHUNK: Final = 64
_MOST: Final = 4096  # labels learnt in one fit


class Kernel:
    """A mixture of Gaussian processes on the pool's own kernels.

    Parameters
    ----------
    blocks
        None if x holds features, from which the kernels are made; otherwise x is a kernel basis
        and these are the names and widths of its blocks (`askless.predictors.kernel_basis.Basis`).
    prior
        P(label is True) for every item, from elsewhere; None if there is none.
    random_labels
        Whether labels come at random, as with the schedule ``random-rounds``
        (`askless.predictors._stacking`).
    seed
        Fixes the landmarks of the kernels, and the order of labels that come together.
    """

    def __init__(
        self,
        *,
        blocks: Sequence[tuple[str, int]] | None = None,
        prior: ArrayLike | None = None,
        random_labels: bool = True,
        seed: int = 0,
    ) -> None:
        self.blocks = None if blocks is None else tuple((str(a), int(b)) for a, b in blocks)
        self.prior = None if prior is None else Probs(np.asarray(prior, np.float64)).values
        self.random_labels = bool(random_labels)
        self.seed = int(seed)
        self._pool: KernelPool | None = None
        self._posteriors: list[WeightPosterior] = []
        self._mixture = StackedMixture.initial(0)
        self._known: NDArray[np.int8] = np.empty(0, np.int8)
        self._probs: Floats = np.empty(0)

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Learn what is new in the labels; start again if some were taken back."""
        if len(labels) != len(x):
            raise InvalidInput(
                "Features and labels have a row for every item, -1 where the label is not known; "
                f"got {len(x)} rows of features and {len(labels)} labels."
            )
        if self._pool is None or not self._pool.is_made_of(x):
            self._pool = KernelPool(
                x, self.blocks, self.prior, stacked=self.random_labels, seed=self.seed
            )
        pool = self._pool
        if not self._belongs_to(pool) or np.any((self._known >= 0) & (labels != self._known)):
            self._start_again(pool)
        new = np.flatnonzero((labels >= 0) & (self._known < 0))
        fewer = min(np.count_nonzero(self._known >= 0), np.count_nonzero(labels == -1))
        if PATIENCE * len(new) > fewer:
            self._learn(pool, new, np.where(labels[new] == 1, 1.0, -1.0))
            self._known = np.where(labels >= 0, labels, -1).astype(np.int8)
        self._probs = self._predict(slice(None), 1.0)

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """P(label is True) for every item of the pool it was fitted to."""
        if not len(self._probs):
            if self.prior is None:
                return np.full(len(x), 0.5)
            require_prior(self.prior, len(x))
            return self.prior.copy()
        if len(x) != len(self._probs):
            raise InvalidInput(
                "The kernel predictor knows the items of one pool; "
                f"got {len(x)} rows after fitting {len(self._probs)}."
            )
        return self._probs.copy()

    @property
    def one_by_one_bits(self) -> float:
        """The code length of the labels learnt, each predicted once all before it were known.

        Labels that still wait for more are not in it.
        """
        return self._mixture.bits

    def kernel_weights(self) -> Mapping[str, float]:
        """The weight of each kernel in the prediction, by name."""
        names = [] if self._pool is None else [kernel.name for kernel in self._pool.kernels]
        return dict(zip(names, self._mixture.kernel_weights().tolist(), strict=False))

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The posteriors, the weights of the experts, the labels learnt and the probabilities."""
        found: dict[str, NDArray[Any]] = {"known": self._known, "probs": self._probs}
        found |= self._mixture.arrays()
        for at, posterior in enumerate(self._posteriors):
            for name in WeightPosterior.__slots__:
                found[f"{name}{at}"] = getattr(posterior, name)
        return found

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the predictor with these arrays."""
        mixture = StackedMixture.from_arrays(arrays)
        count = 0 if mixture is None else mixture.n_kernels
        parts = [{name: f"{name}{at}" for name in WeightPosterior.__slots__} for at in range(count)]
        names = {"known", "probs", *StackedMixture.__slots__}.union(*(p.values() for p in parts))
        if (
            mixture is None
            or set(arrays) != names
            or (count and mixture.random_labels != self.random_labels)
        ):
            raise InvalidInput(
                f"The kernel predictor restores from its own arrays; got {sorted(arrays)}."
            )
        self._mixture = mixture
        self._known = np.array(arrays["known"], dtype=np.int8)
        self._probs = np.array(arrays["probs"], dtype=np.float64)
        self._posteriors = [
            WeightPosterior(**{name: np.array(arrays[key], "f8") for name, key in part.items()})
            for part in parts
        ]
        self._pool = None

    def _belongs_to(self, pool: KernelPool) -> bool:
        """Whether what was learnt, perhaps restored from a checkpoint, is about this pool."""
        return (len(self._posteriors), len(self._known)) == (len(pool.kernels), pool.n) and all(
            self._posteriors[at].matches(pool.kernels[at].columns) for at in self._mixture.active()
        )

    def _start_again(self, pool: KernelPool) -> None:
        self._known = np.full(pool.n, -1, np.int8)
        self._mixture = StackedMixture.initial(
            len(pool.kernels),
            random_labels=self.random_labels,
            n_prior_kernels=pool.n_prior_kernels,
        )
        self._posteriors = [
            WeightPosterior.from_prior(kernel.columns, kernel.mean, kernel.variance)
            for kernel in pool.kernels
        ]

    def _learn(self, pool: KernelPool, items: NDArray[np.intp], signs: Floats) -> None:
        """Learn labels in chunks, in random order, until the rest comes as no surprise.

        Learning the least expected labels first would make the remaining ones look easy and the
        predictor overconfident.
        """
        learnt = 0
        if pool.n > LARGE and len(items) > _CHUNK:
            items, signs = self._learn_many(pool, items, signs)
            learnt = _MOST
        while len(items) and learnt < _MOST:
            if learnt and self._predict(items, signs).min() > SURE:
                break
            order = np.random.default_rng(self.seed).permutation(len(items))
            now, rest = order[:_CHUNK], np.sort(order[_CHUNK:])
            self._learn_chunk(pool, items[now], signs[now])
            items, signs, learnt = items[rest], signs[rest], learnt + len(now)
        if len(items):  # these change the weights of the experts, not the kernels
            self._update_mixture(self._margins(items, signs))

    def _learn_many(
        self, pool: KernelPool, items: NDArray[np.intp], signs: Floats
    ) -> tuple[NDArray[np.intp], Floats]:
        """Learn at most `_MOST` labels in a large pool, whose scores are computed at the end.

        Gives back the labels that were left out.
        """
        order = np.random.default_rng(self.seed).permutation(len(items))
        for start in range(0, min(len(items), _MOST), _CHUNK):
            now = order[start : min(start + _CHUNK, _MOST)]
            self._learn_chunk(pool, items[now], signs[now], update_scores=False)
        for at in self._mixture.active():
            self._posteriors[at].recompute_scores(pool.kernels[at].columns)
        left = np.sort(order[_MOST:])
        return items[left], signs[left]

    def _learn_chunk(
        self,
        pool: KernelPool,
        items: NDArray[np.intp],
        signs: Floats,
        *,
        update_scores: bool = True,
    ) -> None:
        margins = {}
        for at in self._mixture.active():
            columns = pool.kernels[at].columns
            margins[at] = self._posteriors[at].learn(
                columns, items, signs, update_scores=update_scores
            )
        self._update_mixture(margins)

    def _update_mixture(self, margins: Mapping[int, Floats]) -> None:
        self._mixture = self._mixture.update(margins)
        for at in set(margins).difference(self._mixture.active()):
            # A pruned kernel never returns, so nothing of it is kept or stored.
            self._posteriors[at] = WeightPosterior.of_weights(np.empty(0), np.empty((0, 0)))

    def _margins(
        self, items: NDArray[np.intp] | slice, signs: Floats | float
    ) -> Mapping[int, Floats]:
        """By active kernel: the margins of the labels `signs` of these items."""
        return {at: signs * self._posteriors[at].margins(items) for at in self._mixture.active()}

    def _predict(self, items: NDArray[np.intp] | slice, signs: Floats | float) -> Floats:
        """The probability that the items have the labels `signs`."""
        return self._mixture.predict(self._margins(items, signs))
