"""Answers that come twice, late, in another order, or while something else happens."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.question import Question
from askless.errors import Refused
from tests.session.making import ask, make_session


def test_answers_in_another_order_than_the_questions_give_the_same_labels() -> None:
    labels = []
    for order in ((0, 1, 2), (2, 0, 1)):
        session, _, _ = make_session(9)
        asked = [ask(session, "ann", tab) for tab in "abc"]
        for k in order:
            answer = asked[k].question.no() if k == 1 else asked[k].question.yes()
            session.tell(asked[k].id, answer, f"{k}")
        labels.append(session.state.labels())
    assert np.array_equal(labels[0], labels[1])


def test_undo_that_overtakes_an_answer_takes_back_the_one_before_it() -> None:
    session, store, _ = make_session(9)
    first = ask(session, "ann", "1")
    session.tell(first.id, first.question.yes(), "first")
    on_its_way = ask(session, "ann", "1")
    again = session.undo("ann", "2")
    assert again is not None
    assert again.question == first.question
    told = session.tell(on_its_way.id, on_its_way.question.yes(), "second")
    assert told.settled == len(on_its_way.question)
    assert ask(session, "ann", "2").question == first.question
    assert make_session(9, store=store)[0].state == session.state


def test_answer_that_overtakes_an_undo_is_what_is_undone() -> None:
    session, _, _ = make_session(9)
    first = ask(session, "ann", "1")
    session.tell(first.id, first.question.yes(), "first")
    second = ask(session, "ann", "1")
    session.tell(second.id, second.question.yes(), "second")
    again = session.undo("ann", "2")
    assert again is not None
    assert again.question == second.question
    assert session.state.label(first.question.items[0]) is not None


def test_undo_takes_back_what_was_deduced_as_well() -> None:
    session, _, _ = make_session(3)
    session.tell(None, Question((0, 1, 2), (True, True, True)).no(), "no", "ann")
    session.tell(None, Question((0, 1), (True, True)).yes(), "yes", "ann")
    assert session.state.label(2) is False
    session.undo("ann")
    assert session.state.n_settled == 0
    assert len(session.state.clauses) == 1


def test_lease_that_runs_out_before_the_answer_comes_costs_nothing() -> None:
    session, _, clock = make_session(9)
    mine = ask(session, "ann")
    clock.now += 601
    theirs = ask(session, "bob")
    assert theirs.question == mine.question
    assert session.tell(mine.id, mine.question.yes(), "late", "ann").settled == len(mine.question)
    assert ask(session, "bob").id != theirs.id  # there is nothing left to ask in that one
    assert session.tell(theirs.id, theirs.question.yes(), "too", "bob").dispute is None


def test_double_submit_with_two_keys_is_refused_and_with_one_is_one_answer() -> None:
    session, _, _ = make_session(9)
    asked = ask(session)
    told = session.tell(asked.id, asked.question.yes(), "key")
    assert session.tell(asked.id, asked.question.yes(), "key").number == told.number
    with pytest.raises(Refused, match="has one answer"):
        session.tell(asked.id, asked.question.yes(), "another key")
    assert len(session.history.answers) == 1


def test_a_window_can_undo_what_was_said_in_it_and_leave_other_windows_alone() -> None:
    session, _, _ = make_session(9)
    here, there = ask(session, tab="here"), ask(session, tab="there")
    session.tell(here.id, here.question.yes(), "h")
    session.tell(there.id, there.question.yes(), "t")
    (item,) = [i for i in range(9) if session.state.is_open(i)][:1]
    session.unsure(item, "", "ann", tab="there")
    session.correct(there.question.items[0], False, "ann", tab="there")
    assert session.history.latest_of("ann", "here") == (
        "answer",
        session.history.keys.event_of("h"),
    )
    session.undo("ann", "here", here=True)
    assert not session.state.is_open(there.question.items[0])
    assert session.state.is_open(here.question.items[0])
    assert session.history.latest_of("ann", "here") is None
    session.undo("ann", "there", here=True)
    assert session.state.label(there.question.items[0]) is True
    session.undo("ann", "there", here=True)
    assert session.state.is_open(item)
