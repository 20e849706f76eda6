"""What settling and checking cost: sizes of checks, and the cheapest way to a promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.certificates.price import Prices, cheapest, check_size, nats_needed, priced

NATS = nats_needed(0.05)


def test_the_size_of_a_check_is_the_cap_or_what_one_yes_takes_to_finish() -> None:
    assert check_size(Prices(max_n=8), 5000, 0.0, 60, NATS).items == 8
    alone = check_size(Prices(max_n=None), 5000, 0.0, 60, NATS).items
    assert alone == pytest.approx(NATS * 5000 / 61, rel=0.02)


def test_without_a_cap_the_size_falls_with_the_errors_expected() -> None:
    sizes = [check_size(Prices(max_n=None), 5000, wrong, 60, NATS).items for wrong in (3, 15, 30)]
    assert sizes == sorted(sizes, reverse=True)
    assert 50 < sizes[2] < sizes[0]


@pytest.mark.parametrize(("wrong", "questions"), [(0, 32), (6, 62), (15, 86)])
def test_the_price_of_checks_is_about_what_was_measured(wrong: int, questions: int) -> None:
    size = check_size(Prices(max_n=8), 5000, wrong, 60, NATS)
    assert NATS / size.nats_per_cost == pytest.approx(questions, rel=0.35)


def test_checks_prove_nothing_where_more_are_wrong_than_may_be() -> None:
    assert check_size(Prices(), 5000, 100, 60, NATS).nats_per_cost == 0


def test_doubtful_items_are_settled_first_and_sure_ones_are_checked() -> None:
    wrong = np.concatenate([np.full(200, 0.4), np.full(4800, 0.001)])
    course = cheapest(Prices(), wrong, 50, NATS)
    assert 100 <= course.settle <= 300
    assert course.cost < 0.6 * course.everything
    assert course.at_once > course.cost


def test_where_everything_is_doubtful_everything_is_settled() -> None:
    course = cheapest(Prices(), np.full(500, 0.5), 5, NATS)
    assert course.settle >= 490
    assert course.cost == pytest.approx(course.everything, rel=0.02)


def test_pointing_is_priced_in_seconds_by_item() -> None:
    prices = Prices("pointed", 24, "seconds")
    assert prices.settling(np.array([0.0, 0.5])).tolist() == pytest.approx(
        [0.3 + 1 / 24, 0.8 + 1 / 24]
    )
    assert check_size(prices, 5000, 10, 60, NATS).items == 24


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=60),
    st.integers(0, 20),
    st.sampled_from(["questions", "seconds"]),
    st.sampled_from(["yes-no", "pointed"]),
    st.sampled_from([1, 8, None]),
)
def test_the_cheapest_course_costs_no_more_than_everything(
    wrong: list[float], allowed: int, objective: str, form: str, max_n: int | None
) -> None:
    prices = Prices(form, max_n, objective)  # type: ignore[arg-type]
    course = cheapest(prices, np.array(wrong), allowed, NATS)
    assert 0 <= course.settle <= len(wrong)
    assert course.cost <= course.everything + 1e-9
    again = priced(prices, np.array(wrong), course.settle, allowed, NATS)
    assert again == pytest.approx(course.cost)


def test_a_large_pool_is_priced_like_a_small_one() -> None:
    wrong = np.random.default_rng(0).beta(0.1, 2, 3000)
    small = cheapest(Prices(), wrong, 30, NATS)
    large = cheapest(Prices(), np.repeat(wrong, 10), 300, NATS)
    assert large.cost / 10 == pytest.approx(small.cost, rel=0.35)
