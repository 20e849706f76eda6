"""Group sizes against the recurrence written out, and against known results."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.planners._groups import group_ends


class Recurrence:
    """The formulas of the module, one call at a time."""

    def __init__(
        self, wrong: list[float], most: int, a: float, b: float, slip: list[float] | None = None
    ) -> None:
        self.wrong, self.most, self.a, self.b = wrong, most, a, b
        self.slip = slip or [0.0] * (most + 1)
        self.find, self.cost = cache(self._find), cache(self._cost)

    def right(self, i: int, m: int) -> float:
        return float(np.prod([1.0 - e for e in self.wrong[i : i + m]]))

    def _find(self, i: int, m: int) -> float:
        if m == 1:
            return 0.0
        bad = 1.0 - self.right(i, m)
        return min(
            bad * (self.a + self.b * k)
            + self.find(i, k)
            + self.right(i, k) * self.find(i + k, m - k)
            + 2 * self.slip[k] * (1.0 - self.right(i, k))
            for k in range(1, m)
        )

    def group_cost(self, i: int, m: int) -> float:
        found = sum(self.right(i, j) * self.wrong[i + j] * self.cost(i + j + 1) for j in range(m))
        yes = self.right(i, m) * self.cost(i + m)
        odds = sum(e / (1.0 - e) for e in self.wrong[i : i + m])
        slips = self.slip[m] * self.right(i, m) * odds
        return self.a + self.b * m + self.find(i, m) + yes + found + slips

    def _cost(self, i: int) -> float:
        sizes = range(1, min(self.most, len(self.wrong) - i) + 1)
        return min((self.group_cost(i, m) for m in sizes), default=0.0)


chances = st.lists(st.floats(1e-9, 0.5), min_size=1, max_size=9)


@settings(max_examples=60, deadline=None)
@given(
    wrong=chances,
    most=st.integers(1, 10),
    costs=st.sampled_from([(1.0, 0.0), (1.0, 0.3), (0.2, 1.0)]),
    slip=st.sampled_from([0.0, 0.5, 5.0]),
)
def test_no_other_group_costs_less(
    wrong: list[float], most: int, costs: tuple[float, float], slip: float
) -> None:
    slips = [slip * k / 10 for k in range(most + 1)]
    ends = group_ends(np.array(wrong), most, *costs, np.array(slips) if slip else None)
    recurrence = Recurrence(wrong, most, *costs, slips)
    for i, end in enumerate(ends.tolist()):
        assert 1 <= end - i <= most
        assert recurrence.group_cost(i, end - i) == pytest.approx(recurrence.cost(i), rel=1e-9)


@pytest.mark.parametrize(
    ("e", "sizes"), [(0.05, (13, 14)), (0.1, (6, 7)), (0.2, (3,)), (0.3, (2,)), (0.4, (1,))]
)
def test_equal_chances_give_the_known_group_sizes(e: float, sizes: tuple[int, ...]) -> None:
    ends = group_ends(np.full(200, e), 32, 1.0, 0.0)
    assert ends[0] in sizes


def test_sure_items_are_bundled_into_groups_that_are_even_bets() -> None:
    wrong = np.full(5000, 1e-3)
    end = int(group_ends(wrong, 4096, 1.0, 0.0)[0])
    assert 0.45 < (1 - 1e-3) ** end < 0.55


@given(st.integers(1, 80))
def test_bundles_never_exceed_the_cap(most: int) -> None:
    wrong = np.full(300, 1e-6)
    ends = group_ends(wrong, most, 1.0, 0.0)
    assert np.all(ends - np.arange(300) <= most)
    assert np.all(ends > np.arange(300))
    assert ends[0] > most // 2


def test_groups_shrink_as_looking_gets_more_expensive() -> None:
    wrong = np.full(100, 0.02)
    sizes = [int(group_ends(wrong, 32, 1.0, b)[0]) for b in (0.0, 0.1, 1.0, 10.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]
