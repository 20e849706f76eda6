"""Gaussian-process classification over the whole pool: the predictor for learning while asking.

The score of an item is Gaussian, its label a probit of it (`askless.predictors._probit`). No one
kernel is right for every pool, so several are at work at once (`askless.predictors.kernel_basis`:
all feature sets together, all but one, or one; loud or soft, rough or smooth, bent or straight).
Each speaks in several tones, Phi(T z) for temperatures T, and with two rates of lapse, and all
speak in chorus, their margins weighted and added. The answer is the average of these voices,
weighted by how well each has foretold the labels so far (`askless.predictors._voices`). That is
calibration without a hold-out: every label is foretold before it is learnt. The more labels,
the fewer kernels go on.

`fit` looks for what is new since the last one. Labels that are few beside those known, and
beside those open, wait for more (`PATIENCE`). New ones are learnt in chunks, in random order,
until the rest is foretold with `SURE`; in a pool above `LARGE` without
looking at the rest, `_MOST` labels at most. A label that was taken back makes it start again.

Refuted guesses teach too. "One of these is wrong" makes each item of an open clause a suspect:
its label is the wrong one, unless one of the others is wrong, of chance c_i = 1 - prod p_j over
the others. The most suspicious are leant on, ``Belief.lean``, anew in each fit, and nothing of it
stays once the clause is resolved. The clause's own items keep their probabilities as they
are without it: planners reckon with the clause themselves.

Probabilities somebody brings (`prior`) are two more kernels. One, `AS_IT_IS`, has the score s
alone, Phi(s) = prior: it says what was brought, and half the weight starts with it, so that
learning beside probabilities that are right as they are costs a few bits. The other corrects
them, by weights 1 +- 1/2 of s, 0 +- 1 of s / (1 + abs(s)), and the bias. The chorus adds up what
they and the features say; without a chorus these two columns stand in every other kernel.

Cost: some ms a label at 6,000 items, O(n D) for D about 400 a kernel; the kernels themselves are
made at the first `fit` unless `blocks` says that x holds them. Needs scipy. Not in the
paper. Tested in tests/predictors/test_kernel.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.clause import Clause
from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.predictors._kernel_pool import KernelPool, require_prior
from askless.predictors._probit import Belief, Floats, nothing, prior_belief
from askless.predictors._suspects import Suspects, suspects
from askless.predictors._voices import Voices
from askless.predictors.kernel_basis import LARGE

SURE: Final = 0.995
PATIENCE: Final = 256
"""Labels wait while there are so many times as many known, and as many open."""

_CHUNK: Final = 64
_MOST: Final = 4096  # labels learnt in one fit
_HEARD: Final = 0.15  # the least weight of a kernel whose leaning is worth its time


class Kernel:
    """A mixture of Gaussian processes on the pool's own kernels.

    Parameters
    ----------
    blocks
        None if x holds features, of which the kernels are made; otherwise x is a kernel basis and
        these are the names and widths of its blocks (`askless.predictors.kernel_basis.Basis`).
    prior
        P(label is True) for every item, from elsewhere; None if nobody brings any.
    clauses
        Whether refuted guesses teach.
    fair
        Whether labels come at random, as with the order ``rounds`` (`askless.predictors._voices`).
    seed
        Fixes the anchors of the kernels.
    """

    def __init__(
        self,
        *,
        blocks: Sequence[tuple[str, int]] | None = None,
        prior: ArrayLike | None = None,
        clauses: bool = True,
        fair: bool = True,
        seed: int = 0,
    ) -> None:
        self.blocks = None if blocks is None else tuple((str(a), int(b)) for a, b in blocks)
        self.prior = None if prior is None else Probs(np.asarray(prior, np.float64)).values
        self.clauses = bool(clauses)
        self.fair = bool(fair)
        self.seed = int(seed)
        self._pool: KernelPool | None = None
        self._beliefs: list[Belief] = []
        self._voices = Voices.even(0)
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
        pool = self._pool_of(x)
        strange = len(self._beliefs) != len(pool.kernels) or len(self._known) != len(x)
        if strange or np.any((self._known >= 0) & (labels != self._known)):
            self._forget(pool)
        new = np.flatnonzero((labels >= 0) & (self._known < 0))
        fewer = min(np.count_nonzero(self._known >= 0), np.count_nonzero(labels == -1))
        if PATIENCE * len(new) > fewer:
            self._learn(pool, new, np.where(labels[new] == 1, 1.0, -1.0))
            self._known = np.where(labels >= 0, labels, -1).astype(np.int8)
        self._probs = self._chances(slice(None), 1.0)
        if clauses and self.clauses:
            self._lean(pool, suspects(self._probs, clauses), clauses)

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
    def sequential_bits(self) -> float:
        """The code length of the labels learnt, each foretold when all before it were known.

        Labels that still wait for more are not in it.
        """
        return self._voices.bits

    def doubt(self) -> NDArray[np.float64]:
        """How much of every item's score is still unknown: variance over itself and the noise."""
        shares = self._voices.by_kernel()
        doubt = np.zeros(len(self._probs))
        for share, belief in zip(shares, self._beliefs, strict=True):
            if share > 0:
                doubt += share * belief.variance / (1 + belief.variance)
        return doubt

    def believed(self) -> Mapping[str, float]:
        """The kernels by name, and how far each is believed."""
        names = [] if self._pool is None else [kernel.name for kernel in self._pool.kernels]
        return dict(zip(names, self._voices.by_kernel().tolist(), strict=False))

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The beliefs, the weights, the labels learnt and the probabilities."""
        found: dict[str, NDArray[Any]] = {"known": self._known, "probs": self._probs}
        found |= self._voices.arrays()
        for at, belief in enumerate(self._beliefs):
            for name in Belief.__slots__:
                found[f"{name}{at}"] = getattr(belief, name)
        return found

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the predictor whose arrays these are."""
        voices = Voices.restored(arrays)
        count = 0 if voices is None else voices.kernels
        wanted = {"known", "probs", *Voices.__slots__}
        wanted |= {f"{name}{at}" for at in range(count) for name in Belief.__slots__}
        if voices is None or set(arrays) != wanted or (count and voices.fair != self.fair):
            raise InvalidInput(
                f"The kernel predictor restores from its own arrays; got {sorted(arrays)}."
            )
        self._voices = voices
        self._known = np.array(arrays["known"], dtype=np.int8)
        self._probs = np.array(arrays["probs"], dtype=np.float64)
        self._beliefs = [
            Belief(
                **{
                    name: np.array(arrays[f"{name}{at}"], dtype=np.float64)
                    for name in Belief.__slots__
                }
            )
            for at in range(count)
        ]
        self._pool = None

    def _pool_of(self, x: NDArray[Any]) -> KernelPool:
        if self._pool is None or not self._pool.made_of(x):
            self._pool = KernelPool(x, self.blocks, self.prior, chorus=self.fair, seed=self.seed)
        return self._pool

    def _forget(self, pool: KernelPool) -> None:
        self._known = np.full(pool.n, -1, np.int8)
        self._voices = Voices.even(len(pool.kernels), fair=self.fair, brought=pool.brought)
        self._beliefs = [
            prior_belief(kernel.columns, kernel.mean, kernel.variance) for kernel in pool.kernels
        ]

    def _learn(self, pool: KernelPool, items: NDArray[np.intp], signs: Floats) -> None:
        """In chunks, in random order, until the rest comes as no surprise.

        The least expected first, and all that follow would seem easy.
        """
        learnt = 0
        if pool.n > LARGE and len(items) > _CHUNK:
            items, signs = self._learn_many(pool, items, signs)
            learnt = _MOST
        while len(items) and learnt < _MOST:
            expected = self._chances(items, signs)
            if learnt and expected.min() > SURE:
                break
            order = np.random.default_rng(self.seed).permutation(len(items))
            now, rest = order[:_CHUNK], np.sort(order[_CHUNK:])
            self._take(pool, items[now], signs[now])
            items, signs, learnt = items[rest], signs[rest], learnt + len(now)
        if len(items):
            self._hear(
                {at: signs * self._beliefs[at].margins(items) for at in self._voices.speaking()}
            )

    def _learn_many(
        self, pool: KernelPool, items: NDArray[np.intp], signs: Floats
    ) -> tuple[NDArray[np.intp], Floats]:
        """Many labels in a large pool, in random order; the pool is looked at once, at the end.

        Gives back those that are left out.
        """
        order = np.random.default_rng(self.seed).permutation(len(items))
        for start in range(0, min(len(items), _MOST), _CHUNK):
            now = order[start : min(start + _CHUNK, _MOST)]
            self._take(pool, items[now], signs[now], renew=False)
        for at in self._voices.speaking():
            self._beliefs[at].renew_all(pool.kernels[at].columns)
        left = np.sort(order[_MOST:])
        return items[left], signs[left]

    def _take(
        self, pool: KernelPool, items: NDArray[np.intp], signs: Floats, *, renew: bool = True
    ) -> None:
        margins = {
            at: self._beliefs[at].learn(pool.kernels[at].columns, items, signs, renew=renew)
            for at in self._voices.speaking()
        }
        self._hear(margins)

    def _hear(self, margins: Mapping[int, Floats]) -> None:
        self._voices = self._voices.told(margins)
        speaking = self._voices.speaking()
        for at in margins:
            if at not in speaking:  # a silent kernel leaves nothing to keep or to store
                self._beliefs[at] = nothing()

    def _chances(self, items: NDArray[np.intp] | slice, signs: Floats | float) -> Floats:
        """The probability that the items have the labels `signs`."""
        return self._voices.chances(
            {at: signs * self._beliefs[at].margins(items) for at in self._voices.speaking()}
        )

    def _lean(self, pool: KernelPool, held: Suspects, clauses: Sequence[Clause]) -> None:
        """Let the suspects change what is thought of items that no clause holds."""
        if not len(held.items):
            return
        margins, shares = {}, self._voices.by_kernel()
        for at in self._voices.speaking():
            belief = self._beliefs[at]
            if shares[at] > _HEARD:
                middle, variance = belief.lean(
                    pool.kernels[at].columns, held.items, held.signs, held.floors
                )
                margins[at] = middle / np.sqrt(1 + variance)
            else:
                margins[at] = belief.margins()
        leant = self._voices.chances(margins)
        inside = np.unique([item for clause in clauses for item in clause.items])
        leant[inside] = self._probs[inside]
        self._probs = leant
