"""What was done last is undone; unsure items are taken back."""

from __future__ import annotations

import pytest

from askless.errors import Refused
from tests.session.making import ask, make_session


def test_undo_takes_the_answer_back_and_asks_it_again() -> None:
    session, _, _ = make_session()
    asked = ask(session)
    session.tell(asked.id, asked.question.yes(), "1")
    following = ask(session)
    again = session.undo("ann")
    assert again is not None
    assert again.question == asked.question
    assert again.id not in (asked.id, following.id)
    assert session.state.n_settled == 0
    session.tell(again.id, again.question.no(), "2")
    assert len(session.state.clauses) == 1 or session.state.n_settled == 1


def test_undo_to_empty_and_beyond_is_no_error() -> None:
    session, _, _ = make_session()
    for key in "abc":
        asked = ask(session)
        session.tell(asked.id, asked.question.no(), key)
    for _ in range(5):
        session.undo("ann")
    assert session.state.n_settled == 0
    assert session.state.clauses == ()


def test_an_undo_that_found_nothing_finds_nothing_when_it_is_sent_again() -> None:
    session, store, _ = make_session()
    session.undo("ann", key="undo")
    asked = ask(session)
    told = session.tell(asked.id, asked.question.yes(), "1")
    session.undo("ann", key="undo")  # its reply was lost
    assert session.history.stands(told.number)
    again, _, _ = make_session(store=store)
    again.undo("ann", key="undo")
    assert again.history.stands(told.number)
    with pytest.raises(Refused, match="one request"):
        again.undo("bob", key="undo")


def test_undo_leaves_the_answers_of_others_alone() -> None:
    session, _, _ = make_session()
    mine, theirs = ask(session, "ann"), ask(session, "bob")
    session.tell(mine.id, mine.question.yes(), "1")
    session.tell(theirs.id, theirs.question.yes(), "2")
    session.undo("ann")
    assert session.state.label(theirs.question.items[0]) is not None
    assert session.state.is_open(mine.question.items[0])


def test_unsure_items_leave_the_pool_with_their_note_until_undone() -> None:
    session, store, _ = make_session(3)
    session.unsure(1, "blurred", "ann")
    session.unsure(1, "twice", "ann")
    (entry,) = [entry for entry in session.labels() if entry.how == "unsure"]
    assert (entry.item, entry.note, entry.label) == (1, "twice", None)
    assert 1 not in ask(session, "bob").question.items
    session.undo("ann")
    assert session.state.is_open(1)
    again, _, _ = make_session(3, store=store)
    assert again.state == session.state


def test_an_item_that_is_unsure_no_more_is_asked_again_in_the_question_it_was_in() -> None:
    session, _, _ = make_session(12)
    asked = ask(session, tab="here")
    other = ask(session, tab="there")
    item = asked.question.items[0]
    session.unsure(item, annotator="ann", tab="here")
    assert item not in ask(session, tab="here").question.items
    again = session.undo("ann", "here", here=True)
    assert again is not None
    assert again.question == asked.question
    assert ask(session, tab="here") is again
    assert ask(session, tab="there") is other


def test_an_item_marked_unsure_outside_a_question_changes_no_question_when_it_is_undone() -> None:
    session, _, _ = make_session(12)
    asked = ask(session)
    item = next(item for item in range(12) if item not in asked.question.items)
    session.unsure(item, annotator="ann")
    assert session.undo("ann") is asked


def test_an_unsure_that_said_nothing_new_says_nothing_when_it_is_sent_again() -> None:
    session, _, _ = make_session(3)
    session.unsure(1, "blurred", "ann", "first")
    session.unsure(1, "blurred", "ann", "second")
    session.take_back(1, "ann")
    session.unsure(1, "blurred", "ann", "second")  # its reply was lost
    assert session.state.is_open(1)


def test_anybody_can_have_asked_again_what_somebody_marked_unsure() -> None:
    session, store, _ = make_session(3)
    session.unsure(1, "blurred", "ann", tab="yesterday's")
    session.take_back(1, "bob", "a key")
    session.take_back(1, "bob", "a key")  # the same request
    assert session.state.is_open(1)
    with pytest.raises(Refused, match="unsure"):
        session.take_back(1, "bob")
    again, _, _ = make_session(3, store=store)
    assert again.state == session.state


def test_one_key_in_two_windows_is_not_one_undo() -> None:
    session, _, _ = make_session()
    asked = ask(session)
    session.tell(asked.id, asked.question.yes(), "1")
    session.undo("ann", "left", key="undo")
    session.undo("ann", "left", key="undo")  # its reply was lost
    with pytest.raises(Refused, match="A key stands for one request"):
        session.undo("ann", "right", key="undo")
