"""Several kernels, each in several tones: one average, weighted by what was foretold.

A kernel gives a label the margin z. Its voices are lapse / 2 + (1 - lapse) Phi(T z), for 13
temperatures T and two rates of lapse. The average of all voices is weighted by Bayes' rule, with a
little forgetting, so that a voice that was wrong early may come back:

    w <- (1 - f) w P(label) / sum w P(label) + f / count,   f = 0.0005

Its total loss is at most that of the best voice plus log2 of their number, and a little for the
forgetting (Herbster and Warmuth 1998). A kernel that is `BEHIND_BITS` behind the best in all
is silent from then on. Cost: O(labels x voices).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BEHIND_BITS: Final = 20.0
_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.5), np.log(3.0), 13))
_LAPSES: Final = np.array([0.0002, 0.002])
_FORGETTING: Final = 0.0005
_MARGINS: Final = np.linspace(-12.0, 12.0, 6001)
"""A kernel's tones together are one curve, kept at these margins: the error is below 1e-5."""


@dataclass(frozen=True, slots=True, eq=False)
class Voices:
    """The weights of the voices; made anew by what they are told.

    Parameters
    ----------
    weights
        By kernel, temperature and lapse; they add up to one.
    evidence
        By kernel: log2 of the chance it gave to all labels; -inf once it is silent.
    bits
        The code length of all labels, each foretold by the average just before it was learnt.
    """

    weights: Floats
    evidence: Floats
    bits: float = 0.0

    @staticmethod
    def even(kernels: int) -> Voices:
        """As many kernels, nothing foretold yet."""
        shape = (kernels, len(_TEMPERATURES), len(_LAPSES))
        count = max(1, kernels * len(_TEMPERATURES) * len(_LAPSES))
        return Voices(np.full(shape, 1.0 / count), np.zeros(kernels))

    @staticmethod
    def restored(arrays: Mapping[str, NDArray[Any]]) -> Voices | None:
        """The voices whose `arrays` these are; None if they are somebody else's."""
        if not {"weights", "evidence", "bits"} <= set(arrays):
            return None
        weights = np.array(arrays["weights"], dtype=np.float64)
        evidence = np.array(arrays["evidence"], dtype=np.float64)
        fits = weights.shape == (len(evidence), len(_TEMPERATURES), len(_LAPSES))
        return Voices(weights, evidence, float(arrays["bits"])) if fits else None

    @property
    def kernels(self) -> int:
        """How many kernels there are, silent ones included."""
        return len(self.evidence)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights, evidence and bits."""
        return {"weights": self.weights, "evidence": self.evidence, "bits": np.array(self.bits)}

    def speaking(self) -> list[int]:
        """The kernels that are not silent."""
        return [int(at) for at in np.flatnonzero(np.isfinite(self.evidence))]

    def by_kernel(self) -> Floats:
        """The weight of every kernel."""
        total: Floats = self.weights.sum(axis=(1, 2))
        return total

    def told(self, margins: Mapping[int, Floats]) -> Voices:
        """Weighed again by the margins that each speaking kernel gave some labels, in turn."""
        speaking = sorted(margins)
        spoken = _spoken(np.stack([margins[at] for at in speaking], axis=1))
        shape = spoken.shape[1:]
        count = int(np.prod(shape))
        weights = self.weights[speaking].ravel()
        heard, bits = np.zeros(len(speaking)), self.bits
        for chances in spoken.reshape(len(spoken), count):
            agreed = weights * chances
            shares = agreed.reshape(shape).sum((1, 2)) / weights.reshape(shape).sum((1, 2))
            heard += np.log2(shares)
            total = float(agreed.sum())
            bits -= np.log2(total)
            weights = (1 - _FORGETTING) * agreed / total + _FORGETTING / count
        evidence = self.evidence.copy()
        evidence[speaking] += heard
        evidence[evidence < evidence.max() - BEHIND_BITS] = -np.inf
        result = np.zeros_like(self.weights)
        result[speaking] = weights.reshape(shape)
        result[~np.isfinite(evidence)] = 0.0
        return Voices(result / result.sum(), evidence, float(bits))

    def chances(self, margins: Mapping[int, Floats]) -> Floats:
        """The average chance of labels with these margins, by speaking kernel."""
        size = len(next(iter(margins.values())))
        chance = np.full(size, float(self.weights.sum((0, 1)) @ _LAPSES) / 2)
        steady = self.weights @ (1 - _LAPSES)
        for at, margin in margins.items():
            chance += np.interp(margin, _MARGINS, steady[at] @ _tones_of_margins())
        clipped: Floats = np.clip(chance, 1e-9, 1 - 1e-9)
        return clipped


@cache
def _tones_of_margins() -> Floats:
    """Phi(T z) by temperature and margin."""
    from scipy.special import ndtr

    tones: Floats = ndtr(_TEMPERATURES[:, None] * _MARGINS)
    return tones


def _spoken(margins: Floats) -> Floats:
    """P(label) by label, kernel, temperature and lapse, given margins by label and kernel."""
    from scipy.special import ndtr

    tones = ndtr(margins[:, :, None] * _TEMPERATURES)[..., None]
    spoken: Floats = _LAPSES / 2 + (1 - _LAPSES) * tones
    return spoken
