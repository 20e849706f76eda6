from collections.abc import Set as AbstractSet
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State, replay
from askless.errors import InvalidInput
from askless.lab.simulate import simulate_planner
from askless.lab.trace import Step
from askless.lab.truthful import TruthfulAnnotator
from askless.planners import make_planner
from askless.seams import Priority
from tests.lab.handmade import Halves, Singles


@st.composite
def pools(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    n = draw(st.integers(1, 30))
    probs = draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    labels = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return np.array(probs), np.array(labels)


@given(pools(), st.integers(1, 9))
def test_a_run_settles_every_label_right_whatever_the_probs_say(
    pool: tuple[NDArray[np.float64], NDArray[np.bool_]], most: int
) -> None:
    probs, labels = pool
    run = simulate_planner(Halves(most), probs, labels)
    assert run.labels.tolist() == labels.tolist()
    assert run.labels_right == len(labels) == run.trace.steps[-1].settled


@given(pools())
def test_the_trace_replayed_gives_the_same_labels(
    pool: tuple[NDArray[np.float64], NDArray[np.bool_]],
) -> None:
    run = simulate_planner(Halves(), *pool)
    assert replay(run.trace.n, run.trace.answers).labels().tolist() == run.labels.tolist()


@given(pools())
def test_pointing_settles_every_item_the_first_time_it_is_shown(
    pool: tuple[NDArray[np.float64], NDArray[np.bool_]],
) -> None:
    probs, labels = pool
    run = simulate_planner(
        Halves(), probs, labels, annotator=TruthfulAnnotator(labels, pointing=True)
    )
    assert run.items_shown == len(labels) == run.labels_right


def test_one_item_at_a_time_takes_as_many_questions_as_items() -> None:
    run = simulate_planner(Singles(), [0.5] * 7, [1, 0, 1, 1, 0, 0, 1])
    assert run.questions == run.items_shown == 7
    assert [step.settled for step in run.trace.steps] == [1, 2, 3, 4, 5, 6, 7]
    assert [step.number for step in run.trace.steps] == [1, 2, 3, 4, 5, 6, 7]


def test_an_item_shown_in_two_questions_counts_twice() -> None:
    run = simulate_planner(Halves(2), [0.9, 0.9], [True, False])
    # Both, refuted; the first alone, right; so the second is wrong.
    assert (run.questions, run.items_shown) == (2, 3)


def test_whoever_watches_sees_every_step_as_it_happens() -> None:
    seen: list[Step] = []
    run = simulate_planner(Halves(), [0.9] * 20, [True] * 19 + [False], watch=seen.append)
    assert tuple(seen) == run.trace.steps


def test_only_the_planner_is_timed() -> None:
    ticks = count()

    class Slow(TruthfulAnnotator):
        def answer(self, question: Question) -> Answer:
            next(ticks)
            return super().answer(question)

    run = simulate_planner(
        Singles(), [0.5] * 4, [1] * 4, annotator=Slow([1] * 4), clock=lambda: float(next(ticks))
    )
    assert run.planning_s == 4


def test_every_question_is_planned_with_the_probs_as_calibrated_by_then() -> None:
    raw, better = Probs(np.full(4, 0.9)), Probs(np.full(4, 0.1))
    given_to_planner = []

    class Watched(Singles):
        def plan(
            self,
            probs: Probs,
            state: State,
            leased: AbstractSet[int] = frozenset(),
            priority: Priority | None = None,
        ) -> Any:
            given_to_planner.append(probs)
            return super().plan(probs, state, leased)

    def calibrator(probs: Probs, state: State) -> Probs:
        assert probs is raw
        return better if state.n_settled >= 2 else raw

    run = simulate_planner(Watched(), raw, [0] * 4, calibrator=calibrator)
    assert given_to_planner == [raw, raw, better, better]
    assert [step.probs for step in run.trace.steps] == [0, 0, 1, 1]


def test_what_calibration_does_before_the_first_question_is_no_change() -> None:
    probs = Probs(np.full(3, 0.2))
    run = simulate_planner(Singles(), [0.9] * 3, [0] * 3, calibrator=lambda *_: probs)
    assert [step.probs for step in run.trace.steps] == [0, 0, 0]


def test_the_schedule_says_which_items_the_planner_asks_first() -> None:
    last = np.array([False, False, True])
    run = simulate_planner(make_planner("nested"), [0.1] * 3, [0] * 3, schedule=lambda *_: last)
    assert 2 in run.trace.steps[0].answer.question.items
    assert run.trace.steps[0].settled < 3


def test_calibration_and_planning_are_timed_apart() -> None:
    ticks = count()

    def slow(probs: Probs, state: State) -> Probs:
        next(ticks)
        return probs

    run = simulate_planner(
        Singles(), [0.5] * 4, [1] * 4, calibrator=slow, clock=lambda: float(next(ticks))
    )
    # A clock that is read once more is a tick later; what is calibrated at first is not again.
    assert (run.planning_s, run.calibrating_s) == (4, 1 + 3 * 2)


def test_a_run_may_stop_early_and_leaves_the_rest_open() -> None:
    run = simulate_planner(Singles(), [0.5] * 4, [1, 0, 1, 1], max_questions=2)
    assert run.labels.tolist() == [1, 0, -1, -1]
    assert run.labels_right == 2


def test_a_planner_with_nothing_to_ask_ends_the_run() -> None:
    class Silent(Singles):
        def plan(self, *_: object, **__: object) -> None:
            return None

    run = simulate_planner(Silent(), [0.5], [1])
    assert (run.questions, run.labels_right) == (0, 0)


@pytest.mark.parametrize(
    ("probs", "labels", "sentence"),
    [
        ([0.5, 0.5], [1], "one probability and one label per item; got 2 probabilities and 1"),
        ([], [], "at least one item; got none"),
        ([0.5], [2], "True or False, or 1 or 0; got 2"),
        ([0.5], ["yes"], "True or False, or 1 or 0; got type <U3"),
        ([0.5], [[1]], r"one row; got shape \(1, 1\)"),
        (["half"], [1], "Probs are numbers between 0 and 1; got type <U4"),
        ([1.5], [1], "between 0 and 1; got 1.5"),
        ([float("nan")], [1], "between 0 and 1; got nan"),
    ],
)
def test_a_pool_that_makes_no_sense_is_refused(
    probs: list[float], labels: list[int], sentence: str
) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        simulate_planner(Singles(), probs, labels)


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(InvalidInput, match="max_questions is a whole number, 0 or more; got -1"):
        simulate_planner(Singles(), [0.5], [1], max_questions=-1)
