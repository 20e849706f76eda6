"""Whether probabilities came true: a reliability diagram in numbers.

Labels that were predicted are put in bins by what was said. In a calibrated bin the mean of what
was said is the share that came true. The expected calibration error is the mean distance between
the two, over all labels:

    ECE = sum over bins of count / total * |came - said|        (Naeini and others 2015)

Labels are predicted before they are known, so no hold-out is needed. Sure labels fill the outer
bins: half of all bins are finer towards 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

EDGES: Final = np.r_[0, 0.001, 0.01, 0.03, 0.1 * np.arange(1, 10), 0.97, 0.99, 0.999, 1]
"""The bins of P(label is True): tenths, and finer at both ends."""


@dataclass(frozen=True, eq=False, slots=True)
class Reliability:
    """A reliability diagram.

    Parameters
    ----------
    count
        How many labels there are in each bin of `EDGES`.
    said
        The mean probability there; nan in an empty bin.
    came
        The share of positives there; nan in an empty bin.
    """

    count: NDArray[np.int64]
    said: NDArray[np.float64]
    came: NDArray[np.float64]

    @property
    def ece(self) -> float:
        """The expected calibration error; 0 if nothing was predicted."""
        total = int(self.count.sum())
        gaps = np.nan_to_num(np.abs(self.came - self.said))
        return float(self.count @ gaps / total) if total else 0.0

    def plain(self) -> dict[str, Any]:
        """The diagram in JSON values, empty bins left out."""
        held = np.flatnonzero(self.count)
        return {
            "count": self.count[held].tolist(),
            "said": [round(float(value), 5) for value in self.said[held]],
            "came": [round(float(value), 5) for value in self.came[held]],
        }


def reliability(probs: ArrayLike, labels: ArrayLike) -> Reliability:
    """Compare what was said with what came.

    Parameters
    ----------
    probs
        P(label is True), as it was said.
    labels
        The labels, as they came.
    """
    said = np.asarray(probs, dtype=np.float64)
    came = np.asarray(labels, dtype=bool)
    bins = np.clip(np.searchsorted(EDGES, said, side="right") - 1, 0, len(EDGES) - 2)
    count = np.bincount(bins, minlength=len(EDGES) - 1)
    with np.errstate(invalid="ignore"):
        return Reliability(
            count,
            np.bincount(bins, said, len(EDGES) - 1) / count,
            np.bincount(bins, came, len(EDGES) - 1) / count,
        )
