"""What is counted in a run: answers of each kind, and how soon labels were settled.

The bits that a run is set beside are in `askless.core.bounds`. O(questions).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

import numpy as np

from askless.core.question import Answer, Kind


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
