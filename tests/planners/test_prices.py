"""Prices: duals of the two bounds, and what they make of questions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.entropy import binary_entropy_bits
from askless.planners._prices import Prices, prices


def worth(going: Prices, yes: list[float], size: int, most_suspect: float = 0.0) -> list[float]:
    n = len(yes)
    values = going.worth(
        np.log(np.array(yes)),
        np.full(n, size),
        np.full(n, most_suspect),
        np.zeros(n),
        np.zeros(n, dtype=bool),
    )
    return [float(value) for value in values]


@given(yes=st.floats(0.55, 0.999), most=st.integers(1, 64))
def test_the_price_of_room_makes_the_question_that_uses_up_both_the_best(
    yes: float, most: int
) -> None:
    bits, right = float(binary_entropy_bits(yes)), most * yes  # of one full question
    going = prices(bits, right, most, 0)
    tried = np.concatenate([[yes], np.linspace(0.01, 0.9999, 300)]).tolist()
    values = worth(going, tried, most)
    assert values[0] >= max(values) - 1e-3


@given(bits=st.floats(1.0, 1e6), share=st.floats(0.0, 0.99), most=st.integers(1, 64))
def test_where_bits_are_scarce_room_is_nearly_free_and_suspicion_is(
    bits: float, share: float, most: int
) -> None:
    going = prices(bits, share * most * bits / 2, most, 0)
    assert 0.0 < going.item * most < 0.1
    assert going.suspicion == 0.0


def test_a_pool_without_doubt_has_finite_prices() -> None:
    going = prices(0.0, 100.0, 8, 0)
    assert np.isfinite([going.item, going.suspicion]).all()


def test_bits_alone_are_worth_the_entropy_of_the_answer() -> None:
    going = Prices(item=0.0, suspicion=0.0, clause=0.0)
    assert worth(going, [0.5, 0.9], 3) == pytest.approx([1.0, float(binary_entropy_bits(0.9))])


def test_suspicion_counts_only_when_a_no_would_point_at_one_item() -> None:
    going = Prices(item=0.0, suspicion=1.0, clause=0.0)
    bits = Prices(item=0.0, suspicion=0.0, clause=0.0)
    for most_suspect, expected in [(0.1, 0.0), (0.2, 0.1), (0.3, 0.3)]:
        gained = worth(going, [0.7], 8, most_suspect)[0] - worth(bits, [0.7], 8, most_suspect)[0]
        assert gained == pytest.approx(expected)


def test_clauses_cost_when_opened_and_pay_when_solved() -> None:
    going = Prices(item=0.0, suspicion=0.0, clause=0.5)
    plain, opened, solved = (
        going.worth(np.log([0.6]), np.ones(1, int), np.zeros(1), np.array([s]), np.array([o]))[0]
        for s, o in [(0.0, False), (0.0, True), (2.0, False)]
    )
    assert plain - opened == pytest.approx(0.5 * 0.4)
    assert solved - plain == pytest.approx(0.5 * 0.6 * 2)


@given(log_yes=st.floats(-800.0, 0.0))
def test_extreme_chances_have_a_finite_worth(log_yes: float) -> None:
    going = prices(10.0, 1000.0, 8, 3)
    value = going.worth(
        np.array([log_yes]), np.array([8]), np.array([0.3]), np.ones(1), np.array([True])
    )
    assert np.isfinite(value).all()
