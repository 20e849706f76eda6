"""One label is wrong: it comes out the other way, and the others stay."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.question import Question
from askless.core.state import State, learn, retract
from askless.core.verify import unproved_items
from askless.errors import Contradiction, Refused
from askless.session.correcting import change_for
from askless.session.session import Session
from tests.session.making import ask, kinds, make_session


def told(session: Session, question: Question, answer: str = "yes") -> None:
    given = question.yes() if answer == "yes" else question.no()
    session.tell(None, given, f"k{session.history.last}", "ann")


def test_one_wrong_label_of_a_group_changes_and_its_neighbours_stay() -> None:
    session, store, _ = make_session(6)
    told(session, Question((0, 1, 2), (True, True, False)))
    before = kinds(store)
    assert session.correct(1, False, "bob", "c").settled == 0
    assert [session.state.label(i) for i in range(3)] == [True, False, False]
    assert kinds(store)[len(before) :] == ["retracted", "asked", "answered"]
    assert session.history.answers[session.history.last].annotator == "bob"
    again, _, _ = make_session(6, store=store)
    assert again.state == session.state


def test_a_correction_of_what_was_right_changes_nothing_when_it_is_sent_again() -> None:
    session, store, _ = make_session(6)
    told(session, Question((0, 1), (True, True)))
    (number,) = session.history.answers
    assert session.correct(0, True, "ann", "right").number == number
    session.correct(0, False, "ann", "thought better of it")
    again, _, _ = make_session(6, store=store)
    assert again.correct(0, True, "ann", "right").number == number  # its reply was lost
    assert again.state.label(0) is False


def test_a_label_asked_alone_pointed_at_or_spared_can_be_corrected() -> None:
    session, _, _ = make_session(6)
    told(session, Question((0,), (True,)))
    told(session, Question((1,), (True,)), "no")
    shown = Question((2, 3, 4), (True, True, True))
    session.tell(None, shown.pointed((3,), rest_right=True), "p", "ann")
    labels = [True, False, True, False, True]
    assert session.state.labels()[:5].tolist() == labels
    for item in range(5):
        session.correct(item, not labels[item], "ann")
        labels[item] = not labels[item]
        assert session.state.labels()[:5].tolist() == labels
    assert unproved_items(session.state) == []


def test_a_deduced_label_is_corrected_by_giving_up_the_refuted_guess() -> None:
    session, _, _ = make_session(6)
    told(session, Question((0, 1), (True, True)), "no")
    told(session, Question((0,), (True,)))
    assert session.state.label(1) is False
    session.correct(1, True, "ann")
    assert session.state.label(0) is True
    assert session.state.label(1) is True
    assert session.progress().disputes == 0


def test_an_open_item_is_simply_given_its_label() -> None:
    session, _, _ = make_session(6)
    assert session.correct(4, False, "ann").settled == 1
    assert session.state.label(4) is False


def test_undoing_a_correction_brings_the_old_answers_back() -> None:
    session, store, _ = make_session(6)
    told(session, Question((0, 1, 2), (True, True, False)))
    before = session.state.labels()
    session.correct(1, False, "bob", "c")
    session.undo("bob", key="u")
    assert np.array_equal(session.state.labels(), before)
    assert {session.history.answers[n].annotator for n in session.state.answers} == {"ann"}
    session.undo("bob", key="u")
    session.undo("bob")
    assert np.array_equal(session.state.labels(), before)
    assert make_session(6, store=store)[0].state == session.state


def test_the_same_key_corrects_once_and_stands_for_one_thing() -> None:
    session, store, _ = make_session(6)
    told(session, Question((0, 1), (True, True)))
    first = session.correct(0, False, "ann", "c")
    count = len(kinds(store))
    assert session.correct(0, False, "ann", "c").number == first.number
    assert session.correct(0, False, "ann").settled == 0  # it has that label
    with pytest.raises(Refused, match="key 'c' came with another"):
        session.correct(1, False, "ann", "c")
    assert len(kinds(store)) == count


def test_what_has_no_label_cannot_be_corrected() -> None:
    session, _, _ = make_session(6)
    session.unsure(2, "blurred", "ann")
    with pytest.raises(Refused, match="is unsure"):
        session.correct(2, True, "ann")
    with pytest.raises(Refused, match="0 to 5"):
        session.correct(6, True, "ann")
    with pytest.raises(Refused, match="0 to 5"):
        session.correct(-1, True, "ann")


def test_whoever_looks_at_a_corrected_item_gets_another_question() -> None:
    session, _, _ = make_session(6)
    asked = ask(session)
    session.correct(asked.question.items[0], True, "bob")
    assert ask(session).id != asked.id


@given(st.data())
def test_any_labels_can_be_corrected_or_opened_after_any_answers(data: st.DataObject) -> None:
    n = 6
    state = State.blank(n)
    for _ in range(data.draw(st.integers(1, 8))):
        items = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=4, unique=True))
        question = Question(tuple(items), tuple(data.draw(st.booleans()) for _ in items))
        kind = data.draw(st.sampled_from(["yes", "no", "pointed"]))
        wrong = data.draw(st.lists(st.sampled_from(items), unique=True))
        answer = question.yes() if kind == "yes" else question.no()
        if kind == "pointed" and wrong:
            answer = question.pointed(wrong, rest_right=data.draw(st.booleans()))
        try:
            state = learn(state, answer)
        except Contradiction:
            continue
    chosen = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3, unique=True))
    label = data.draw(st.sampled_from([True, False, None]))
    items = [item for item in chosen if state.label(item) is not label]
    if not items:
        return
    change = change_for(state, items, label)
    after = state
    for number in change.replaces:
        after = retract(after, number)
    said: tuple[int, ...] = ()
    if change.answer is not None:
        after, said = learn(after, change.answer), change.answer.question.items
    for item in items:
        assert after.label(item) is label
    for other in set(said).difference(items):
        assert after.label(other) is state.label(other)
    assert unproved_items(after) == []


@settings(deadline=None)
@given(st.data())
def test_undoing_a_correction_restores_exactly_what_was(data: st.DataObject) -> None:
    n = 5
    session, store, _ = make_session(n)
    for _ in range(data.draw(st.integers(0, 6))):
        items = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3, unique=True))
        question = Question(tuple(items), tuple(data.draw(st.booleans()) for _ in items))
        match data.draw(st.sampled_from(["yes", "no", "unsure"])):
            case "unsure":
                session.unsure(items[0], "", "bob")
            case kind:
                told(session, question, kind)
    label = data.draw(st.booleans())
    before = as_it_is(session)
    corrected = 0
    for item in data.draw(st.lists(st.integers(0, n - 1), max_size=3)):
        if not session.state.is_unsure(item) and session.state.label(item) is not label:
            session.correct(item, label, "cid")
            corrected += 1
    for _ in range(corrected):
        session.undo("cid")
    assert as_it_is(session) == before
    assert as_it_is(make_session(n, store=store)[0]) == before


def as_it_is(session: Session) -> tuple[object, ...]:
    record, state = session.history, session.state
    return (
        state.labels().tolist(),
        {(clause.answer, clause.items, clause.guess) for clause in state.clauses},
        set(state.answers),
        {dispute.answers for dispute in record.disputes},
        {number for number in record.answers if record.stands(number)},
        record.tally.kinds(),
    )


def test_a_question_whose_answer_was_corrected_takes_no_second_answer() -> None:
    session, _, _ = make_session(6)
    asked = ask(session)
    session.tell(asked.id, asked.question.yes(), "k")
    item = asked.question.items[0]
    for label in (False, True, False):
        session.correct(item, label, "bob")
        with pytest.raises(Refused, match="has one answer"):
            session.tell(asked.id, asked.question.no(), "late")
    for _ in range(3):
        session.undo("bob")
    standing = [n for n, given in session.history.answers.items() if session.history.stands(n)]
    assert [session.history.answers[n].question_id for n in standing] == [asked.id]


def test_a_correction_that_is_retracted_brings_back_what_it_replaced() -> None:
    session, store, _ = make_session(6)
    told(session, Question((0, 1, 2), (True, True, False)))
    before = as_it_is(session)
    corrections = [session.correct(1, label, "bob", f"c{label}").number for label in (False, True)]
    for number in reversed(corrections):
        session.retract(number, "ann", f"r{number}")
    assert as_it_is(session) == before
    session.retract(corrections[0], "ann", f"r{corrections[0]}")  # its reply was lost
    assert as_it_is(session) == before
    assert as_it_is(make_session(6, store=store)[0]) == before


def test_what_was_said_again_for_items_that_are_asked_again_opens_the_rest_when_retracted() -> None:
    session, store, _ = make_session(6)
    told(session, Question((0, 1, 2), (True, True, False)))
    session.revise.ask_again([1], "ann", "again")
    (said_again,) = session.state.answers
    session.retract(said_again, "ann")
    assert session.state.n_settled == 0
    assert make_session(6, store=store)[0].state == session.state


def test_a_question_whose_correction_was_retracted_has_its_answer_again() -> None:
    session, _, _ = make_session(6)
    asked = ask(session)
    answer = session.tell(asked.id, asked.question.yes(), "k").number
    session.retract(session.correct(asked.question.items[0], False, "bob").number)
    with pytest.raises(Refused, match="has one answer"):
        session.tell(asked.id, asked.question.no(), "late")
    session.retract(answer)
    assert session.tell(asked.id, asked.question.no(), "late").number > answer
