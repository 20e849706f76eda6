"""Expected labels per question, for those who want the first ones soonest.

A group of m items, all right with chance P, may be asked once and a refusal left alone for
the time being: m P labels for one question. Or the first wrong item is looked for to the end. If
it stands at place j with chance p_j given a refusal, that takes about

    T = max(1, entropy of p in bits)     more questions, and settles     L = sum_j j p_j     items

since those before it are then known to be right. So the group promises

    max(m P,  (m P + (1 - P) L) / (1 + (1 - P) T))

labels a question. A group that is refuted already, its first k items right with chance u, promises
max(u (k + [k = m - 1]), L / T) when these are asked. Sure groups promise nearly m, refuted
ones little: so these are left until no new group promises more.

Used by `askless.planners.nested`; tested in tests/planners/test_labels_per_question.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def group_labels(wrong: Sequence[float]) -> float:
    """The labels a question that a new group promises; one item is always settled.

    Parameters
    ----------
    wrong
        The chance of each guess to be wrong, in asking order, above 0.
    """
    if len(wrong) == 1:
        return 1.0
    right, place = _search(wrong)
    settled, questions = _found(place)
    all_right = float(right[-1])
    at_once = len(wrong) * all_right
    to_the_end = (at_once + (1.0 - all_right) * settled) / (1.0 + (1.0 - all_right) * questions)
    return max(at_once, to_the_end)


def refuted_labels(wrong: Sequence[float], first: int) -> float:
    """The labels a question that a refuted group promises when its first items are asked.

    Parameters
    ----------
    wrong
        The chance of each guess to be wrong before the refusal, in asking order; two or more.
    first
        How many items to ask.
    """
    _, place = _search(wrong)
    settled, questions = _found(place)
    yes = place[first:].sum()
    at_once = yes * (first + (first == len(wrong) - 1))
    return float(max(at_once, settled / questions))


def _search(wrong: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The chance that the first 1, 2, ... items are right, and p."""
    e = np.array(wrong)
    logs = np.cumsum(np.log1p(-e))
    right = np.exp(logs)
    place = np.concatenate([[1.0], right[:-1]]) * e / -np.expm1(logs[-1])
    return right, place


def _found(place: NDArray[np.float64]) -> tuple[float, float]:
    """L and T."""
    likely = place[place > 0.0]
    bits = -float(likely @ np.log2(likely))
    return float(place @ np.arange(1, len(place) + 1)), max(1.0, bits)
