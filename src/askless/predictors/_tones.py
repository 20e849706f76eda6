"""Calibration without a hold-out: how loudly to believe a score, learnt from labels to come.

A logit z is spoken in several tones, l/2 + (1 - l) sigmoid(t z) for temperatures t and lapses l.
Every label is foretold before it is learnt from; each tone is weighed by the chance
it gave to the labels so far, with a little forgetting since the score itself changes:

    w <- (1 - f) w P(label) / sum w P(label) + f / count,   f = 0.005

The answer is the weighted mean of the tones, drawn towards one half as by the rule of
succession, (m p + 1) / (m + 2) for m labels: m of them cannot speak for an error rate below
1 / (m + 2). Neither step changes the order of the items. Cost: O(tones) a label.
Tested in tests/predictors/test_network.py.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.05), np.log(1.5), 12))
_LAPSES: Final = np.array([0.0005, 0.01])
_FORGETTING: Final = 0.005

COUNT: Final = len(_TEMPERATURES) * len(_LAPSES)
"""How many tones there are."""


def even_tones() -> Floats:
    """The weights before anything was foretold."""
    return np.full(COUNT, 1.0 / COUNT)


def reweighed(weights: Floats, logits: Floats, labels: NDArray[np.bool_]) -> Floats:
    """The weights after these labels, which had been given these logits, came one by one."""
    for chances in _spoken(np.where(labels, logits, -logits)):
        agreed = weights * chances
        weights = (1 - _FORGETTING) * agreed / agreed.sum() + _FORGETTING / COUNT
    return weights


def toned(weights: Floats, logits: Floats, labels: int) -> Floats:
    """P(label is True) for items with these logits, after so many labels."""
    chance: Floats = _spoken(logits) @ weights
    return succession(chance, labels)


def succession(chance: Floats, labels: int) -> Floats:
    """Probabilities no bolder than so many labels allow."""
    drawn: Floats = (labels * chance + 1.0) / (labels + 2.0)
    return drawn


def _spoken(logits: Floats) -> Floats:
    """The chance of True by item and tone."""
    chance = 0.5 * (1.0 + np.tanh(0.5 * logits[:, None] * _TEMPERATURES))
    tones: Floats = (_LAPSES / 2 + (1 - _LAPSES) * chance[..., None]).reshape(len(logits), -1)
    return tones
