from typing import Any

import pytest

from askless.core.annotation_cost import AnnotationCost
from askless.core.question import Question
from askless.errors import InvalidInput

QUESTION = Question((0, 1, 2, 3), (True, True, False, True))


def test_a_bare_answer_takes_the_question_and_the_looking() -> None:
    pace = AnnotationCost(2.0, 0.5, 7.0)
    assert pace.seconds(QUESTION.yes()) == pace.seconds(QUESTION.no()) == 4.0


def test_pointing_takes_longer_by_every_item_pointed_at() -> None:
    pace = AnnotationCost(2.0, 0.5, 7.0)
    assert pace.seconds(QUESTION.pointed([1, 3], rest_right=True)) == 18.0
    assert pace.seconds(QUESTION.pointed([], rest_right=True)) == 4.0


def test_whole_numbers_are_seconds_too() -> None:
    assert repr(AnnotationCost.of([1, 0.3, 0])) == repr(AnnotationCost(1.0, 0.3, 0.0))


@pytest.mark.parametrize(
    "seconds",
    [
        (-1, 0, 0), (0, float("nan"), 0), (0, 0, float("inf")), (1.0, 2.0), 3.0, "abcd", None,
        (1.0, 0.3, "x"), (1e308, 1.0, 1.0), (1, 10**400, 1),
    ],
)  # fmt: skip
def test_a_pace_that_no_person_has_is_refused(seconds: Any) -> None:
    with pytest.raises(InvalidInput, match="three numbers, 0 or more"):
        AnnotationCost.of(seconds)
