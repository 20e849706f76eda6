"""What a group promises when the first labels are wanted soonest."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.planners._labels_per_question import group_labels, refuted_labels

CHANCES = st.lists(st.floats(1e-9, 0.5), min_size=2, max_size=6).map(sorted)


def test_one_item_is_one_label() -> None:
    assert group_labels([0.4]) == 1.0


def test_a_refuted_pair_is_settled_by_one_question_or_half_settled() -> None:
    even = refuted_labels([0.01, 0.01], 1)
    assert even == pytest.approx((1 + 2) / 2, abs=0.01)


def test_sure_groups_promise_nearly_all_their_items_and_refuted_ones_few() -> None:
    assert 7.9 < group_labels([0.001] * 8) < 8.0
    assert refuted_labels([0.001] * 8, 4) == pytest.approx(2.0, abs=0.01)


def test_where_a_refusal_is_likely_the_search_for_the_wrong_item_counts() -> None:
    pair = group_labels([0.3, 0.3])
    assert pair > 2 * 0.7**2
    right, found = 0.7**2, (1 * 0.3 + 2 * 0.7 * 0.3) / 0.51
    assert pair == pytest.approx((2 * right + 0.51 * found) / (1 + 0.51))


@given(CHANCES)
def test_the_items_settled_by_the_search_are_those_of_enumeration(wrong: list[float]) -> None:
    m, settled, refusals = len(wrong), 0.0, 0.0
    for errs in itertools.product([False, True], repeat=m):
        chance = math.prod([e if err else 1 - e for e, err in zip(wrong, errs, strict=True)])
        if any(errs):
            settled += chance * (errs.index(True) + 1)
            refusals += chance
    at_once = m * math.prod([1 - e for e in wrong])
    most = (at_once + settled) / (1 + refusals)  # the search takes one question or more
    assert at_once <= group_labels(wrong) * (1 + 1e-9)
    assert group_labels(wrong) <= max(at_once, most) * (1 + 1e-9)


@given(CHANCES)
def test_no_promise_is_more_than_all_items(wrong: list[float]) -> None:
    assert 0.0 < group_labels(wrong) <= len(wrong)
    for first in range(1, len(wrong)):
        assert 0.0 < refuted_labels(wrong, first) <= len(wrong)
