"""What is said of items: the label that the answers entail, and what is believed of the others."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.core.question import Question
from askless.history.labels import accepted_of, how_settled, labelled
from askless.history.projections import SOURCE
from askless.planners import make_planner
from askless.session.session import Session
from tests.session.checking import Checked
from tests.session.making import HandClock
from tests.stores.memory_store import MemoryStore


def session(values: list[float]) -> Session:
    probs, planner = Probs(np.array(values)), make_planner("nested", max_n=4)
    return Session(MemoryStore(), {"n": len(values)}, planner, probs, HandClock())


def refute(told: Session, *items: int) -> None:
    question = Question(items, (True,) * len(items))
    told.tell(None, question.no(), f"not all of {items}", "ann")


def test_a_refuted_guess_makes_its_doubtful_item_the_one_that_is_likely_wrong() -> None:
    told = session([0.99, 0.6, 0.7])
    refute(told, 0, 1)
    sure, doubtful, other = told.labels()
    assert {(entry.label, entry.how) for entry in (sure, doubtful, other)} == {(None, "")}
    assert doubtful.probability == pytest.approx(0.6 * 0.01 / (1 - 0.99 * 0.6))
    assert sure.probability == pytest.approx(0.99 * 0.4 / (1 - 0.99 * 0.6))
    assert other.probability == 0.7


def test_refuted_guesses_that_share_an_item_are_taken_together() -> None:
    told = session([0.9, 0.9, 0.9])
    refute(told, 0, 1)
    refute(told, 1, 2)
    first, shared, last = told.labels()
    assert first.probability == last.probability > 0.5 > shared.probability


def test_some_items_are_told_as_among_all() -> None:
    told = session([0.9, 0.8, 0.9, 0.6])
    refute(told, 0, 1)
    refute(told, 1, 2)
    told.unsure(3, "blurred")
    every = list(told.labels())
    assert list(told.labels([2, 3])) == every[2:]
    assert list(told.labels([])) == []


def test_probabilities_that_cannot_be_still_give_every_item_one() -> None:
    told = session([1.0, 1.0, 0.0])
    refute(told, 0, 1)
    assert [entry.probability >= 0.5 for entry in told.labels()] == [True, True, False]
    assert all(0 <= entry.probability <= 1 for entry in told.labels())


def test_how_a_label_was_settled_is_said_of_each_item() -> None:
    told = session([0.5] * 8)
    told.tell(None, Question((0, 1), (True, True)).yes(), "given", SOURCE)
    told.tell(None, Question((2,), (True,)).yes(), "alone", "ann")
    told.tell(None, Question((3, 4), (True, True)).pointed((4,), rest_right=True), "some", "ann")
    refute(told, 3, 5)
    told.unsure(6)
    hows = ["given", "given", "alone", "group", "pointed", "deduced", "unsure", ""]
    assert [entry.how for entry in told.labels()] == hows
    assert [how_settled(told.history, item) for item in range(8)] == hows
    certain = [True, True, True, True, False, False, None, None]
    assert [entry.label for entry in told.labels()] == certain


def test_a_given_label_is_still_given_when_one_beside_it_was_corrected() -> None:
    told = session([0.5] * 4)
    told.tell(None, Question((0, 1, 2), (True,) * 3).yes(), "given", SOURCE)
    told.correct(1, False, "ann", "first")
    told.correct(2, False, "ann", "second")
    found = [(entry.label, entry.how) for entry in told.labels()]
    assert found == [(True, "given"), (False, "pointed"), (False, "pointed"), (None, "")]


def test_an_open_item_of_a_claim_is_accepted_with_the_probability_of_the_freeze() -> None:
    checked = Checked(n=8, wrong=[1], size=2, freeze=False)
    checked.settle([0])
    checked.session.unsure(2)
    checked.freeze()
    found = list(checked.session.labels())
    assert [entry.how for entry in found] == ["alone", "accepted", "unsure"] + ["accepted"] * 5
    assert [entry.label for entry in found] == [True] + [None] * 7
    accepted = [entry for entry in found if entry.how == "accepted"]
    assert [entry.accepted for entry in accepted] == [True, False, True, False, True, False]
    assert {entry.claim for entry in accepted} == {checked.claim().number}
    assert not any(entry.suspect for entry in found)
    later = Probs(np.full(8, 0.5))
    for entry in labelled(checked.session.history, later):
        if entry.how == "accepted":
            assert entry.probability == pytest.approx(0.9 if entry.accepted else 0.1, abs=1e-3)
    assert found[0].claim is found[2].claim is None


def test_members_of_an_open_clause_among_the_accepted_are_suspect() -> None:
    checked = Checked(n=12, wrong=[1], size=12)
    checked.answer()
    assert {entry.suspect for entry in checked.session.labels()} == {True}
    checked.settle([3])
    found = list(checked.session.labels())
    assert [entry.item for entry in found if not entry.suspect] == [3]


def test_a_clause_of_other_guesses_than_the_frozen_ones_makes_nothing_suspect() -> None:
    checked = Checked(n=6, freeze=False)
    question = Question((0, 1), (False, True))
    checked.session.tell(None, question.no(), "no", "ann")
    checked.freeze()
    assert {entry.how for entry in checked.session.labels()} == {"accepted"}
    assert not any(entry.suspect for entry in checked.session.labels())


def test_nothing_is_accepted_once_the_claim_is_void() -> None:
    checked = Checked(n=6)
    checked.session.define("Otherwise.")
    assert accepted_of(checked.session.history) is None
    assert {entry.how for entry in checked.session.labels()} == {""}


def test_labels_of_an_earlier_moment_have_what_was_accepted_then() -> None:
    checked = Checked(n=6, size=2)
    history = checked.session.history
    state, accepted = history.state, accepted_of(history)
    checked.answer(3)
    told = list(labelled(history, checked.session.probs, state=state, accepted=accepted))
    assert {entry.how for entry in told} == {"accepted"}
