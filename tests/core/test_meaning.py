"""What answers say of single items."""

from __future__ import annotations

from askless.core.meaning import facts
from askless.core.question import Question


def test_a_yes_leaves_what_was_guessed() -> None:
    assert list(facts(Question((4, 7), (True, False)).yes(), 2)) == [(4, 0b10), (7, 0b01)]
    question = Question((4, 7, 8), (2, ~2, frozenset({0, 1})))
    assert list(facts(question.yes(), 4)) == [(4, 0b100), (7, 0b1011), (8, 0b11)]


def test_pointing_excludes_what_was_guessed_and_vouches_for_the_rest_if_it_says_so() -> None:
    question = Question((4, 7), (2, 2))
    assert list(facts(question.pointed([7]), 3)) == [(7, 0b011)]
    assert list(facts(question.pointed([7], rest_right=True), 3)) == [(4, 0b100), (7, 0b011)]


def test_a_typed_class_is_the_only_one_left() -> None:
    question = Question((4, 7), (2, ~2))
    assert list(facts(question.typed({4: 0, 7: 1}), 3)) == [(4, 0b001), (7, 0b010)]
    assert list(facts(question.pointed([], typed={7: 1}), 3)) == [(7, 0b010)]
