from askless.core.question import Question
from askless.lab.truthful import TruthfulAnnotator

QUESTION = Question((0, 2, 1), (True, True, False))


def test_all_right_is_a_yes() -> None:
    assert TruthfulAnnotator([True, False, True]).answer(QUESTION) == QUESTION.yes()


def test_one_wrong_guess_is_a_no() -> None:
    assert TruthfulAnnotator([True, True, True]).answer(QUESTION) == QUESTION.no()


def test_asked_to_point_it_names_every_wrong_item_and_vouches_for_the_rest() -> None:
    annotator = TruthfulAnnotator([0, 1, 1], pointing=True)
    assert annotator.answer(QUESTION) == QUESTION.pointed([0, 1], rest_right=True)


def test_asked_to_point_it_still_says_yes_when_all_is_right() -> None:
    assert TruthfulAnnotator([1, 0, 1], pointing=True).answer(QUESTION) == QUESTION.yes()


def test_asked_to_point_it_refuses_a_single_guess_with_a_plain_no() -> None:
    question = Question((1,), (True,))
    assert TruthfulAnnotator([1, 0, 1], pointing=True).answer(question) == question.no()
