"""Planning ahead, putting questions, and answers to questions that were planned ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import undecided
from askless.errors import Refused
from askless.planners import make_planner
from askless.session.session import SessionOptions
from tests.session.making import ReadyTrainer, ask, audited, kinds, make_session, truthful


def test_planning_ahead_says_what_comes_after_each_answer() -> None:
    session, _, _ = make_session(12)
    asked = ask(session)
    ahead = session.queue.plan_ahead(asked.id, depth=2)
    assert {"yes", "no", "yes yes", "yes no", "no yes", "no no"} == set(ahead)
    session.tell(asked.id, asked.question.yes(), "1")
    following = ask(session)
    assert following.question == ahead["yes"]
    session.tell(following.id, following.question.no(), "2")
    assert ask(session).question == ahead["yes no"]
    assert session.queue.plan_ahead(10_000) == {}


def test_planning_ahead_takes_fresh_probabilities_when_there_are_some() -> None:
    session, _, _ = make_session(6, planner=make_planner("one-by-one"))
    asked = ask(session)
    better = Probs(np.full(6, 0.02))
    session.use(trainer=ReadyTrainer(better))
    ahead = session.queue.plan_ahead(asked.id)
    assert session.probs is better
    assert {question.guess for question in ahead.values()} == {(False,)}


def test_a_question_that_was_shown_ahead_is_put_as_it_is() -> None:
    session, store, _ = make_session(12)
    asked = ask(session)
    shown = session.queue.plan_ahead(asked.id, depth=2)["yes no"]
    put = session.queue.put(shown, "ann")
    assert put.question == shown
    assert session.queue.put(shown, "ann") is put  # again: the same
    assert ask(session) is put
    assert kinds(store).count("asked") == 2
    session.tell(put.id, shown.yes(), "k")


def test_what_cannot_be_asked_is_not_put() -> None:
    session, store, _ = make_session(6)
    held = ask(session, "bob")
    session.correct(5, True, "ann")
    count = len(kinds(store))
    for question in (
        Question(held.question.items, held.question.guess),
        Question((5,), (True,)),
        Question((6,), (True,)),
        Question((0,), (True,), "audit"),
        "nonsense",
    ):
        with pytest.raises(Refused):
            session.queue.put(question, "ann")  # type: ignore[arg-type]
    assert len(kinds(store)) == count


def test_the_question_already_on_the_screen_is_committed_with_the_answer() -> None:
    session, store, _ = make_session(12)
    asked = ask(session)
    other = session.queue.spare("ann", 1)[0]
    session.queue.plan_ahead(asked.id)
    session.tell(asked.id, asked.question.yes(), "1", then=other)
    assert kinds(store) == ["opened", "asked", "answered", "asked"]
    assert ask(session).question == other


def test_a_question_on_the_screen_that_says_nothing_any_more_gives_way_to_another() -> None:
    session, store, _ = make_session(12)
    asked = ask(session)
    ahead = session.queue.plan_ahead(asked.id)
    session.tell(asked.id, asked.question.yes(), "1", then=asked.question)
    assert ask(session).question == ahead["yes"]
    count = len(kinds(store))
    following = ask(session)
    session.tell(following.id, following.question.no(), "2", then=Question((99,), (True,)))
    assert kinds(store)[count:] == ["answered"]


def test_answers_to_questions_handed_out_ahead_are_stored_with_them_once() -> None:
    session, store, _ = make_session(12)
    spare = session.queue.spare("ann", 3)
    items = [item for question in spare for item in question.items]
    assert len(items) == len(set(items))
    assert kinds(store) == ["opened"]
    for _ in range(2):  # the page sends everything again, for it has got no reply
        for k, question in enumerate(spare):
            told = session.tell(None, question.yes(), f"k{k}", "ann", tab="t", seconds=2.5)
            assert session.history.answers[told.number].seconds == 2.5
    assert kinds(store) == ["opened"] + ["asked", "answered"] * 3
    assert all(session.state.label(item) is not None for item in items)
    with pytest.raises(Refused, match="came with another"):
        session.tell(None, spare[0].no(), "k0", "ann")
    with pytest.raises(Refused, match="who gave it"):
        session.tell(None, spare[0].no(), "new")
    with pytest.raises(Refused, match="items 0 to 11"):
        session.tell(None, Question((12,), (True,)).yes(), "new", "ann")


def test_an_answer_without_an_id_may_say_what_is_known_or_contradict_it() -> None:
    session, _, _ = make_session(6)
    question = Question((0, 1), (True, True))
    session.tell(None, question.yes(), "a", "ann")
    assert session.tell(None, question.yes(), "b", "bob").dispute is None
    assert session.tell(None, question.no(), "c", "carl").dispute is not None
    assert session.state.is_open(0)


def test_spare_questions_leave_live_and_taken_items_alone() -> None:
    session, _, _ = make_session(12)
    live = set(ask(session).question.items)
    for question in session.queue.spare("bob", 50, excluded={7, 8}):
        assert not live & set(question.items)
        assert not {7, 8} & set(question.items)
        assert undecided(session.state, question)


def test_windows_that_are_closed_give_their_questions_back() -> None:
    session, _, _ = make_session(9)
    held = {tab: ask(session, "ann", tab) for tab in ("1", "2")}
    other = ask(session, "bob")
    session.queue.leave("ann", but_for="2")
    assert ask(session, "ann", "2") is held["2"]
    assert ask(session, "bob") is other
    assert ask(session, "carl").question == held["1"].question
    assert session.tell(held["1"].id, held["1"].question.yes(), "late").settled > 0


def test_an_audit_is_undone_like_any_other_answer() -> None:
    truth = [True] * 30
    session, _, _ = make_session(30, options=SessionOptions(audit_every=2, seed=1))
    while not session.history.audits.answers:
        asked = ask(session)
        session.tell(asked.id, truthful(asked.question, truth), f"k{asked.id}")
    (shown,) = audited(session)
    labels = session.state.labels()
    again = session.undo("ann")
    assert again is not None
    assert again.question == shown.question
    assert again.planted == shown.planted
    assert session.progress().agreement.trials == 0
    assert (session.state.labels() == labels).all()
    session.tell(again.id, again.question.no(), "again")
    assert session.progress().agreement.trials == 1


def test_answers_know_under_which_definition_they_were_given() -> None:
    session, _, _ = make_session(6)
    session.tell(None, Question((0,), (True,)).yes(), "0", "ann")
    session.define("Only shoes.")
    session.tell(None, Question((1,), (True,)).yes(), "1", "ann")
    session.define("Shoes and boots.")
    session.tell(None, Question((2,), (True,)).yes(), "2", "ann")
    assert [entry.definition for entry in session.labels()][:4] == [0, 1, 2, None]


def test_another_planner_takes_over_and_planned_questions_are_dropped() -> None:
    session, store, _ = make_session(12)
    asked = ask(session)
    session.queue.plan_ahead(asked.id)
    session.use(planner=make_planner("one-by-one"))
    session.tell(asked.id, asked.question.yes(), "1")
    assert kinds(store)[-1] == "answered"
    assert len(ask(session).question) == 1
    left = session.progress().questions_left
    assert left is not None
    assert left.expected == session.state.n_open


@pytest.mark.parametrize("item", [1.5, -1, 6, True, None, "1"])
def test_only_items_of_the_pool_can_be_mark_unsure(item: Any) -> None:
    session, store, _ = make_session(6)
    with pytest.raises(Refused, match="whole numbers 0 to 5"):
        session.unsure(item, "why", "ann")
    assert kinds(store) == ["opened"]


def test_a_note_is_text() -> None:
    session, store, _ = make_session(6)
    with pytest.raises(Refused, match="needs 'note', text; got 7"):
        session.unsure(1, 7, "ann")  # type: ignore[arg-type]
    assert kinds(store) == ["opened"]


def test_no_answer_is_refused_in_a_sentence() -> None:
    session, store, _ = make_session(6)
    asked = ask(session)
    with pytest.raises(Refused, match="must be to the question"):
        session.tell(asked.id, None, "k")  # type: ignore[arg-type]
    for seconds in (-1.0, float("nan"), "long"):
        with pytest.raises(Refused, match="seconds"):
            session.tell(asked.id, asked.question.yes(), "k", seconds=seconds)  # type: ignore[arg-type]
    for key in (None, 7, ["k"], ""):
        with pytest.raises(Refused, match="key"):
            session.tell(asked.id, asked.question.yes(), key)  # type: ignore[arg-type]
    for question_id in ([asked.id], "1", 1.5):
        with pytest.raises(Refused, match="put to the annotator"):
            session.tell(question_id, asked.question.yes(), "k")  # type: ignore[arg-type]
    assert kinds(store) == ["opened", "asked"]


def test_a_window_is_asked_the_part_of_a_question_that_it_can_show() -> None:
    session, store, _ = make_session(12)
    whole = ask(session).question
    assert len(whole) > 2

    def fit(question: Question, tab: str) -> Question:
        if tab != "small" or len(question) < 3:
            return question
        return Question(question.items[:2], question.guess[:2], question.purpose)

    session.use(fit=fit)
    assert ask(session).question is whole
    session.queue.leave("ann")
    small = session.ask("ann", "small")
    assert small is not None
    assert small.question.items == whole.items[:2]
    assert session.ask("ann", "small") is small
    ahead = session.queue.plan_ahead(small.id, depth=2)
    spare = session.queue.spare("ann", 3, tab="small")
    assert max(len(question) for question in [*ahead.values(), *spare]) == 2
    assert kinds(store).count("asked") == 2
