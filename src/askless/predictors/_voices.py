"""Several kernels, each in several tones, and all of them in chorus: one average of the voices.

A kernel gives a label the margin z. Its voices are lapse / 2 + (1 - lapse) Phi(T z), for 13
temperatures T and two rates of lapse. Kernels that are wrong about different items know more
together than the best of them, so there is one more margin, the chorus: a probit of the weighted
sum of all margins, its weights learnt like a kernel's (stacking; `askless.predictors._probit`).
The average of all voices is weighted by Bayes' rule, with a little forgetting, so that a voice
that was wrong early may come back:

    w <- (1 - f) w P(label) / sum w P(label) + f / count,   f = 0.0005

Its total loss is at most that of the best voice plus log2 of their number, and a little for the
forgetting (Herbster and Warmuth 1998).

Every kernel costs time, so fewer and fewer go on: 300 / sqrt(labels), four at least. First to fall
silent is the one whose weight m in the chorus, of variance s, is most likely nought, by m^2 / s;
the others' weights become what they are given that it is nought. How well a kernel does by itself
is no reason: one that is behind at first may be the best in the end. Cost: O(labels x voices).
Tested in tests/predictors/test_voices.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.predictors._probit import Belief

Floats = NDArray[np.float64]

FEWEST: Final = 4
_SPEAKING: Final = 300.0  # over the root of the labels: so many kernels go on
_FREEDOM: Final = 0.1  # the variance of a kernel's weight in the chorus, before any label
_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.5), np.log(3.0), 13))
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
    weights
        By kernel, temperature and lapse, the chorus last; they add up to one.
    mean, spread
        Mean and covariance of the kernels' weights in the chorus; nought where one is silent.
    labels
        How many were foretold.
    bits
        The code length of all labels, each foretold by the average just before it was learnt.
    """

    weights: Floats
    mean: Floats
    spread: Floats
    labels: int = 0
    bits: float = 0.0

    @staticmethod
    def even(kernels: int) -> Voices:
        """As many kernels, nothing foretold yet."""
        shape = (kernels + 1, len(_TEMPERATURES), len(_LAPSES))
        mean = np.full(kernels, 1.0 / max(1, kernels))
        return Voices(np.full(shape, 1.0 / np.prod(shape)), mean, _FREEDOM * np.eye(kernels))

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]]) -> Voices | None:
        """The voices whose `arrays` these are; None if they are somebody else's."""
        if not set(Voices.__slots__) <= set(arrays):
            return None
        weights, mean, spread = (
            np.array(arrays[name], dtype=np.float64) for name in ("weights", "mean", "spread")
        )
        shape = (len(mean) + 1, len(_TEMPERATURES), len(_LAPSES))
        if weights.shape != shape or spread.shape != (len(mean), len(mean)):
            return None
        return Voices(weights, mean, spread, int(arrays["labels"]), float(arrays["bits"]))

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
        single = np.stack([margins[at] for at in speaking], axis=1)
        chorus, together = self._chorus(speaking), list[Floats]()
        for start in range(0, len(single), _CHUNK):
            part = single[start : start + _CHUNK]
            some = np.arange(len(part))
            together.append(chorus.learn(part, some, np.ones(len(part)), renew=False))
        spoken = _spoken(np.column_stack([single, np.concatenate(together)]))
        weights = self.weights[[*speaking, -1]]
        shape, bits = weights.shape, self.bits
        weights = weights.ravel()
        for chances in spoken.reshape(len(spoken), -1):
            agreed = weights * chances
            total = float(agreed.sum())
            bits -= np.log2(total)
            weights = (1 - _FORGETTING) * agreed / total + _FORGETTING / len(agreed)
        result = np.zeros_like(self.weights)
        result[[*speaking, -1]] = weights.reshape(shape)
        mean, spread = np.zeros_like(self.mean), np.zeros_like(self.spread)
        mean[speaking], spread[np.ix_(speaking, speaking)] = chorus.mean, chorus.spread
        return Voices(result, mean, spread, self.labels + len(single), float(bits))._fewer()

    def chances(self, margins: Mapping[int, Floats]) -> Floats:
        """The average chance of labels with these margins, by speaking kernel."""
        speaking = self.speaking()
        size = len(next(iter(margins.values())))
        chance = np.full(size, float(self.weights.sum((0, 1)) @ _LAPSES) / 2)
        steady = self.weights @ (1 - _LAPSES)
        chorus = self._chorus(speaking)
        chorus.renew_all(np.stack([margins[at] for at in speaking], axis=1))
        for at, margin in [*margins.items(), (-1, chorus.margins())]:
            chance += _read_off(steady[at] @ _tones_of_margins(), margin)
        clipped: Floats = np.clip(chance, 1e-9, 1 - 1e-9)
        return clipped

    def _chorus(self, speaking: list[int]) -> Belief:
        """The belief about the weights of the kernels that speak; its columns are their margins."""
        spread = self.spread[np.ix_(speaking, speaking)]
        return Belief(self.mean[speaking], spread, np.empty(0), np.empty(0))

    def _fewer(self) -> Voices:
        """Silence those that may as well be silent."""
        keep = max(FEWEST, ceil(_SPEAKING / np.sqrt(max(1, self.labels))))
        speaking = self.speaking()
        if len(speaking) <= keep:
            return self
        weights, mean, spread = self.weights.copy(), self.mean.copy(), self.spread.copy()
        while len(speaking) > keep:
            sure = np.square(mean[speaking]) / np.diagonal(spread)[speaking]
            least = speaking.pop(int(np.argmin(sure)))
            along = spread[least] / spread[least, least]
            mean, spread = mean - mean[least] * along, spread - np.outer(along, spread[least])
            mean[least], spread[least], spread[:, least], weights[least] = 0.0, 0.0, 0.0, 0.0
        return Voices(weights / weights.sum(), mean, spread, self.labels, self.bits)


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
