from __future__ import annotations

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.errors import UnknownPart
from askless.predictors.wishes import Wishes


def settle(state: State, items: list[int]) -> State:
    question = Question(tuple(items), (True,) * len(items))
    return learn(state, question.yes())


def test_rounds_wish_for_a_random_part_and_grow_when_it_is_settled() -> None:
    probs, state, wishes = Probs(np.full(200, 0.5)), State.blank(200), Wishes(200, seed=3)
    one = wishes(probs, state)
    assert one.first is not None
    assert 0 < one.first.sum() < 50
    assert wishes(probs, state) is one
    state = settle(state, [int(item) for item in np.flatnonzero(one.first)])
    two = wishes(probs, state)
    assert two.first is not None
    assert two.first.sum() > one.first.sum()
    assert two.values is not probs.values
    assert np.array_equal(two.values, probs.values)


def test_easy_first_wishes_nothing() -> None:
    probs, state = Probs(np.full(200, 0.5)), State.blank(200)
    assert Wishes(200, order="easy")(probs, state) is probs


def test_new_probabilities_come_through_with_the_same_wish() -> None:
    state, wishes = State.blank(200), Wishes(200)
    one = wishes(Probs(np.full(200, 0.5)), state)
    other = wishes(Probs(np.full(200, 0.3)), state)
    assert other.values[0] == 0.3
    assert np.array_equal(np.asarray(one.first), np.asarray(other.first))


def test_an_order_nobody_knows_is_refused() -> None:
    with pytest.raises(UnknownPart, match="no order named 'backwards'"):
        Wishes(10, order="backwards")
