"""The forecast: when there is one, what it depends on, and how it is rounded."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.core.bounds import capped_bound_from_sums, capped_bound_questions
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.lab.truthful import TruthfulAnnotator
from askless.planners import make_planner
from askless.session import estimates
from askless.session.estimates import Estimates, Range, open_sums
from askless.session.options import SessionOptions
from askless.session.session import Session
from tests.core.entropies import state_entropy_bits
from tests.session.making import HandClock, ask, truthful
from tests.stores.memory_store import MemoryStore

Floats = NDArray[np.float64]


def _session(
    n: int, planner: str = "auto", sample: int = 0, audit_every: int = 0, **options: object
) -> Session:
    probs = Probs(np.random.default_rng(0).beta(0.3, 0.3, n))
    made = make_planner(planner, **options)
    mixed = SessionOptions(test_sample=sample, audit_every=audit_every)
    return Session(MemoryStore(), {"n": n}, made, probs, HandClock(), options=mixed)


def _truth(session: Session) -> list[bool]:
    drawn = np.random.default_rng(1).random(session.state.n)
    return [bool(one) for one in drawn < session.probs.values]


def test_the_random_draws_come_first_and_are_counted_down_without_a_forecast() -> None:
    session = _session(60, sample=3, max_n=4)
    truth = _truth(session)
    for left in (3, 2, 1):
        progress = session.progress()
        assert (progress.draws_left, progress.questions_left) == (left, None)
        assert progress.seconds_left is None
        asked = ask(session)
        session.tell(asked.id, truthful(asked.question, truth), str(left), seconds=2.0)
    assert session.progress().draws_left == 0


def test_a_draw_that_has_its_label_already_is_not_waited_for() -> None:
    session = _session(60, sample=3, max_n=4)
    for item in SessionOptions(test_sample=3).test_items([60]):
        assert session.progress().draws_left > 0
        session.correct(item, True, "ann")
    assert session.progress().draws_left == 0


def test_there_is_no_forecast_before_a_few_questions_and_one_ever_after() -> None:
    session = _session(200, max_n=4)
    truth, told = _truth(session), []
    while not session.state.done:
        told.append(session.progress().questions_left)
        asked = ask(session)
        session.tell(asked.id, truthful(asked.question, truth), str(len(told)))
    assert told[:5] == [None] * 5
    first = next(at for at, left in enumerate(told) if left is not None)
    assert first <= 15
    assert None not in told[first:]
    done = session.progress().questions_left
    assert done is not None
    assert done.high == 0


def test_a_planner_that_asks_alone_to_save_seconds_makes_no_exact_forecast_at_once() -> None:
    # To ask costs nothing.
    session = _session(200, objective="seconds", seconds=(0.05, 1.0, 1.0), max_n=24)
    truth = _truth(session)
    for key in range(25):
        left = session.progress().questions_left
        assert left == (None if key < 20 else Range(200 - key, 200 - key, 200 - key))
        asked = ask(session)
        assert len(asked.question) == 1
        session.tell(asked.id, truthful(asked.question, truth), str(key))


def test_where_items_are_asked_alone_no_audit_comes_between_and_the_forecast_is_exact() -> None:
    session = _session(90, "one-by-one", audit_every=5)
    truth, told = _truth(session), []
    while not session.state.done:
        told.append(session.progress().questions_left)
        asked = ask(session)
        answer = TruthfulAnnotator(np.array(truth)).answer(asked.question)
        session.tell(asked.id, answer, str(len(told)))
    assert len(told) == 90
    for at, left in enumerate(told):
        assert left is not None
        assert left.low == left.high == len(told) - at


def test_of_the_last_items_it_is_always_said_how_many_answers_they_may_take() -> None:
    for n_open, low, high in ((12, 3, 15), (5, 1, 7), (2, 1, 3)):
        session = _session(n_open, max_n=4)
        left = session.progress().questions_left
        assert left is not None
        assert (left.low, left.high) == (low, high)
        assert low <= left.expected <= high


def test_where_groups_are_rare_the_open_items_are_shared_out_as_lately() -> None:
    session = _session(200, max_n=4)
    for item in range(60):
        assert session.progress().questions_left is None
        session.tell(None, Question((item,), (True,)).yes(), str(item), "ann", seconds=30.0)
    progress = session.progress()
    assert progress.questions_left == Range(70, 140, 175)
    assert progress.seconds_left is not None
    assert progress.seconds_left.low < 140 * 30 < progress.seconds_left.high
    for first in range(60, 80, 4):  # a quarter of the latest twenty
        question = Question(tuple(range(first, first + 4)), (True,) * 4)
        session.tell(None, question.yes(), str(first), "ann", seconds=60.0)
    left = session.progress().questions_left
    assert left is not None
    assert left.expected == pytest.approx(120 * 20 / 35)


def test_what_came_with_the_source_says_nothing_about_the_questions() -> None:
    session = _session(60, max_n=4)
    for first in range(0, 30, 5):
        question = Question(tuple(range(first, first + 5)), (True,) * 5)
        session.tell(None, question.yes(), str(first), "source")
        session.tell(None, Question((first + 30,), (True,)).yes(), f"{first}-", "ann")
    assert [len(given.answer) for _, given in estimates._latest(session.history)] == [1] * 6


@pytest.mark.parametrize(("expected", "low", "high"), [(123.0, 86.0, 160.0), (7.0, 4.0, 10.0)])
def test_the_ends_of_a_range_are_whole_and_have_two_figures(
    expected: float, low: float, high: float
) -> None:
    found = estimates.spread(expected, (0.7, 1.0, 1.3), 1.0)
    figures = 10.0 if high >= 100 else 1.0
    assert found.low == figures * np.floor(low / figures)
    assert found.high == figures * np.ceil(high / figures)
    assert found.expected == expected
    minutes = estimates.spread(60 * expected, (0.7, 1.0, 1.3), 60.0)
    assert (minutes.low / 60, minutes.high / 60) == (found.low, found.high)


def test_with_people_who_point_the_open_items_are_shared_out_as_lately() -> None:
    session = _session(300, "grid", max_n=12)
    truth = _truth(session)
    for key in range(8):
        asked = ask(session)
        answer = TruthfulAnnotator(np.array(truth), pointing=True).answer(asked.question)
        session.tell(asked.id, answer, str(key))
    found = Estimates().outlook(session.history, session.probs, session.queue.planner)
    assert found is not None
    assert found.kind == "pointed"
    assert found.answers == pytest.approx(session.state.n_open / 12, rel=0.2)


@pytest.mark.parametrize(("item_s", "kind"), [(0.3, "growing"), (3.0, None)])
def test_questions_grow_where_items_are_quickly_looked_at_and_else_nobody_can_tell(
    item_s: float, kind: str | None
) -> None:
    session = _session(300, "grid", max_n=4, objective="seconds", seconds=(1.2, item_s, 1.0))
    truth = _truth(session)
    for key in range(12):
        asked = ask(session)
        answer = TruthfulAnnotator(np.array(truth), pointing=True).answer(asked.question)
        session.tell(asked.id, answer, str(key))
    found = Estimates().outlook(session.history, session.probs, session.queue.planner)
    assert (None if found is None else found.kind) == kind


def test_a_range_is_not_narrow_while_the_sizes_it_rests_on_are_those_of_growing_questions() -> None:
    session = _session(700, "grid", max_n=24)
    truth, shares = _truth(session), []
    while not session.state.done:
        found = Estimates().outlook(session.history, session.probs, session.queue.planner)
        shares.append(0.0 if found is None else found.done)
        asked = ask(session)
        answer = TruthfulAnnotator(np.array(truth), pointing=True).answer(asked.question)
        session.tell(asked.id, answer, str(len(shares)))
    assert max(shares) == 0.5
    assert len(shares) < 40


def test_sums_are_those_of_all_open_items_where_they_are_few_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(estimates, "_SAMPLE", 100)
    monkeypatch.setattr(estimates, "_FEW_SAMPLED", 10)
    n = 1990
    probs = Probs(np.sort(np.random.default_rng(0).random(n)))  # a sorted pool is the worst
    state = State.blank(n)
    all_bits, all_wrong = (float(np.sum(part)) for part in _bits_and_wrong(probs.values))
    bits, wrong = open_sums(probs, state)
    assert bits == pytest.approx(all_bits, rel=0.02)
    assert wrong == pytest.approx(all_wrong, rel=0.02)
    items = tuple(range(1900))
    state = learn(state, Question(items, (True,) * 1900).yes())
    bits, wrong = open_sums(probs, state)
    all_bits, all_wrong = (float(np.sum(part)) for part in _bits_and_wrong(probs.values[1900:]))
    assert bits == pytest.approx(all_bits)
    assert wrong == pytest.approx(all_wrong)


def test_the_entropy_of_open_items_counts_what_the_clauses_say() -> None:
    n = 60
    probs, state = Probs(np.random.default_rng(0).beta(0.3, 0.3, n)), State.blank(n)
    for first in range(0, 50, 5):
        question = Question(tuple(range(first, first + 5)), (True,) * 5)
        state = learn(state, question.no() if first % 2 else question.yes())
        bits, wrong = open_sums(probs, state)
        saved = estimates._saved_by_clauses(probs, state)
        assert bits - saved == pytest.approx(state_entropy_bits(probs.values, state))
        bound = capped_bound_from_sums(bits, wrong, state.n_open, 8)
        assert bound == pytest.approx(capped_bound_questions(probs.values[state.open_items()], 8))


def _bits_and_wrong(p: Floats) -> tuple[Floats, Floats]:
    return -p * np.log2(p) - (1 - p) * np.log2(1 - p), np.minimum(p, 1 - p)
