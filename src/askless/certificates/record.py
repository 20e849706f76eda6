"""What a policy remembers: how right the predictor was about items drawn at random.

A predictor undercounts its own errors, above all among the items it is sure of. Items that were
drawn at random say by how much: what was predicted of them is noted before they are asked, and set
beside the labels that came. With W wrong guesses where E were expected, the chance that a guess is
wrong is r times what the predictor says, and r has the gamma distribution of shape W + 2 and rate
E + 2 / 1.2. Checks of a claim are drawn at random too: under r a check of g items at the rate e is
a yes with chance exp(-r e g).

It is for speed alone: a session that is opened again begins a new record, and promises nothing
less. Imported by `askless.certificates.enough`; tested in tests/certificates/test_record.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.claimed import Mask

Floats = NDArray[np.float64]

_SHAPE: Final = 2.0
_MEAN: Final = 1.2
"""Of r before anything is known; the shape is how many errors that is worth."""
_RATIOS: Final = np.geomspace(0.1, 30.0, 120)
_SLOPE: Final = 0.4
"""The errors of a predictor fall like the number of labels to this power, until it is known."""
_SLOPE_WORTH: Final = 0.3
_RECENT: Final = 3.0
"""The slope is that of the labels since there were so many times fewer."""


@dataclass(eq=False)
class Record:
    """What was predicted of random items, and what came of it."""

    waiting: list[tuple[NDArray[np.intp], Floats, Mask]] = field(default_factory=list)
    """Items drawn at random and not all settled: items, chance to be wrong, guess."""
    predicted: list[Floats] = field(default_factory=list)
    wrong: list[Mask] = field(default_factory=list)
    curve: list[tuple[float, float]] = field(default_factory=list)
    """Logarithms of how many labels were known, and of the share expected to be wrong."""
    rates: list[tuple[float, int]] = field(default_factory=list)
    """Of each check: the share expected to be wrong, and its size."""
    settled_at: int = 0
    """How many checks there were when doubtful items were settled last."""
    weighed_at: int = 0
    """How many checks there were when it was weighed last what to do."""
    weighed_with: tuple[object, int] = (None, 0)
    """With which probs that was, and after how many noes."""
    wanted: bool = False
    """Whether doubtful items were to be settled when that was weighed last."""
    learning: bool = True
    """Whether all labels came at random so far: only then the errors of the rest are comparable."""
    claim: int | None = None
    ratio: float = _MEAN
    """How many times as many guesses are wrong as are said to be, by the last look."""
    said: list[float] = field(default_factory=list)
    """In all or in each stratum, the share said to be wrong at the last look."""
    allowed: float = 0.0
    """How many guesses may be wrong, by the last look."""

    def draw(self, items: NDArray[np.intp], wrong: Floats, guess: Mask) -> None:
        """These items are asked next, at random; so likely are these guesses to be wrong."""
        self.waiting.append((items, wrong[items], guess[items]))

    def note(self, labels: NDArray[np.int8], wrong: Floats, claim: int | None) -> None:
        """See what became of the items drawn, and how well the rest is predicted."""
        still = []
        for items, chance, guess in self.waiting:
            known = labels[items] >= 0
            self.predicted.append(chance[known])
            self.wrong.append((labels[items] == 1)[known] != guess[known])
            left = labels[items] == -1
            if left.any():
                still.append((items[left], chance[left], guess[left]))
        self.waiting = still
        if claim != self.claim:
            self.claim, self.rates, self.wanted = claim, [], False
            self.settled_at = self.weighed_at = 0
        known_labels = int(np.count_nonzero(labels >= 0))
        if self.learning and known_labels and len(wrong) and wrong.any():
            self.curve.append((float(np.log(known_labels)), float(np.log(wrong.mean()))))

    def look(self, cut: float, yes: int, no: int) -> float:
        """How many times as many guesses are wrong as are said to be, among the surer ones.

        Parameters
        ----------
        cut
            Only items no more likely to be wrong than this count.
        yes, no
            What the checks of the claim have shown.
        """
        predicted = np.concatenate([np.zeros(0), *self.predicted])
        wrong = np.concatenate([np.zeros(0, bool), *self.wrong])
        sure = predicted <= cut
        shape = _SHAPE + float(np.count_nonzero(wrong[sure]))
        rate = _SHAPE / _MEAN + float(predicted[sure].sum())
        weight = shape * np.log(_RATIOS) - rate * _RATIOS
        if self.rates and yes + no:
            each = np.mean([rate * size for rate, size in self.rates[-(yes + no) :]])
            weight -= yes * each * _RATIOS
            if no:
                weight += no * np.log(-np.expm1(-np.maximum(each, 1e-9) * _RATIOS))
        weight = np.exp(weight - weight.max())
        self.ratio = float(weight @ _RATIOS / weight.sum())
        return self.ratio

    def slope(self) -> float:
        """To which power of the number of labels the errors fall."""
        if len(self.curve) < 2:
            return _SLOPE
        points = np.array(self.curve)
        x, y = points[points[:, 0] > points[-1, 0] - np.log(_RECENT)].T
        x, y = x - x.mean(), y - y.mean()
        slope = (_SLOPE * _SLOPE_WORTH - float(x @ y)) / (_SLOPE_WORTH + float(x @ x))
        return float(np.clip(slope, 0.0, 1.5))
