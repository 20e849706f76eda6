import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.misses import MissRate, SlipCost, estimate_misses, misses_to_plan_with
from askless.errors import InvalidInput

COUNTS = st.dictionaries(
    st.integers(1, 500),
    st.integers(0, 100).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    max_size=6,
)


@given(COUNTS)
def test_the_chance_is_one_of_a_probability_and_never_falls_as_groups_grow(
    by_size: dict[int, tuple[int, int]],
) -> None:
    chances = estimate_misses(by_size).chances(np.arange(1, 1000))
    assert chances[0] == 0.0
    assert np.all(np.diff(chances) >= 0.0)
    assert chances[-1] < 1.0


def test_with_no_audits_it_is_what_people_miss_on_average() -> None:
    assert 0.05 < estimate_misses({}).chance(24) < 0.1
    assert 0.0 < estimate_misses({}).chance(4) < estimate_misses({}).chance(24)


@given(COUNTS, st.integers(2, 200))
def test_a_missed_audit_raises_it_and_one_that_was_found_lowers_it(
    by_size: dict[int, tuple[int, int]], size: int
) -> None:
    planted, missed = by_size.get(size, (0, 0))
    before = estimate_misses(by_size).chance(size)
    after_miss = estimate_misses({**by_size, size: (planted + 1, missed + 1)}).chance(size)
    after_hit = estimate_misses({**by_size, size: (planted + 1, missed)}).chance(size)
    assert after_hit <= before <= after_miss


@pytest.mark.parametrize(("level", "slope"), [(-1.7, 1.0), (-3.0, 0.0), (-0.5, 0.3)])
def test_many_audits_find_level_and_slope(level: float, slope: float) -> None:
    rng, true = np.random.default_rng(0), MissRate(level, slope)
    by_size = {size: (3000, int(rng.binomial(3000, true.chance(size)))) for size in (3, 8, 24, 64)}
    found = estimate_misses(by_size)
    for size in by_size:
        assert found.chance(size) == pytest.approx(true.chance(size), abs=0.02)


@pytest.mark.parametrize("values", [(), (1.0,), (0.0, -1.0), (float("nan"), 0.0), "ab", (1e9, 0.0)])
def test_what_is_no_miss_rate_is_refused(values: object) -> None:
    with pytest.raises(InvalidInput, match="misses are two numbers"):
        MissRate.of(values)  # type: ignore[arg-type]


def test_nothing_is_planned_with_until_something_was_overlooked() -> None:
    assert misses_to_plan_with({}, None) is None
    assert misses_to_plan_with({24: (10, 0), 4: (3, 0)}, None) is None
    assert misses_to_plan_with({24: (10, 1)}, None) == estimate_misses({24: (10, 1)})
    assert misses_to_plan_with({24: (10, 0)}, MissRate(-2.0, 0.5)) is None


def test_what_is_planned_with_changes_when_it_is_off_by_a_fifth() -> None:
    first = misses_to_plan_with({24: (10, 1)}, None)
    assert misses_to_plan_with({24: (10, 1), 8: (1, 0)}, first) is first
    assert misses_to_plan_with({24: (10, 4)}, first) == estimate_misses({24: (10, 4)})


@given(st.floats(0, 1000), st.integers(1, 100))
def test_a_slip_costs_the_price_of_a_wrong_label_as_often_as_it_happens(
    price_s: float, size: int
) -> None:
    misses = MissRate(-2.0, 0.5)
    assert SlipCost(price_s, misses).seconds(size) == price_s * misses.chance(size)
