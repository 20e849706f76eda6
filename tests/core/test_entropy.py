from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.entropy import binary_entropy_bits, independent_entropy_bits
from askless.errors import InvalidInput

chances = st.floats(0, 1)


def test_certain_labels_carry_nothing_and_a_coin_carries_one_bit() -> None:
    assert binary_entropy_bits([0.0, 1.0, 0.5]).tolist() == [0.0, 0.0, 1.0]


def test_known_value_of_the_binary_entropy() -> None:
    # h(1/4) = 2 - (3/4) log2 3
    assert binary_entropy_bits(0.25) == pytest.approx(2 - 0.75 * np.log2(3))


@given(chances)
def test_swapping_the_names_of_the_labels_changes_no_entropy(p: float) -> None:
    assert binary_entropy_bits(p) == pytest.approx(float(binary_entropy_bits(1 - p)), abs=1e-9)


@given(chances)
def test_a_label_is_worth_between_nothing_and_one_bit(p: float) -> None:
    assert 0 <= binary_entropy_bits(p) <= 1


@given(st.lists(chances, min_size=1, max_size=6))
def test_entropy_of_independent_labels_is_that_of_all_labellings(probs: list[float]) -> None:
    joint = np.ones(1)
    for p in probs:
        joint = np.concatenate([joint * (1 - p), joint * p])
    joint = joint[joint > 0]
    expected = -np.sum(joint * np.log2(joint))
    assert independent_entropy_bits(probs) == pytest.approx(expected, abs=1e-9)


def test_an_empty_pool_has_no_entropy() -> None:
    assert independent_entropy_bits([]) == 0.0


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan"), float("inf")])
def test_probabilities_outside_the_unit_interval_are_refused(bad: float) -> None:
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        binary_entropy_bits([0.5, bad])
