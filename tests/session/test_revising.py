"""Several labels change in one step: one commit, one key, one undo."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.question import Question
from askless.core.verify import unproved_items
from askless.errors import Damaged, NotWritten, Refused
from askless.history.history import History
from askless.session.session import Session
from tests.session.machine import FlakyStore
from tests.session.making import kinds, make_session
from tests.stores.memory_store import MemoryStore


def begun(store: MemoryStore | None = None) -> tuple[Session, MemoryStore]:
    """Two groups of three, 6 by a refuted guess, 8 unsure, 9 open."""
    session, store, _ = make_session(10, store=store)
    for number, answer in enumerate(
        (
            Question((0, 1, 2), (True, True, True)).yes(),
            Question((3, 4, 5), (False, False, False)).yes(),
            Question((6, 7), (True, True)).no(),
            Question((7,), (True,)).yes(),
        )
    ):
        session.tell(None, answer, f"begun {number}", "ann")
    session.unsure(8, "blurred", "ann")
    return session, store


def test_labels_of_two_groups_are_corrected_in_one_answer_and_one_undo() -> None:
    session, store = begun()
    before = session.state.labels()
    told = session.correct([0, 1, 4], True, "ann", "c")
    assert session.state.labels()[:8].tolist() == [1, 1, 1, 0, 1, 0, 0, 1]
    session.correct([1, 3], False, "ann")
    assert session.state.labels()[:8].tolist() == [1, 0, 1, 0, 1, 0, 0, 1]
    session.undo("ann")
    assert session.history.answers[told.number].also == (0, 1)
    session.undo("ann")
    assert np.array_equal(session.state.labels(), before)
    assert unproved_items(session.state) == []
    assert make_session(10, store=store)[0].state == session.state


def test_labels_that_are_right_already_are_left_as_they_were() -> None:
    session, store = begun()
    events = kinds(store)
    (first, *_) = session.history.answers
    assert session.correct([1, 0], True, "ann", "c").number == first
    assert kinds(store) == [*events, "retracted"]  # which keeps the key and retracts nothing
    session.correct([0, 3], True, "ann")
    assert session.state.provenance(0) == session.state.provenance(1)
    assert session.history.stands(first)


def test_items_are_asked_again_while_those_beside_them_stay_settled() -> None:
    session, store = begun()
    before, sure = session.state, session.state.labels()
    session.revise.ask_again([0, 3, 6, 8], "bob", "again", "t")
    assert session.state.labels().tolist() == [-1, 1, 1, -1, 0, 0, -1, 1, -1, -1]
    assert 8 not in session.history.unsure
    assert unproved_items(session.state) == []
    assert make_session(10, store=store)[0].state == session.state
    session.undo("bob", "t", here=True)
    assert np.array_equal(session.state.labels(), sure)
    assert session.history.unsure[8].note == "blurred"
    assert set(session.state.answers) == set(before.answers)
    assert make_session(10, store=store)[0].state == session.state


def test_what_was_marked_unsure_in_one_step_comes_back_in_one_undo() -> None:
    session, store = begun()
    before = session.state.labels()
    number = session.revise.mark_unsure([0, 8, 9], "too dark", "ann", "u", "t")
    assert session.state.labels()[[0, 8, 9]].tolist() == [-2, -2, -2]
    assert {session.history.unsure[item].number for item in (0, 8, 9)} == {number}
    assert session.history.unsure[9].note == "too dark"
    session.undo("ann", "t", "undone", here=True)
    session.undo("ann", "t", "undone", here=True)
    assert np.array_equal(session.state.labels(), before)
    assert session.history.unsure[8].note == "blurred"
    assert make_session(10, store=store)[0].state == session.state


def test_an_undo_leaves_alone_what_was_said_about_an_item_since() -> None:
    session, _ = begun()
    session.revise.mark_unsure([0, 1], "dark", "ann", None)
    session.take_back(0, "ann")
    session.unsure(1, "darker still", "bob")
    session.undo("ann")
    assert session.state.label(0) is True
    assert session.history.unsure[1].note == "darker still"


def test_what_is_asked_again_is_asked() -> None:
    session, _ = begun()
    session.tell(None, Question((9,), (True,)).yes(), "nine", "ann")
    assert session.ask("ann") is None
    session.revise.ask_again([4], "ann", None)
    asked = session.ask("ann")
    assert asked is not None
    assert asked.question.items == (4,)


def test_a_step_that_cannot_be_taken_names_the_items_and_changes_nothing() -> None:
    session, store = begun()
    session.revise.mark_unsure(range(6), "", "ann", None)
    before, events = session.state, kinds(store)
    with pytest.raises(Refused, match=r"Items 8, 0, 1, 2, 3 and 2 more are unsure and have no"):
        session.correct([8, 6, *range(6)], True, "ann")
    with pytest.raises(Refused, match=r"Item 9 is open and will be asked"):
        session.revise.ask_again([9], "ann", None)
    with pytest.raises(Refused, match=r"Items 0, 8 are unsure already"):
        session.revise.mark_unsure([0, 8], "", "ann", None)
    with pytest.raises(Refused, match=r"0 to 9; got 10"):
        session.revise.mark_unsure([0, 10], "", "ann", None)
    with pytest.raises(Refused, match=r"one item or more"):
        session.correct([], True, "ann")
    assert session.state is before
    assert kinds(store) == events


def test_a_step_that_would_bring_a_contradiction_to_light_says_which_answers() -> None:
    session, store, _ = make_session(4)
    session.tell(None, Question((0,), (True,)).yes(), "a", "ann")
    session.unsure(0, "", "ann")
    number = session.tell(None, Question((0, 1), (False, True)).yes(), "b", "ann").number
    before, events = session.state, kinds(store)
    with pytest.raises(Refused, match=rf"item 0 .* answers \d+, {number} contradict each other"):
        session.revise.ask_again([0, 1], "ann", None)
    assert session.state is before
    assert kinds(store) == events


def test_a_step_is_stored_whole_or_not_at_all() -> None:
    store = FlakyStore()
    session, _ = begun(store)
    before, events = session.state, kinds(store)
    store.failing = True
    with pytest.raises(NotWritten):
        session.revise.ask_again([0, 3], "ann", "again")
    assert session.state is before
    assert kinds(store) == events
    store.failing = False
    session.revise.ask_again([0, 3], "ann", "again")
    assert kinds(store)[len(events) :] == ["revised", "asked", "answered"]


def test_only_a_step_writes_the_format_that_earlier_readers_refuse() -> None:
    session, store = begun()
    session.correct([0, 3], False, "ann")
    assert {event.format for event in store.read()} == {1}
    session.revise.mark_unsure([0, 3], "", "ann", None)
    assert [event.format for event in store.read()][-1] == 3


def test_a_step_that_is_undone_twice_is_damage() -> None:
    session, store = begun()
    session.revise.mark_unsure([0, 3], "", "ann", None)
    session.undo("ann")
    events = list(store.read())
    history, (restored,) = History.of(10, events), [e for e in events if e.kind == "restored"]
    with pytest.raises(Damaged, match="Only a step that stands"):
        history.apply(restored)
