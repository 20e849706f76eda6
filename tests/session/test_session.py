"""Asking, telling, undoing: on a real store in memory, with a planner of the house."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from askless.core.event import Event
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import replay
from askless.errors import InvalidInput, NotWritten, Refused
from askless.history.history import History
from askless.planners import make_planner
from askless.session.session import Session, SessionOptions
from tests.session.making import HandClock, ReadyTrainer, ask, audited, make_session, truthful
from tests.stores.memory_store import MemoryStore


def test_a_session_ends_with_every_label_right_and_can_be_replayed() -> None:
    truth = [True, False, True, True, False, True]
    session, store, _ = make_session()
    while not session.state.done:
        asked = ask(session)
        session.tell(asked.id, truthful(asked.question, truth), key=f"k{asked.id}")
    assert [entry.label for entry in session.labels()] == truth
    assert all(entry.annotators == ("ann",) for entry in session.labels())
    again, _, _ = make_session(store=store)
    assert again.state == session.state
    assert session.ask("ann") is None


def test_the_same_window_gets_the_same_question_until_it_answers() -> None:
    session, store, _ = make_session()
    first = ask(session)
    assert ask(session) is first
    assert len([event for event in store.read() if event.kind == "asked"]) == 1


def test_two_windows_never_hold_the_same_item() -> None:
    session, _, _ = make_session(9)
    held = [set(ask(session, who, tab).question.items) for who in "ab" for tab in "12"]
    for one in held:
        for other in held:
            assert one is other or not one & other


def test_nothing_is_asked_while_everything_is_leased_and_abandoned_questions_return() -> None:
    session, _, clock = make_session(1)
    first = ask(session, "ann")
    assert session.ask("bob") is None
    clock.now += 601
    assert ask(session, "bob").question == first.question
    told = session.tell(first.id, first.question.yes(), "late", "ann")
    assert told.settled == 1
    assert session.ask("bob") is None


def test_the_same_key_is_the_same_answer() -> None:
    session, store, _ = make_session()
    asked = ask(session)
    one = session.tell(asked.id, asked.question.yes(), "key")
    two = session.tell(asked.id, asked.question.yes(), "key")
    assert (one.number, two.settled) == (two.number, 0)
    assert len([event for event in store.read() if event.kind == "answered"]) == 1
    with pytest.raises(Refused, match="key 'key' came with another"):
        session.tell(asked.id, asked.question.no(), "key")
    with pytest.raises(Refused, match="has one answer"):
        session.tell(asked.id, asked.question.no(), "other")


def test_forged_answers_are_refused_and_change_nothing() -> None:
    session, store, _ = make_session()
    asked = ask(session, "ann")
    before = len(list(store.read()))
    with pytest.raises(Refused, match="question 99 was not"):
        session.tell(99, asked.question.yes(), "k")
    with pytest.raises(Refused, match="was not"):
        session.tell(asked.id, asked.question.yes(), "k", "bob")
    with pytest.raises(Refused, match="the question that was asked"):
        session.tell(asked.id, Question((0,), (False,)).yes(), "k", "ann")
    assert len(list(store.read())) == before
    assert session.state.n_settled == 0


def test_an_answer_that_contradicts_is_kept_and_its_items_reopen() -> None:
    session, store, clock = make_session(2, planner=make_planner("one-by-one"))
    mine = ask(session, "ann")
    clock.now += 601
    theirs = ask(session, "bob")
    assert mine.question == theirs.question
    session.tell(mine.id, mine.question.yes(), "1", "ann")
    told = session.tell(theirs.id, theirs.question.no(), "2", "bob")
    assert told.dispute is not None
    assert told.settled == -1
    assert set(told.dispute.answers) == {session.history.answer_to(q.id) for q in (mine, theirs)}
    assert session.state.is_open(mine.question.items[0])
    assert session.progress().disputes == 1
    again, _, _ = make_session(2, store=store)
    assert again.state == session.state
    session.retract(told.number)
    assert session.progress().disputes == 0
    assert session.state.label(mine.question.items[0]) is mine.question.guess[0]


def test_questions_planned_ahead_are_committed_with_the_answer() -> None:
    session, store, _ = make_session()
    asked = ask(session)
    session.queue.plan_ahead(asked.id)
    session.tell(asked.id, asked.question.yes(), "1")
    kinds = [event.kind for event in store.read()]
    assert kinds == ["opened", "asked", "answered", "asked"]
    following = ask(session)
    assert [event.kind for event in store.read()] == kinds
    assert set(following.question.items).isdisjoint(asked.question.items)


def test_a_plan_made_ahead_is_dropped_when_somebody_else_answered_meanwhile() -> None:
    session, _, _ = make_session(9)
    mine, theirs = ask(session, "ann"), ask(session, "bob")
    session.queue.plan_ahead(mine.id)
    session.tell(theirs.id, theirs.question.yes(), "1", "bob")
    session.tell(mine.id, mine.question.yes(), "2", "ann")
    following = ask(session, "ann")
    assert all(session.state.is_open(item) for item in following.question.items)


def test_audits_are_compared_and_never_learnt() -> None:
    truth = [True] * 10 + [False] * 10
    session, store, _ = make_session(20, options=SessionOptions(audit_every=3, seed=1))
    audits = 0
    while not session.state.done:
        asked = ask(session)
        before = session.state.labels()
        if asked.question.purpose == "audit":
            audits += 1
            answer = asked.question.yes()  # a sloppy person, who looks at nothing
            session.tell(asked.id, answer, f"k{asked.id}")
            assert np.array_equal(before, session.state.labels())
        else:
            session.tell(asked.id, truthful(asked.question, truth), f"k{asked.id}")
    planted = sum(bool(asked.planted) for asked in audited(session))
    assert audits == len(session.history.audits.answers) > 0
    assert session.progress().agreement.hits == audits - planted
    for asked in audited(session):
        wrong = {
            i for i, g in zip(asked.question.items, asked.question.guess, strict=True)
            if truth[i] != g
        }  # fmt: skip
        assert wrong == set(asked.planted)
    assert History.of(20, store.read()).audits.agreement == session.progress().agreement


def test_a_session_opened_with_another_pool_is_refused() -> None:
    _, store, _ = make_session(6)
    with pytest.raises(Refused, match="the pool it was opened with"):
        make_session(7, store=store)


class BrokenStore(MemoryStore):
    """A memory store whose disk fills up."""

    broken = False

    def append(self, events: Sequence[Event]) -> int:
        if self.broken:
            raise NotWritten("The disk is full; free some space and answer again.", reopen=False)
        return super().append(events)


def test_what_cannot_be_stored_has_not_happened() -> None:
    store = BrokenStore()
    session, _, _ = make_session(store=store)
    asked = ask(session)
    store.broken = True
    with pytest.raises(NotWritten, match="disk is full"):
        session.tell(asked.id, asked.question.yes(), "1")
    assert session.state.n_settled == 0
    store.broken = False
    assert session.tell(asked.id, asked.question.yes(), "1").settled == len(asked.question)


def test_fresh_probabilities_are_used_and_noted_and_answers_are_taught() -> None:
    better = Probs(np.full(6, 0.01))
    trainer = ReadyTrainer(better)
    session, store, _ = make_session(trainer=trainer)
    asked = ask(session)
    assert session.probs is better
    assert set(asked.question.guess) == {False}
    session.tell(asked.id, asked.question.yes(), "1")
    assert trainer.taught == [len(asked.question)]
    kinds = [event.kind for event in store.read()]
    assert kinds == ["opened", "checkpoint", "asked", "answered"]


def test_the_state_is_that_of_the_answers_that_stand() -> None:
    session, _, _ = make_session(8)
    for key in range(4):
        asked = ask(session)
        answer = asked.question.yes() if key % 2 else asked.question.no()
        session.tell(asked.id, answer, str(key))
    standing = {number: given.answer for number, given in session.history.answers.items()}
    session.retract(min(standing))
    del standing[min(standing)]
    assert session.state == replay(8, standing)


def test_a_session_needs_one_probability_per_item() -> None:
    store, clock = MemoryStore(), HandClock()
    with pytest.raises(Refused, match="got 6 for 9 items"):
        Session(store, {"n": 9}, make_planner("one-by-one"), Probs(np.full(6, 0.5)), clock)


def test_undo_twice_with_one_key_undoes_once() -> None:
    session, _, _ = make_session()
    for key in "ab":
        asked = ask(session)
        session.tell(asked.id, asked.question.yes(), key)
    before = session.state.n_settled
    session.undo("ann", key="once")
    after = session.state.n_settled
    session.undo("ann", key="once")
    assert before > session.state.n_settled == after


def test_an_audit_leases_its_items_also_when_their_labels_are_taken_back() -> None:
    session, _, clock = make_session(12, options=SessionOptions(audit_every=1, seed=1))
    truth = [True] * 12
    while (asked := ask(session)).question.purpose != "audit":
        session.tell(asked.id, truthful(asked.question, truth), f"k{asked.id}")
    shown = asked.question.items[0]
    (number,) = session.state.provenance(shown).answers[:1]  # type: ignore[union-attr]
    session.retract(number)
    held = ask(session, "bob")
    assert not set(held.question.items) & set(asked.question.items)
    session.tell(asked.id, asked.question.yes(), "audit")
    other = session.ask("carl")
    assert other is None or not set(other.question.items) & set(held.question.items)
    assert clock.now == 1000


def test_every_answer_that_speaks_against_a_new_one_is_in_dispute() -> None:
    session, _, clock = make_session(1, planner=make_planner("one-by-one"))
    asked = []
    for who in ("ann", "bob", "carl"):
        asked.append(ask(session, who))
        clock.now += 601
    for question, who in zip(asked[:2], ("ann", "bob"), strict=True):
        session.tell(question.id, question.question.yes(), who)
    told = session.tell(asked[2].id, asked[2].question.no(), "carl")
    assert told.dispute is not None
    assert len(told.dispute.answers) == 3
    assert session.state.is_open(0)


def test_a_session_stores_how_it_plans_when_it_begins_and_when_that_changes() -> None:
    session, store, _ = make_session(method={"planner": "lookahead"})
    assert session.history.method == {"planner": "lookahead"}
    session.replan(make_planner("one-by-one"), {"planner": "one-by-one"})
    assert len(ask(session).question) == 1
    again, _, _ = make_session(store=store, method={"planner": "another"})
    assert again.history.method == {"planner": "one-by-one"}
    planned = [event for event in store.read() if event.kind == "planned"]
    assert [event.format for event in planned] == [2, 2]


def test_a_session_in_memory_is_the_same_as_one_with_a_store() -> None:
    def played(store: MemoryStore | None) -> Session:
        planner = make_planner("lookahead", max_n=3, seed=0)
        session = Session(store, {"n": 6}, planner, Probs(np.linspace(0.55, 0.95, 6)), HandClock())
        session.tell(ask(session).id, ask(session).question.no(), "first")
        session.unsure(5, "dark", "ann", "second")
        session.undo("ann", key="third")
        return session

    store = MemoryStore()
    with_store, without = played(store), played(None)
    assert without.state == with_store.state
    assert list(store.read()) == without.events_in_memory()
    assert with_store.events_in_memory() == []


@pytest.mark.parametrize(("annotator", "key"), [("\0", "key"), ("ann", "k" * 201), ("ann", "\0")])
def test_a_session_in_memory_refuses_the_names_that_a_store_refuses(
    annotator: str, key: str
) -> None:
    planner = make_planner("lookahead", max_n=3, seed=0)
    session = Session(None, {"n": 6}, planner, Probs(np.full(6, 0.5)), HandClock())
    with pytest.raises(InvalidInput, match="1 to 200 characters without NUL"):
        session.define("A cat.", annotator, key)
    assert session.history.definitions == []
