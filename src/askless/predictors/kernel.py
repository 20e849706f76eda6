"""Gaussian-process classification over the whole pool: the predictor for learning while asking.

The kernel is a sum of parts (`askless.predictors.kernel_basis`): a neighbour graph
of all items, labelled or not, and distances between their features. The score of an item is
Gaussian, its label a probit of it (`askless.predictors._probit`). No one kernel is right
for every pool, so several are at work at once, `MIXTURE`: with the graph smooth or rough and
parts louder or softer. Each also speaks in several tones, Phi(T z) for temperatures T, and
with two rates of lapse. The answer is their average, weighted by how well each has foretold the
labels so far:

    w <- (1 - f) w P(label) / sum w P(label) + f / count,   f = 0.0005

That is calibration without a hold-out: every label is foretold before it is learnt.

`fit` looks for what is new since the last one. New labels are learnt in chunks, the least
expected first, until the rest is foretold with `SURE`; in a pool above `LARGE`, more labels than
columns are taken in random order, `_MOST` at once. A label that was taken back makes it
start again. Probabilities somebody brings (`prior`) become a column of the kernel whose weight
is one, give or take a half. Refuted guesses teach nothing here yet: the planner reckons with
them, the kernel does not.

Cost: some ms a label at 6,000 items, O(n D) for D about 700; the kernel itself is made at
the first `fit` (half a minute at 6,000 items) unless `blocks` says that x is one. Needs
scipy. Not in the paper. Tested in tests/predictors/test_kernel.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors._probit import Belief, Floats, prior_belief
from askless.predictors.kernel_basis import LARGE, kernel_basis

MIXTURE: Final[tuple[Mapping[str, float], ...]] = (
    {"graph": 8.0, "rbf": 4.0, "roughness": 0.5},
    {"graph": 4.0, "rbf": 4.0, "roughness": 1.0},
)
"""Amplitude of each block, and the power its eigenvalues are taken to (0.5: rougher)."""

SURE: Final = 0.995
_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.5), np.log(3.0), 13))
_LAPSES: Final = np.array([0.0002, 0.002])
_FORGETTING: Final = 0.0005
_BIAS: Final = 2.0
_OTHER: Final = 4.0  # amplitude of a block the mixture does not name
_CHUNK: Final = 64
_MOST: Final = 4096  # labels learnt in one fit
_PROBIT: Final = 1.702  # a logit is about so many probits


class Kernel:
    """A mixture of Gaussian processes on the pool's own kernel.

    Parameters
    ----------
    blocks
        None if x holds features, of which the kernel is made; otherwise x is a kernel basis and
        these are the names and widths of its blocks (`askless.predictors.kernel_basis.Basis`).
    prior
        P(label is True) for every item, from elsewhere; None if nobody brings any.
    seed
        Fixes the anchors of the kernel.
    """

    def __init__(
        self,
        *,
        blocks: Sequence[tuple[str, int]] | None = None,
        prior: ArrayLike | None = None,
        seed: int = 0,
    ) -> None:
        self.blocks = None if blocks is None else tuple((str(a), int(b)) for a, b in blocks)
        self.prior = None if prior is None else np.asarray(prior, dtype=np.float64)
        self.seed = int(seed)
        self._pool: _Pool | None = None
        self._beliefs: list[Belief] = []
        self._weights: Floats = _even_weights(len(MIXTURE))
        self._known: NDArray[np.int8] = np.empty(0, np.int8)

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Learn what is new in the labels; start again if some were taken back."""
        pool = self._pool_of(x)
        if not self._beliefs or len(self._known) != len(x):
            self._forget(pool)
        kept = self._known >= 0
        if np.any(labels[kept] != self._known[kept]):
            self._forget(pool)
            kept = self._known >= 0
        new = np.flatnonzero((labels >= 0) & ~kept)
        signs = np.where(labels[new] == 1, 1.0, -1.0)
        self._learn(pool, new, signs)
        self._known = np.where(labels >= 0, labels, -1).astype(np.int8)

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """P(label is True) for every item of the pool it was fitted to."""
        if not self._beliefs:
            if self.prior is not None and self.prior.shape == (len(x),):
                return self.prior.copy()
            return np.full(len(x), 0.5)
        if len(x) != len(self._known):
            raise InvalidInput(
                "The kernel predictor knows the items of one pool; "
                f"got {len(x)} rows after fitting {len(self._known)}."
            )
        return self._chances(slice(None), np.ones(1))

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The beliefs, the weights and the labels learnt."""
        found: dict[str, NDArray[Any]] = {"known": self._known, "weights": self._weights}
        for at, belief in enumerate(self._beliefs):
            for name in Belief.__slots__:
                found[f"{name}{at}"] = getattr(belief, name)
        return found

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the predictor whose arrays these are."""
        names = {"known", "weights"}
        full = names | {f"{name}{at}" for at in range(len(MIXTURE)) for name in Belief.__slots__}
        if set(arrays) not in (names, full) or np.shape(arrays["weights"]) != self._weights.shape:
            raise InvalidInput(
                f"The kernel predictor restores from its own arrays; got {sorted(arrays)}."
            )
        self._known = np.array(arrays["known"], dtype=np.int8)
        self._weights = np.array(arrays["weights"], dtype=np.float64)
        count = len(MIXTURE) if set(arrays) == full else 0
        parts = [
            {name: np.array(arrays[f"{name}{at}"], dtype=np.float64) for name in Belief.__slots__}
            for at in range(count)
        ]
        self._beliefs = [Belief(**part) for part in parts]
        self._pool = None

    def _pool_of(self, x: NDArray[Any]) -> _Pool:
        if self._pool is None or self._pool.x is not x:
            same = self._pool is not None and np.array_equal(self._pool.x, x)
            if self._pool is None or not same:
                self._pool = _Pool(x, self.blocks, self.prior, self.seed)
            self._pool.x = x
        return self._pool

    def _forget(self, pool: _Pool) -> None:
        self._known = np.full(len(pool.x), -1, np.int8)
        self._weights = _even_weights(len(MIXTURE))
        self._beliefs = [
            prior_belief(pool.columns, pool.mean, pool.variance(part)) for part in MIXTURE
        ]

    def _learn(self, pool: _Pool, items: NDArray[np.intp], signs: Floats) -> None:
        """The least expected labels first, in chunks, until the rest comes as no surprise."""
        learnt = 0
        if len(pool.x) > LARGE and len(items) > pool.columns.shape[1]:
            items, signs = self._learn_many(pool, items, signs)
            learnt = _MOST
        while len(items) and learnt < _MOST:
            expected = self._chances(items, signs)
            order = np.argsort(expected, kind="stable")
            if learnt and expected[order[0]] > SURE:
                break
            now, rest = order[:_CHUNK], np.sort(order[_CHUNK:])
            some, said = items[now], signs[now]
            margins = [belief.learn(pool.columns, some, said) for belief in self._beliefs]
            self._weigh(np.stack(margins, axis=1))
            items, signs, learnt = items[rest], signs[rest], learnt + len(now)
        if len(items):
            rest_margins = [signs * belief.margins(items) for belief in self._beliefs]
            self._weigh(np.stack(rest_margins, axis=1))

    def _learn_many(
        self, pool: _Pool, items: NDArray[np.intp], signs: Floats
    ) -> tuple[NDArray[np.intp], Floats]:
        """More labels than columns, in random order; the pool is looked at once, at the end.

        Gives back those that are left out.
        """
        order = np.random.default_rng(self.seed).permutation(len(items))
        for start in range(0, min(len(items), _MOST), _CHUNK):
            now = order[start : min(start + _CHUNK, _MOST)]
            margins = [
                belief.learn(pool.columns, items[now], signs[now], renew=False)
                for belief in self._beliefs
            ]
            self._weigh(np.stack(margins, axis=1))
        for belief in self._beliefs:
            belief.renew_all(pool.columns)
        left = np.sort(order[_MOST:])
        return items[left], signs[left]

    def _weigh(self, margins: Floats) -> None:
        """Weigh every voice by the chance it gave each of these labels, in turn."""
        flat = self._weights.ravel()
        for chances in _voices(margins).reshape(len(margins), -1):
            agreed = flat * chances
            flat = (1 - _FORGETTING) * agreed / agreed.sum() + _FORGETTING / len(flat)
        self._weights = flat.reshape(self._weights.shape)

    def _chances(self, items: NDArray[np.intp] | slice, signs: Floats) -> Floats:
        """The mixture's probability that the items have the labels `signs`."""
        from scipy.special import ndtr

        weights = self._weights
        chance = np.full(len(self._known[items]), float(weights.sum((0, 1)) @ _LAPSES) / 2)
        steady = weights @ (1 - _LAPSES)
        for at, belief in enumerate(self._beliefs):
            margins = signs * belief.margins(items)
            for tone, weight in zip(_TEMPERATURES, steady[at], strict=True):
                if weight > 1e-4:
                    chance += weight * ndtr(tone * margins)
                else:
                    chance += weight * (margins > 0)
        clipped: Floats = np.clip(chance, 1e-9, 1 - 1e-9)
        return clipped


