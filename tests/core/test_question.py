"""Questions and answers are checked when they are made."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.question import Answer, Question
from askless.errors import InvalidInput


def test_numpy_indices_and_labels_become_plain_ones() -> None:
    question = Question(np.array([2, 0]), np.array([True, False]))  # type: ignore[arg-type]
    assert question == Question((2, 0), (True, False))
    assert type(question.items[0]) is int
    assert type(question.guess[0]) is bool


@pytest.mark.parametrize(
    ("items", "guess", "sentence"),
    [
        ((1, 2, 3), (True, False), "got 3 items and 2 labels"),
        ((), (), "at least one item"),
        ((1, 1), (True, True), "once only; got \\[1, 1\\]"),
        ((-1,), (True,), "counted from 0; got -1"),
        ((1.5,), (True,), "whole numbers.*got 1.5"),
        ((True,), (True,), "whole numbers.*got True"),
        ((1,), (100,), "0 to 99.*got 100"),
        ((1,), (-101,), "0 to 99.*got -101"),
        ((1,), (0.5,), "True or False, a class number.*got 0.5"),
        ((1,), ("yes",), "True or False, a class number.*got 'yes'"),
        ((1,), (frozenset(),), "at least one class"),
        ((1,), ({"cat"},), "A class is a whole number.*got 'cat'"),
    ],
)
def test_a_question_that_means_nothing_is_refused(
    items: tuple[int, ...], guess: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        Question(items, guess)


def test_a_guess_may_be_a_class_any_other_class_or_a_set_of_classes() -> None:
    question = Question((4, 5, 6), (np.int8(3), ~7, {2, 1}))  # type: ignore[arg-type]
    assert question.guess == (3, ~7, frozenset({1, 2}))
    assert type(question.guess[0]) is int
    assert Question((4,), ({2},)).guess == (2,)  # type: ignore[arg-type]


def test_a_class_is_typed_for_items_of_the_question_whose_guess_it_refutes() -> None:
    question = Question((4, 5, 6), (1, 1, ~3))
    answer = question.typed({5: 2, 6: 0})
    assert answer == question.pointed([5], rest_right=True, typed=[(5, 2), (6, 0)])
    assert answer.wrong == (5,)
    assert question.typed({6: 3}).wrong == (6,)
    with pytest.raises(InvalidInput, match=r"items of the question, each once.*\[7\]"):
        question.pointed([], typed={7: 2})
    with pytest.raises(InvalidInput, match="only there; got class 2 for item 5, guessed 1"):
        question.pointed([4], typed={5: 2})
    with pytest.raises(InvalidInput, match="only there; got class 1 for item 5, guessed 1"):
        question.pointed([5], typed={5: 1})
    with pytest.raises(InvalidInput, match=r"A class is a whole number.*got -1"):
        question.typed({5: -1})
    with pytest.raises(InvalidInput, match="pairs of an item and a class"):
        question.pointed([5], typed=[5])  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match="Only a pointed answer"):
        Answer(question, "no", typed=((4, 1),))


def test_a_purpose_is_label_or_audit() -> None:
    assert Question((0,), (True,), "audit").purpose == "audit"
    with pytest.raises(InvalidInput, match="'label', 'check' or 'audit'; got 'fun'"):
        Question((0,), (True,), "fun")  # type: ignore[arg-type]


def test_a_pointed_answer_must_say_something_about_its_own_items() -> None:
    question = Question((4, 5), (True, True))
    assert question.pointed([5]).wrong == (5,)
    assert question.pointed([], rest_right=True).rest_right
    with pytest.raises(InvalidInput, match="must say something"):
        question.pointed([])
    with pytest.raises(InvalidInput, match=r"items of its question.*\[6\]"):
        question.pointed([6])
    with pytest.raises(InvalidInput, match="each once"):
        question.pointed([5, 5])


def test_only_pointed_answers_point() -> None:
    question = Question((4, 5), (True, True))
    with pytest.raises(InvalidInput, match="Only a pointed answer"):
        Answer(question, "yes", (4,))
    with pytest.raises(InvalidInput, match="'yes', 'no' or 'pointed'; got 'maybe'"):
        Answer(question, "maybe")  # type: ignore[arg-type]


def test_a_long_list_of_items_is_shortened_in_messages() -> None:
    with pytest.raises(InvalidInput, match=r"\[0, 1, 2, 3, 4, 5, 6, 7, \.\.\.\] with repeats"):
        Question((*range(20), 3), (True,) * 21)
