"""What a run is judged by.

Questions alone say little: the same number can mean a hard pool or a poor planner.
So a run is set beside the bits its labels were worth under the probs it was given,

    bits = -sum_i log2 p_i(label_i),    p clipped to [1e-7, 1 - 1e-7]

Without the clip one sure but wrong probability would make it infinite. O(n).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from askless.core.question import Answer, Kind

CLIP = 1e-7


def code_length_bits(probs: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """Bits needed to write down the right labels for somebody who has the probs.

    Parameters
    ----------
    probs
        P(label is True) for every item.
    labels
        The right label of every item.
    """
    of_truth = np.where(labels, probs, 1 - probs)
    return float(-np.log2(np.clip(of_truth, CLIP, 1 - CLIP)).sum())


def answer_counts(answers: Iterable[Answer]) -> dict[Kind, int]:
    """How many answers there are of each kind, zeros included."""
    counts: dict[Kind, int] = dict.fromkeys(get_args(Kind), 0)
    for answer in answers:
        counts[answer.kind] += 1
    return counts


def questions_at(settled: Sequence[int], n: int) -> dict[int, int]:
    """By which question each milestone of settled labels was reached.

    Milestones are 100, 250, 500, 1000, 2500, ... below `n`, and `n` itself.
    One that was not reached is left out.

    Parameters
    ----------
    settled
        How many labels were settled after each question; never decreasing.
    n
        The number of items in the pool.
    """
    places = np.searchsorted(settled, list(_milestones(n)))
    return {
        labels: int(place) + 1
        for labels, place in zip(_milestones(n), places, strict=True)
        if place < len(settled)
    }


def _milestones(n: int) -> Iterator[int]:
    scale = 100
    while scale < n:
        for labels in (scale, scale * 5 // 2, scale * 5):
            if labels < n:
                yield labels
        scale *= 10
    yield n
