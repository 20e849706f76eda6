"""Questions per item when every guess is wrong with the same probability e, computed exactly.

With equal errors and an endless pool, a group test is a renewal process. A group of m items is
asked. If all are right, m items are settled. Otherwise the first wrong item, at place j, is found;
j items are settled, and the items behind it are as they were. So the questions per item are

    (1 + T(m)) / R(m),    R(m) = (1 - (1 - e)^m) / e    expected items settled

where T(m) is the expected number of further questions to find the first wrong item:

nested
    by the best tree of splits, T(m) = 1 - P(m) + min_k T(k) + P(k) T(m - k), P(m) = (1 - e)^m
linear
    by asking again without the last item, until the answer is yes or one item is left

Both take the m that is best for them. Tested in tests/experiments/test_theory.py.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from askless.core.bounds import capped_bound_questions
from askless.core.entropy import binary_entropy_bits

Floats = NDArray[np.float64]


def questions_per_item(e: float, most: int, search: Callable[[float, int], Floats]) -> float:
    """Return the fewest expected questions per item with groups of at most `most` items."""
    return float(np.min(_by_group_size(e, most, search)))


def best_group(e: float, most: int, search: Callable[[float, int], Floats]) -> int:
    """Return the group size that needs the fewest questions."""
    return 1 + int(np.argmin(_by_group_size(e, most, search)))


def _by_group_size(e: float, most: int, search: Callable[[float, int], Floats]) -> Floats:
    sizes = np.arange(1, most + 1)
    settled = (1.0 - (1.0 - e) ** sizes) / e
    costs: Floats = (1.0 + search(e, most)[1:]) / settled
    return costs


def nested_search(e: float, most: int) -> Floats:
    """Return T(m) for m = 0 .. most, by the best tree of splits."""
    return _split_search(e, most, lambda costs, right: int(np.argmin(costs)))


def greedy_search(e: float, most: int) -> Floats:
    """Return T(m) when a run is split where the answer carries most bits, as `nested` does."""
    return _split_search(e, most, lambda costs, right: int(np.argmax(binary_entropy_bits(right))))


def _split_search(e: float, most: int, choose: Callable[[Floats, Floats], int]) -> Floats:
    right = (1.0 - e) ** np.arange(most + 1)
    search = np.zeros(most + 1)
    for m in range(2, most + 1):
        costs = search[1:m] + right[1:m] * search[m - 1 : 0 : -1]
        first_right = (right[1:m] - right[m]) / (1.0 - right[m])
        search[m] = 1.0 - right[m] + costs[choose(costs, first_right)]
    return search


def linear_search(e: float, most: int) -> Floats:
    """Return T(m) for m = 0 .. most, by dropping one item at a time."""
    search = np.zeros(most + 1)
    for m in range(2, most + 1):
        place = np.arange(1, m + 1)  # of the first wrong item
        further = np.where(place == 1, m - 1, m - place + 1)
        search[m] = np.sum(e * (1.0 - e) ** (place - 1) * further)
    return search


def bound_per_item(e: float, max_n: int) -> float:
    """Return the capped lower bound, per item."""
    n = 1000  # the bound is proportional to the number of items
    return capped_bound_questions(np.full(n, e), max_n) / n
