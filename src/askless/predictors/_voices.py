"""Several kernels, each in several tones, and all of them in chorus: one average of the voices.

A kernel gives a label the margin z. Its voices are lapse / 2 + (1 - lapse) Phi(T z), for 13
temperatures T, of which one is 1, and two rates of lapse. Kernels that are wrong about different
items know more together than the best of them, so there is one more margin, the chorus: a probit
of the weighted sum of all margins, its weights learnt like a kernel's (stacking;
`askless.predictors._probit`).
The average of all voices is weighted by Bayes' rule, with a little forgetting, so that a voice
that was wrong early may come back:

    w <- (1 - f) w P(label) / sum w P(label) + f / count,   f = 0.0005

Its total loss is at most that of the best voice that goes on plus log2 of their number, and a
little for the forgetting (Herbster and Warmuth 1998).

Of kernels that say what somebody brought (`brought`, the first ones) the first is what was
brought as it is. Half the weight starts with it, where T is 1, and in the chorus it counts one and
all others together about one, as evidence from two sources does. They have few columns and never
fall silent; nor does any kernel because it is behind them.

Every other kernel costs time, so fewer and fewer go on: 300 / sqrt(labels), or four. First to fall
silent is the one whose weight m in the chorus, of variance s, is most likely nought, by m^2 / s;
the others' weights become what they are given that it is nought. One that is `BEHIND_BITS` behind
the best by itself and may as well be nought in the chorus (`_NOUGHT`) is silenced at once. To be
behind is no reason by itself: a kernel that is behind at first may be the best in the end.

All this takes labels for a fair sample. They are none where easy items are asked first: then the
kernel believed most is asked about what it is surest of and pays for every mistake, the others are
not, and trust swings from one to the next. So there is no chorus then (`fair` is False), and a
kernel that falls behind is silent for good. Cost: O(labels x voices).
Tested in tests/predictors/test_voices.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.predictors._probit import Belief

Floats = NDArray[np.float64]

FEWEST: Final = 4
BEHIND_BITS: Final = 20.0
_NOUGHT: Final = 0.3  # a weight's square over its variance below which it may as well be nought
_SPEAKING: Final = 300.0  # over the root of the labels: so many kernels go on
_FREEDOM: Final = 0.1  # the variance of a kernel's weight in the chorus, before any label
_TEMPERATURES: Final = np.exp(0.15 * np.arange(-5, 8))
_LAPSES: Final = np.array([0.0002, 0.002])
_FORGETTING: Final = 0.0005
_CHUNK: Final = 64
_FAR: Final = 12.0  # no margin need be told from a larger one
_FINE: Final = 250  # places to a unit of margin
_MARGINS: Final = np.linspace(-_FAR, _FAR, round(2 * _FAR * _FINE) + 1)
"""The tones of one margin together are one curve, kept at these places: the error is below 1e-5."""


@dataclass(frozen=True, slots=True, eq=False)
class Voices:
    """The weights of the voices; made anew by what they are told.

    Parameters
    ----------
    fair
        Whether labels come at random.
    brought
        How many kernels, the first ones, say what somebody brought.
    weights
        By kernel, temperature and lapse, the chorus last; they add up to one.
    mean, spread
        Mean and covariance of the kernels' weights in the chorus; nought where one is silent.
    evidence
        By kernel: log2 of the chance it gave to all labels.
    labels
        How many were foretold.
    bits
        The code length of all labels, each foretold by the average just before it was learnt.
    """

    fair: bool
    brought: int
    weights: Floats
    mean: Floats
    spread: Floats
    evidence: Floats
    labels: int = 0
    bits: float = 0.0

    @staticmethod
    def even(kernels: int, *, fair: bool = True, brought: int = 0) -> Voices:
        """As many kernels, nothing foretold yet."""
        weights = np.ones((kernels + 1, len(_TEMPERATURES), len(_LAPSES)))
        weights[-1] = fair or not kernels
        mean, spread = np.full(kernels, 1.0 / max(1, kernels)), _FREEDOM * np.eye(kernels)
        if brought:
            weights[0] = 0.0
            weights[0, _TEMPERATURES == 1.0] = max(1.0, weights.sum()) / len(_LAPSES)
            mean[0] = 1.0
        return Voices(fair, brought, weights / weights.sum(), mean, spread, np.zeros(kernels))

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]]) -> Voices | None:
        """The voices whose `arrays` these are; None if they are somebody else's."""
        if not set(Voices.__slots__) <= set(arrays):
            return None
        found = {name: np.asarray(arrays[name]) for name in Voices.__slots__}
        k = found["mean"].size
        shapes = {"weights": (k + 1, len(_TEMPERATURES), len(_LAPSES)), "spread": (k, k)}
        shapes |= {"mean": (k,), "evidence": (k,)}
        for name, array in found.items():
            if array.shape != shapes.get(name, ()) or array.dtype.kind not in "biuf":
                return None
            if not np.all(np.isfinite(array)):
                return None
        if k and not np.any(np.diagonal(found["spread"]) > 0):
            return None
        if found["brought"].dtype.kind not in "iu" or not 0 <= int(found["brought"]) <= k:
            return None
        weights, mean, spread, evidence = (
            np.array(found[name], np.float64) for name in ("weights", "mean", "spread", "evidence")
        )
        fair, labels, bits = (found[name] for name in ("fair", "labels", "bits"))
        brought = int(found["brought"])
        return Voices(
            bool(fair), brought, weights, mean, spread, evidence, int(labels), float(bits)
        )

    @property
    def kernels(self) -> int:
        """How many kernels there are, silent ones included."""
        return len(self.mean)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything, by name."""
        return {name: np.array(getattr(self, name)) for name in Voices.__slots__}

    def speaking(self) -> list[int]:
        """The kernels that are not silent."""
        return [int(at) for at in np.flatnonzero(np.diagonal(self.spread))]

    def by_kernel(self) -> Floats:
        """The weight of every kernel, by itself and in the chorus."""
        total = self.weights.sum(axis=(1, 2))
        loud = np.abs(self.mean)
        shares: Floats = total[:-1] + total[-1] * loud / max(float(loud.sum()), 1e-300)
        return shares

    def told(self, margins: Mapping[int, Floats]) -> Voices:
        """Weighed again by the margins that each speaking kernel gave some labels, in turn."""
        speaking = self.speaking()
        heard = np.stack([margins[at] for at in speaking], axis=1)
        chorus, labels = self._chorus(speaking), self.labels + len(heard)
        rows, spoken = speaking, heard
        if self.fair:
            rows, spoken = [*speaking, -1], np.column_stack([heard, _foretold(chorus, heard)])
        weights, alone, bits = self.weights[rows], np.zeros(len(rows)), self.bits
        for chances in _spoken(spoken):
            agreed = weights * chances
            total = float(agreed.sum())
            alone += np.log2(agreed.sum((1, 2)) / weights.sum((1, 2)))
            bits -= np.log2(total)
            weights = (1 - _FORGETTING) * agreed / total + _FORGETTING / agreed.size
        result, evidence = np.zeros_like(self.weights), self.evidence.copy()
        result[rows] = weights
        evidence[speaking] += alone[: len(speaking)]
        mean, spread = np.zeros_like(self.mean), np.zeros_like(self.spread)
        mean[speaking], spread[np.ix_(speaking, speaking)] = chorus.mean, chorus.spread
        told = Voices(self.fair, self.brought, result, mean, spread, evidence, labels, float(bits))
        return told._fewer()

    def chances(self, margins: Mapping[int, Floats]) -> Floats:
        """The average chance of labels with these margins, by speaking kernel."""
        speaking = self.speaking()
        size = len(next(iter(margins.values())))
        chance = np.full(size, float(self.weights.sum((0, 1)) @ _LAPSES) / 2)
        steady = self.weights @ (1 - _LAPSES)
        heard = dict(margins)
        if self.fair:
            chorus = self._chorus(speaking)
            chorus.renew_all(np.stack([margins[at] for at in speaking], axis=1))
            heard[-1] = chorus.margins()
        for at, margin in heard.items():
            chance += _read_off(steady[at] @ _tones_of_margins(), margin)
        clipped: Floats = np.clip(chance, 1e-9, 1 - 1e-9)
        return clipped

    def _chorus(self, speaking: list[int]) -> Belief:
        """The belief about the weights of the kernels that speak; its columns are their margins."""
        spread = self.spread[np.ix_(speaking, speaking)]
        return Belief(self.mean[speaking], spread, np.empty(0), np.empty(0))

    def _fewer(self) -> Voices:
        """Silence those that may as well be silent, the least of them first."""
        voices, speaking = self, [at for at in self.speaking() if at >= self.brought]
        most = max(FEWEST, ceil(_SPEAKING / np.sqrt(self.labels)))
        most, nought = (most, _NOUGHT) if self.fair else (len(speaking), np.inf)
        while speaking:
            weight = np.square(voices.mean[speaking]) / np.diagonal(voices.spread)[speaking]
            evidence = self.evidence[speaking]
            idle = (evidence < evidence.max() - BEHIND_BITS) & (weight < nought)
            if len(speaking) <= most and not idle.any():
                return voices
            if len(speaking) <= most:
                weight[~idle] = np.inf
            voices = voices._without(speaking.pop(int(np.argmin(weight))))
        return voices

    def _without(self, at: int) -> Voices:
        """One kernel silent; the others' weights in the chorus given that its own is nought."""
        weights, along = self.weights.copy(), self.spread[at] / self.spread[at, at]
        mean, spread = (
            self.mean - self.mean[at] * along,
            self.spread - np.outer(along, self.spread[at]),
        )
        mean[at], spread[at], spread[:, at], weights[at] = 0.0, 0.0, 0.0, 0.0
        return replace(self, weights=weights / weights.sum(), mean=mean, spread=spread)


