"""Labels are checked against the answers they rest on, from scratch."""

from __future__ import annotations

import itertools

from hypothesis import given

from askless.core.question import Question
from askless.core.state import State, learn, mark_unsure
from askless.core.verify import follows, unproved_items
from tests.core.test_state import History, allows, histories, played


@given(histories())
def test_every_label_that_was_ever_drawn_is_proved(history: History) -> None:
    assert unproved_items(played(history)) == []


@given(histories())
def test_a_claim_follows_exactly_when_no_other_labelling_is_possible(history: History) -> None:
    for item in range(history.n):
        if item in history.unsure:
            continue
        for label in (False, True):
            otherwise = any(
                world[item] != label
                and all(allows(world, answer, history.unsure) for answer in history.answers)
                for world in itertools.product((False, True), repeat=history.n)
            )
            assert follows(item, label, history.answers, history.unsure) == (not otherwise)


def test_a_label_written_into_the_books_by_hand_is_found_out() -> None:
    state = learn(State.blank(3), Question((0, 1), (True, True)).yes())
    state._books().codes[1] = 0
    assert unproved_items(state) == [1]


def test_what_an_unsure_item_would_have_proved_is_not_proved() -> None:
    answers = [Question((0, 1), (True, True)).no(), Question((0,), (True,)).yes()]
    state = State.blank(2)
    for answer in answers:
        state = learn(state, answer)
    assert follows(1, False, answers)
    assert not follows(1, False, answers, frozenset({0}))
    assert mark_unsure(state, 0).label(1) is None
