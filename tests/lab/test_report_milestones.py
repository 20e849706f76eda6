import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from askless.lab.report import questions_at


def test_milestones_are_a_hundred_two_and_a_half_five_and_so_on_and_the_total() -> None:
    reached = questions_at(range(1, 30_001), 30_000)
    milestones = [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 30_000]
    assert reached == {labels: labels for labels in milestones}


def test_a_milestone_passed_in_a_leap_is_reached_by_that_question() -> None:
    assert questions_at([8, 8, 99, 120, 260], 260) == {100: 4, 250: 5, 260: 5}


def test_milestones_not_reached_are_left_out() -> None:
    assert questions_at([90, 180], 300) == {100: 2}


def test_a_total_that_is_a_milestone_stands_once() -> None:
    assert list(questions_at(range(1, 251), 250)) == [100, 250]


@given(st.lists(st.integers(0, 40), max_size=60), st.integers(0, 300))
def test_each_milestone_is_reached_at_its_question_and_not_before(
    gains: list[int], still_open: int
) -> None:
    settled = np.cumsum(gains, dtype=int).tolist()
    n = max(1, sum(gains) + still_open)
    for labels, question in questions_at(settled, n).items():
        assert settled[question - 1] >= labels
        assert question == 1 or settled[question - 2] < labels
