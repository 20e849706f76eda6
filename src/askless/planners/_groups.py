"""How many items to ask about at once, when a "no" is followed by halving.

For items in a fixed order, item i wrong with chance e_i and P(i, m) the chance that the
m items from i on are all right, a question about k items costing c(k) = a + b k:

    T(i, 1) = 0
    T(i, m) = min_k  (1 - P(i, m)) c(k) + T(i, k) + P(i, k) T(i + k, m - k)
    V(i)    = min_m  c(m) + T(i, m) + P(i, m) V(i + m) + sum_{j<m} P(i, j) e_{i+j} V(i + j + 1)

T is what it costs to find the first wrong item of a run known to hold one, by the best
tree of splits; V what all items from i on cost, since those behind the first wrong
item are as they were. With a = 1 and b = 0 costs are questions.

Where a wrong guess in a group of k is overlooked at an expected cost of s(k), a group that holds
just one costs that much more in V. In T it costs twice that, as a wrong item among the first k that
is overlooked has a right one behind them taken for wrong.

The table T costs O(L M^2) for a window of L items and groups of M, all of it in long numpy
sums. Where many items share little doubt they are bundled, so that a group is never more
than `_WIDEST` bundles; finding the wrong item of a bundle of s then counts log2 s questions.
Used by `askless.planners.nested`; tested in tests/planners/test_groups.py.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_WIDEST: Final = 32
_BUNDLED_DOUBT: Final = 1 / 32
"""Bundles end where their doubt reaches this: P(group) = 1/3 takes about `_WIDEST` of them."""


def group_ends(
    wrong: NDArray[np.float64],
    most: int,
    per_question: float,
    per_item: float,
    slip_cost: NDArray[np.float64] | None = None,
) -> NDArray[np.intp]:
    """For each item of the window, where a group that starts with it had best end.

    Parameters
    ----------
    wrong
        The chance of each guess to be wrong, in asking order; at least one, all above 0.
    most
        The largest group.
    per_question, per_item
        a and b, what a question costs and each item shown in it.
    slip_cost
        s(k) for k = 0 .. `most`; None if nothing is overlooked.
    """
    starts = _bundles(wrong, most)
    n = len(starts) - 1
    right = _all_right(np.add.reduceat(np.log1p(-wrong), starts[:-1]), min(most, _WIDEST))
    find = _finding(right, starts, per_question, per_item, slip_cost)
    bad = 1.0 - right[1]
    odds = np.add.reduceat(wrong / (1.0 - wrong), starts[:-1])
    cost = np.zeros(n + 1)
    ends = np.empty(len(wrong), dtype=np.intp)
    for i in reversed(range(n)):
        within = int(np.searchsorted(starts, starts[i] + most, side="right")) - 1 - i
        m = min(len(right) - 1, within)
        then = cost[i + 1 : i + m + 1]
        total = find[1 : m + 1, i] + right[1 : m + 1, i] * then
        total += np.cumsum(right[:m, i] * bad[i : i + m] * then)
        size = starts[i + 1 : i + m + 1] - starts[i]
        total += per_question + per_item * size
        if slip_cost is not None:
            total += slip_cost[size] * right[1 : m + 1, i] * np.cumsum(odds[i : i + m])
        best = int(total.argmin())
        cost[i] = total[best]
        ends[starts[i] : starts[i + 1]] = starts[i + best + 1]
    return ends


def _bundles(wrong: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """Where each bundle starts, and where the last ends; single items while they are few."""
    longest = most // 8 if len(wrong) > _WIDEST else 1
    if longest <= 1:
        return np.arange(len(wrong) + 1)
    starts, doubt = [0], 0.0
    for at, e in enumerate(wrong.tolist()):
        if at > starts[-1] and (doubt + e > _BUNDLED_DOUBT or at - starts[-1] == longest):
            starts.append(at)
            doubt = 0.0
        doubt += e
    return np.array([*starts, len(wrong)])


def _all_right(logs: NDArray[np.float64], widest: int) -> NDArray[np.float64]:
    """P(i, m) at [m, i], for m up to `widest`; 0 where the window ends before."""
    n = len(logs)
    so_far = np.concatenate([[0.0], np.cumsum(logs)])
    right = np.zeros((min(widest, n) + 1, n))
    for m in range(len(right)):
        right[m, : n - m + 1] = np.exp(so_far[m:] - so_far[: n - m + 1])[:n]
    return right


def _finding(
    right: NDArray[np.float64],
    starts: NDArray[np.intp],
    per_question: float,
    per_item: float,
    slip_cost: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """T(i, m) at [m, i]."""
    find = np.zeros_like(right)
    sizes = np.diff(starts)
    find[1] = (1.0 - right[1]) * (per_question * np.log2(sizes) + per_item * (sizes - 1))
    for m in range(2, len(right)):
        n = right.shape[1] - m + 1
        bad = 1.0 - right[m, :n]
        least = np.full(n, np.inf)
        for k in range(1, m):
            split = right[k, :n] * find[m - k, k : k + n] + find[k, :n]
            size = starts[k : k + n] - starts[:n]
            if per_item:
                split += bad * per_item * size
            if slip_cost is not None:
                at_most = np.minimum(size, len(slip_cost) - 1)  # larger runs are never asked
                split += 2.0 * slip_cost[at_most] * (1.0 - right[k, :n])
            np.minimum(least, split, out=least)
        find[m, :n] = least + bad * per_question
    return find
