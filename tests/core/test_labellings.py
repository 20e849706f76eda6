from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.labellings import (
    checked_chances,
    labelling_chances,
    labelling_labels,
    labelling_number,
)
from askless.errors import InvalidInput, TooLarge


@given(st.lists(st.booleans(), max_size=10))
def test_a_labelling_is_found_again_from_its_number(labels: list[bool]) -> None:
    assert labelling_labels(labelling_number(labels), len(labels)).tolist() == labels


@given(st.lists(st.floats(0, 1), max_size=6), st.data())
def test_chance_of_a_labelling_is_the_product_of_its_labels(
    probs: list[float], data: st.DataObject
) -> None:
    labels = data.draw(st.lists(st.booleans(), min_size=len(probs), max_size=len(probs)))
    product = np.prod([p if label else 1 - p for p, label in zip(probs, labels, strict=True)])
    chances = labelling_chances(probs, max_items=6)
    assert chances[labelling_number(labels)] == pytest.approx(product)
    assert chances.sum() == pytest.approx(1)


def test_one_item_too_many_is_refused_with_the_limit_and_a_way_out() -> None:
    with pytest.raises(TooLarge, match=r"at most 3 items \(8 labellings\); got 4. Use a planner"):
        labelling_chances([0.5] * 4, max_items=3)
    with pytest.raises(TooLarge, match="at most 2 labellings; got 4"):
        checked_chances([0.25] * 4, 2, "This")


@pytest.mark.parametrize("probs", [[1.5], [float("nan")], [[0.5]]])
def test_probs_that_are_no_probabilities_are_refused(probs: list[float]) -> None:
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        labelling_chances(probs, max_items=3)


@pytest.mark.parametrize("chances", [[], [-0.5, 1.5], [0.5, 0.4], [float("nan"), 1.0], [[1.0]]])
def test_chances_that_are_no_distribution_are_refused(chances: list[float]) -> None:
    with pytest.raises(InvalidInput):
        checked_chances(chances, 4, "This")


def test_labels_and_numbers_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InvalidInput, match="True or False"):
        labelling_number([0, 2])
    with pytest.raises(InvalidInput, match="labellings 0 to 7; got 8"):
        labelling_labels(8, 3)
