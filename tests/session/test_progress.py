"""How far a session is: the counts, the estimates, and that both cost O(1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.core.annotation_cost import AnnotationCost
from askless.core.bounds import capped_bound_from_sums, capped_bound_questions
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.planners import make_planner
from askless.session import estimates
from askless.session.estimates import OpenSums
from askless.session.progress import progress_of
from askless.session.session import Session
from askless.stores.memory import MemoryStore
from tests.core.entropies import state_entropy_bits
from tests.session.making import HandClock, ask, make_session, truthful


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
    assert now.questions_left.low <= now.questions_left.expected <= now.questions_left.high
    assert now.seconds_left is not None
    assert now.seconds_left.expected == pytest.approx(2 * now.questions_left.expected)


@pytest.mark.parametrize(("name", "pointing"), [("nested", False), ("grid", True)])
def test_the_questions_left_are_estimated_from_what_the_latest_answers_settled(
    name: str, pointing: bool
) -> None:
    n, settled_half = 300, None
    values = np.random.default_rng(0).beta(0.3, 0.3, n)
    truth = np.random.default_rng(1).random(n) < values
    planner = make_planner(name, max_n=12)
    session = Session(MemoryStore(), {"n": n}, planner, Probs(values), HandClock())
    count = 0
    while not session.state.done:
        if settled_half is None and session.state.n_settled >= n / 2:
            settled_half = count, session.progress().questions_left
        asked = ask(session)
        wrong = [
            i for i, g in zip(asked.question.items, asked.question.guess, strict=True)
            if truth[i] != g
        ]  # fmt: skip
        answer = asked.question.no() if wrong else asked.question.yes()
        if wrong and pointing:
            answer = asked.question.pointed(wrong, rest_right=True)
        session.tell(asked.id, answer, f"{count}")
        count += 1
    assert settled_half is not None
    at, left = settled_half
    assert left.low <= count - at <= left.high


@pytest.mark.parametrize("certainty", [0.5, 0.9])
def test_no_more_questions_are_estimated_than_items_asked_alone_would_take(
    certainty: float,
) -> None:
    n = 140
    truth = np.random.default_rng(1).random(n) < 0.5  # whatever is believed, it is worth nothing
    planner = make_planner("auto", max_n=4)
    probs = Probs(np.where(np.arange(n) % 2, certainty, 1 - certainty))
    session = Session(MemoryStore(), {"n": n}, planner, probs, HandClock())
    for key in range(60):
        left = session.progress().questions_left
        assert 1 <= left.low <= left.expected <= left.high <= session.state.n_open
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
    assert session.progress().questions_left.expected == session.state.n_open


def test_a_small_pool_is_summed_exactly_after_every_answer() -> None:
    n = 60
    probs = Probs(np.random.default_rng(0).beta(0.3, 0.3, n))
    sums, state = OpenSums(n), State.blank(n)
    for first in range(0, 50, 5):
        items = tuple(range(first, first + 5))
        question = Question(items, (True,) * 5)
        state = learn(state, question.no() if first % 2 else question.yes())
        sums.renew(probs, state)
        assert sums.complete
        p = probs.values[state.open_items()]
        bits, wrong, _ = sums.scaled(state.n_open)
        assert wrong == pytest.approx(float(np.sum(np.minimum(p, 1 - p))))
        saved = estimates._saved_by_clauses(probs, state)
        assert bits - saved == pytest.approx(state_entropy_bits(probs.values, state))
        bound = capped_bound_from_sums(bits, wrong, state.n_open, 8)
        assert bound == pytest.approx(capped_bound_questions(p, 8))


def test_a_large_pool_is_summed_slice_by_slice_until_all_of_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(estimates, "_SLICE", 100)
    looked: list[int] = []
    labels_at = State.labels_at

    def watched(state: State, items: slice) -> NDArray[np.int8]:
        labels = labels_at(state, items)
        looked.append(len(labels))
        return labels

    monkeypatch.setattr(State, "labels_at", watched)
    n = 1990
    probs = Probs(np.sort(np.random.default_rng(0).random(n)))  # a sorted pool is the worst
    session = Session(MemoryStore(), {"n": n}, make_planner("auto", max_n=8), probs, HandClock())
    exact = progress_of(session.history, probs, make_planner("auto", max_n=8))
    looked.clear()
    first = session.progress()
    assert looked == [100]
    assert first.questions_left.expected == pytest.approx(exact.questions_left.expected, rel=0.02)
    for _ in range(19):
        last = session.progress()
    assert max(looked) == 100
    assert sum(looked) == n
    for name in ("low", "expected", "high"):
        said, should = getattr(last.questions_left, name), getattr(exact.questions_left, name)
        assert said == pytest.approx(should)
    session.progress()
    assert sum(looked) == n


def test_new_probabilities_are_summed_again() -> None:
    n = 30
    sums, state = OpenSums(n), State.blank(n)
    sums.renew(Probs(np.full(n, 0.5)), state)
    assert sums.scaled(n)[0] == pytest.approx(n)
    sums.renew(Probs(np.full(n, 1.0)), state)
    assert sums.scaled(n)[0] == 0


def test_status_and_session_say_the_same() -> None:
    session, _, clock = make_session(60, planner=make_planner("auto", max_n=4))
    for key in range(12):
        asked = ask(session)
        clock.now += 3
        answer = asked.question.yes() if key % 3 else asked.question.no()
        session.tell(asked.id, answer, str(key))
    said = session.progress()
    read = progress_of(session.history, session.probs, make_planner("auto", max_n=4))
    assert replace(said, probs_version=0) == replace(read, probs_version=0)