class _Pool:
    """The columns of the kernel, bias and prior among them, and how wide their weights may be."""

    def __init__(
        self,
        x: NDArray[Any],
        blocks: tuple[tuple[str, int], ...] | None,
        prior: Floats | None,
        seed: int,
    ) -> None:
        self.x = x
        if blocks is None:
            made = kernel_basis(x, seed=seed)
            columns, blocks = made.columns, made.blocks
        else:
            columns = np.asarray(x, dtype=np.float32)
        if sum(width for _, width in blocks) != columns.shape[1]:
            raise InvalidInput(
                f"The blocks of a kernel basis cover its {columns.shape[1]} columns; "
                f"got widths {[width for _, width in blocks]}."
            )
        own = [np.ones((len(x), 1), np.float32)]
        if prior is not None:
            own.append(_score(prior, len(x))[:, None])
        self._blocks = blocks
        self.columns = np.concatenate([columns, *own], axis=1)
        self.mean = np.zeros(self.columns.shape[1])
        if prior is not None:
            self.mean[-1] = 1.0
        self._tail = [_BIAS**2] if prior is None else [_BIAS**2, 0.25]

    def variance(self, part: Mapping[str, float]) -> Floats:
        """The prior variance of every weight in one part of the mixture."""
        found, start = list[Floats](), 0
        kinds = [name.split(":")[0] for name, _ in self._blocks]
        for kind, (_, width) in zip(kinds, self._blocks, strict=True):
            block = self.columns[:, start : start + width]
            square = np.einsum("nd,nd->d", block, block).astype(np.float64) / max(1, len(block))
            power = part["roughness"] if kind == "graph" else 1.0
            spectrum = np.where(square > 0, np.maximum(square, 1e-30) ** power, 0.0)
            share = np.where(square > 0, spectrum / np.maximum(square, 1e-30), 0.0)
            total = float(spectrum.sum()) or 1.0
            found.append(part.get(kind, _OTHER) ** 2 / kinds.count(kind) * share / total)
            start += width
        return np.concatenate([*found, np.array(self._tail)])


def _voices(margins: Floats) -> Floats:
    """P(label) by label, part, temperature and lapse, given margins by label and part."""
    from scipy.special import ndtr

    spoken = ndtr(margins[:, :, None] * _TEMPERATURES)[..., None]
    voices: Floats = _LAPSES / 2 + (1 - _LAPSES) * spoken
    return voices


def _even_weights(parts: int) -> Floats:
    shape = (parts, len(_TEMPERATURES), len(_LAPSES))
    return np.full(shape, 1.0 / np.prod(shape))


def _score(prior: Floats, n: int) -> NDArray[np.float32]:
    """Probabilities as scores of a probit, about."""
    if prior.shape != (n,):
        raise InvalidInput(f"A prior has one probability per item; got {prior.shape} for {n}.")
    p = np.clip(prior, 1e-7, 1 - 1e-7)
    return ((np.log(p) - np.log1p(-p)) / _PROBIT).astype(np.float32)
