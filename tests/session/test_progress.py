"""How far a session is: the counts, and that whoever reads a session says the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askless.core.annotation_cost import AnnotationCost
from askless.core.probability import Probs
from askless.planners import make_planner
from askless.session.estimates import MOST
from askless.session.options import SessionOptions
from askless.session.progress import Range, progress_of
from askless.session.session import Session
from tests.session.making import HandClock, ask, make_session, truthful
from tests.stores.memory_store import MemoryStore


def test_progress_counts_what_there_is_and_estimates_the_rest() -> None:
    session, _, clock = make_session(40, planner=make_planner("one-by-one"))
    before = session.progress()
    assert (before.settled, before.open, before.labels_per_answer) == (0, 40, None)
    assert before.seconds_left is None
    for key in range(10):
        asked = ask(session)
        clock.now += 2
        session.tell(asked.id, asked.question.yes(), str(key))
    now = session.progress()
    assert (now.settled, now.open, now.answers, now.labels_per_answer) == (10, 30, {"yes": 10}, 1)
    assert now.questions_left == Range(30, 30, 30)
    assert now.seconds_left is not None
    assert now.seconds_left.low <= now.seconds_left.expected == pytest.approx(2 * 30)


@pytest.mark.parametrize("certainty", [0.5, 0.9])
def test_hardly_more_answers_are_forecast_than_items_asked_alone_would_take(
    certainty: float,
) -> None:
    n = 140
    truth = np.random.default_rng(1).random(n) < 0.5  # whatever is believed, it is worth nothing
    planner = make_planner("auto", max_n=4)
    probs = Probs(np.where(np.arange(n) % 2, certainty, 1 - certainty))
    session = Session(MemoryStore(), {"n": n}, planner, probs, HandClock())
    for key in range(60):
        left = session.progress().questions_left
        if left is not None:
            assert 1 <= left.low <= left.expected <= left.high <= MOST * session.state.n_open
        asked = ask(session)
        session.tell(asked.id, truthful(asked.question, truth.tolist()), str(key))


def test_the_time_left_is_that_of_the_items_to_be_shown_and_not_of_large_questions_lately() -> None:
    n, pace = 400, AnnotationCost(2.0, 0.5, 1.0)
    values = np.random.default_rng(0).beta(0.3, 0.3, n)
    truth = (np.random.default_rng(1).random(n) < values).tolist()
    planner = make_planner("auto", max_n=12, objective="labels")  # easy ones first
    session = Session(MemoryStore(), {"n": n}, planner, Probs(values), HandClock())
    estimated, spent_s = [], 0.0
    while not session.state.done:
        if (left := session.progress().seconds_left) is not None:
            estimated.append((spent_s, left))
        asked = ask(session)
        answer = truthful(asked.question, truth)
        spent_s += pace.seconds(answer)
        session.tell(asked.id, answer, f"k{asked.id}", seconds=pace.seconds(answer))
    within = [left.low <= spent_s - at <= left.high for at, left in estimated]
    assert np.mean(within) > 0.7


def test_progress_counts_both_labels() -> None:
    session, _, _ = make_session(6)
    session.correct(0, True, "ann")
    session.correct(1, False, "ann")
    session.correct(2, False, "ann")
    progress = session.progress()
    assert (progress.positives, progress.negatives) == (1, 2)


def test_nothing_is_computed_while_nothing_has_changed() -> None:
    session, _, _ = make_session(40)
    asked = ask(session)
    session.tell(asked.id, asked.question.no(), "1")
    said = session.progress()
    assert session.progress() is said
    session.use(planner=make_planner("one-by-one"))
    left = session.progress().questions_left
    assert left is not None
    assert left.expected == session.state.n_open


def test_status_and_session_say_the_same() -> None:
    session, _, clock = make_session(60, planner=make_planner("auto", max_n=4))
    for key in range(12):
        asked = ask(session)
        clock.now += 3
        answer = asked.question.yes() if key % 3 else asked.question.no()
        session.tell(asked.id, answer, str(key))
    said = session.progress()
    planner = make_planner("auto", max_n=4)
    read = progress_of(session.history, session.probs, planner, SessionOptions())
    assert replace(said, probs_version=0) == replace(read, probs_version=0)


def test_a_test_item_that_another_window_holds_withholds_no_forecast() -> None:
    options = SessionOptions(test_sample=2, lease_s=100)
    planner = make_planner("one-by-one")
    session, _, _ = make_session(12, planner=planner, options=options)
    held = ask(session, tab="closed")
    asked = ask(session, tab="open")
    assert session.progress().draws_left == 2
    session.tell(asked.id, asked.question.yes(), "1")
    assert session.progress().draws_left == 1
    asked = ask(session, tab="open")
    assert not asked.in_test_sample
    assert session.progress().draws_left == 0
    assert session.progress().questions_left is not None
    session.queue.leave("ann", but_for="open")
    assert session.progress().draws_left == 1
    session.tell(asked.id, asked.question.yes(), "2")
    assert ask(session, tab="open").question == held.question