def _foretold(chorus: Belief, heard: Floats) -> Floats:
    """The margins of the chorus for labels it learns in turn, from what it heard of each."""
    margins = []
    for start in range(0, len(heard), _CHUNK):
        part = heard[start : start + _CHUNK]
        margins.append(chorus.learn(part, np.arange(len(part)), np.ones(len(part)), renew=False))
    return np.concatenate(margins)


@cache
def _tones_of_margins() -> Floats:
    """Phi(T z) by temperature and margin."""
    from scipy.special import ndtr

    tones: Floats = ndtr(_TEMPERATURES[:, None] * _MARGINS)
    return tones


def _read_off(curve: Floats, margins: Floats) -> Floats:
    """The curve at these margins; several times as quick as `np.interp`, which seeks places."""
    place = np.clip((margins + _FAR) * _FINE, 0.0, len(curve) - 1.001)
    low = place.astype(np.intp)
    below = curve[low]
    read: Floats = below + (place - low) * (curve[low + 1] - below)
    return read


def _spoken(margins: Floats) -> Floats:
    """P(label) by label, kernel, temperature and lapse, given margins by label and kernel."""
    from scipy.special import ndtr

    tones = ndtr(margins[:, :, None] * _TEMPERATURES)[..., None]
    spoken: Floats = _LAPSES / 2 + (1 - _LAPSES) * tones
    return spoken
