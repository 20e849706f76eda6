"""What is said of items before anybody knows: the likelier label, by all that is known."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.core.question import Question
from askless.planners import make_planner
from askless.session.session import Session
from askless.stores.memory import MemoryStore
from tests.session.making import HandClock


def session(values: list[float]) -> Session:
    probs, planner = Probs(np.array(values)), make_planner("nested", max_n=4)
    return Session(MemoryStore(), {"n": len(values)}, planner, probs, HandClock())


def refute(told: Session, *items: int) -> None:
    question = Question(items, (True,) * len(items))
    told.tell(None, question.no(), f"not all of {items}", "ann")


def test_a_refuted_guess_makes_its_doubtful_item_the_one_that_is_predicted_wrong() -> None:
    told = session([0.99, 0.6, 0.7])
    assert [entry.label for entry in told.labels()] == [True, True, True]
    refute(told, 0, 1)
    sure, doubtful, other = told.labels()
    assert (sure.label, doubtful.label, other.label) == (True, False, True)
    assert {entry.how for entry in (sure, doubtful, other)} == {"predicted"}
    assert doubtful.prob == pytest.approx(0.6 * 0.01 / (1 - 0.99 * 0.6))
    assert sure.prob == pytest.approx(0.99 * 0.4 / (1 - 0.99 * 0.6))
    assert other.prob == 0.7


def test_refuted_guesses_that_share_an_item_are_taken_together() -> None:
    told = session([0.9, 0.9, 0.9])
    refute(told, 0, 1)
    refute(told, 1, 2)
    first, shared, last = told.labels()
    assert first.prob == last.prob > 0.5 > shared.prob
    assert (first.label, shared.label, last.label) == (True, False, True)


def test_some_items_are_told_as_among_all() -> None:
    told = session([0.9, 0.8, 0.9, 0.6])
    refute(told, 0, 1)
    refute(told, 1, 2)
    told.unsure(3, "blurred")
    every = list(told.labels())
    assert list(told.labels([2, 3])) == every[2:]
    assert list(told.labels([])) == []


def test_probabilities_that_cannot_be_still_give_every_item_a_label() -> None:
    told = session([1.0, 1.0, 0.0])
    refute(told, 0, 1)
    assert [entry.label for entry in told.labels()] == [True, True, False]
    assert all(0 <= entry.prob <= 1 for entry in told.labels())
