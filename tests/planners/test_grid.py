"""Grids in which wrong items are marked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.annotation_cost import AnnotationCost
from askless.core.misses import MissRate, SlipCost
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn, replay
from askless.errors import InvalidInput
from askless.lab.simulate import Run, simulate_planner
from askless.lab.truthful import TruthfulAnnotator
from askless.planners.grid import Grid

PROBS = Probs(np.array([0.9, 0.03, 0.995, 0.6, 0.2, 0.01]))


def labelled(planner: Grid, probs: Probs, truth: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Run:
    run = simulate_planner(planner, probs, truth, annotator=TruthfulAnnotator(truth, pointing=True))
    assert run.labels_right == len(truth)
    return run


def expected_s(question: Question, probs: Probs, pace: AnnotationCost) -> float:
    """What the question takes on average, by the probs; nobody points at a single item."""
    marks = sum(min(p, 1 - p) for p in probs.values[list(question.items)])
    return pace.total(1, len(question), 0) + (pace.pointed_s * marks if len(question) > 1 else 0)


def test_a_grid_shows_the_surest_items_of_one_guess() -> None:
    assert Grid(max_n=3).plan(PROBS, State.blank(6)) == Question((2, 0, 3), (True,) * 3)
    assert Grid(max_n=2).plan(PROBS, State.blank(6)) == Question((2, 0), (True,) * 2)


def test_a_mixed_grid_shows_the_surest_items_of_both() -> None:
    question = Grid(max_n=3, same_guess=False).plan(PROBS, State.blank(6))
    assert question == Question((2, 5, 1), (True, False, False))


def test_without_a_cap_two_questions_settle_everything() -> None:
    truth = np.array([1, 0, 1, 0, 1, 0], dtype=bool)
    assert labelled(Grid(max_n=None), PROBS, truth).questions == 2
    assert labelled(Grid(max_n=None, same_guess=False), PROBS, truth).questions == 1


@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 9), st.booleans())
def test_every_item_is_shown_once_to_whoever_points(
    seed: int, n: int, max_n: int, same_guess: bool
) -> None:
    rng = np.random.default_rng(seed)
    probs, truth = Probs(rng.random(n)), rng.random(n) < 0.5
    run = labelled(Grid(max_n=max_n, same_guess=same_guess), probs, truth)
    assert run.items_shown == n
    true = int(np.sum(probs.values >= 0.5))
    sizes = (true, n - true) if same_guess else (n,)
    assert run.questions == sum(-(-size // max_n) for size in sizes)


@given(
    st.integers(0, 10_000),
    st.tuples(*[st.sampled_from([0.0, 0.1, 0.3, 1.0, 3.0, 5.0])] * 3),
    st.sampled_from([None, 1, 3, 24]),
    st.booleans(),
)
def test_saving_seconds_no_question_is_expected_to_take_longer_than_its_items_singly(
    seed: int, seconds: tuple[float, float, float], max_n: int | None, same_guess: bool
) -> None:
    rng = np.random.default_rng(seed)
    probs = Probs(rng.beta(0.4, 0.4, 80))
    planner = Grid(objective="seconds", seconds=seconds, max_n=max_n, same_guess=same_guess)
    pace = AnnotationCost(*seconds)
    for step in labelled(planner, probs, rng.random(80) < probs.values).trace.steps:
        question = step.answer.question
        singly = pace.total(len(question), len(question))
        assert expected_s(question, probs, pace) <= singly + 1e-9


def test_saving_seconds_an_item_too_doubtful_to_be_marked_is_asked_alone() -> None:
    probs = Probs(np.array([0.99] * 30 + [0.55] * 3))
    planner = Grid(objective="seconds", seconds=(1.0, 0.3, 3.0), max_n=24)
    run = labelled(planner, probs, np.ones(33, dtype=bool))
    assert [len(step.answer) for step in run.trace.steps] == [24, 6, 1, 1, 1]


def test_saving_seconds_a_grid_is_full_when_asking_is_a_twentieth_of_it() -> None:
    probs = Probs(np.full(1000, 0.99))
    planner = Grid(objective="seconds", seconds=(1.0, 0.24, 1.0), max_n=None)
    question = planner.plan(probs, State.blank(1000))
    assert question is not None
    assert len(question) == 80  # 80 (0.24 + 0.01) = 20
    capped = Grid(objective="seconds", seconds=(1.0, 0.24, 1.0), max_n=24)
    assert len(capped.plan(probs, State.blank(1000)) or ()) == 24


def test_priority_items_are_shown_first_and_others_fill_the_grid() -> None:
    first, state = np.array([0, 0, 0, 1, 0, 0], dtype=bool), State.blank(6)
    assert Grid(max_n=2).plan(PROBS, state, priority=first) == Question((2, 3), (True, True))
    thrifty = Grid(objective="seconds", seconds=(1.0, 0.3, 3.0))
    assert thrifty.plan(PROBS, state, priority=first) == Question((3,), (True,))


def test_a_plain_no_is_taken_up_until_nothing_of_it_is_open() -> None:
    planner = Grid(max_n=None)
    question = planner.plan(PROBS, State.blank(6))
    assert question is not None
    state = learn(State.blank(6), question.no())
    while state.clauses:
        question = planner.plan(PROBS, state)
        assert question is not None
        assert set(question.items) <= {0, 2, 3}
        state = learn(state, question.yes())
    assert planner.plan(PROBS, state) == Question((5, 1, 4), (False,) * 3)


def test_leased_items_are_left_out_and_come_back() -> None:
    planner = Grid(max_n=3)
    question = planner.plan(PROBS, State.blank(6), {0, 2})
    assert question == Question((5, 1, 4), (False,) * 3)
    after = learn(State.blank(6), question.yes())
    assert planner.plan(PROBS, after, {0, 2}) == Question((3,), (True,))
    assert planner.plan(PROBS, after) == Question((2, 0, 3), (True,) * 3)
    assert planner.plan(PROBS, after, {0, 2, 3}) is None


def test_new_probs_bring_new_grids() -> None:
    planner = Grid(max_n=2)
    planner.plan(PROBS, State.blank(6))
    turned = Probs(1.0 - PROBS.values)
    assert planner.plan(turned, State.blank(6)) == Question((2, 0), (False, False))


@given(st.integers(0, 10_000), st.sampled_from(["questions", "seconds"]), st.booleans())
def test_a_planner_that_meets_a_state_for_the_first_time_asks_the_same(
    seed: int, objective: str, same_guess: bool
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    probs, truth, state = Probs(rng.random(n)), rng.random(n) < 0.5, State.blank(n)

    def fresh() -> Grid:
        return Grid(max_n=4, objective=objective, same_guess=same_guess)  # type: ignore[arg-type]

    warm, annotator = fresh(), TruthfulAnnotator(truth, pointing=True)
    while (question := warm.plan(probs, state)) is not None:
        assert fresh().plan(probs, replay(n, state.answers)) == question
        state = learn(state, annotator.answer(question))


SLIPS = {"objective": "seconds", "max_n": 24, "wrong_label_s": 20.0, "misses": (-1.7, 1.0)}


def shown(e: float, **options: object) -> int:
    """How many items of two hundred with this error a grid shows first."""
    planner = Grid(**{**SLIPS, **options})  # type: ignore[arg-type]
    question = planner.plan(Probs(np.full(200, e)), State.blank(200))
    return 0 if question is None else len(question)


def test_where_wrong_guesses_are_overlooked_grids_of_doubtful_items_are_smaller() -> None:
    sizes = [shown(e) for e in (0.0001, 0.01, 0.05, 0.2, 0.4)]
    assert sizes[0] == 24
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 6


def test_grids_are_smaller_the_more_a_wrong_label_costs_and_the_more_is_overlooked() -> None:
    by_price = [shown(0.05, wrong_label_s=price) for price in (0.0, 5.0, 20.0, 100.0)]
    assert by_price[0] == 24
    assert by_price == sorted(by_price, reverse=True)
    assert by_price[-1] < 6
    by_level = [shown(0.05, misses=(level, 1.0)) for level in (-9.0, -4.0, -2.0, -1.0)]
    assert by_level == sorted(by_level, reverse=True)
    assert by_level[0] == 24


def test_a_slope_of_zero_leaves_sizes_as_they_are_but_for_items_better_asked_alone() -> None:
    assert shown(0.1, misses=(-1.7, 0.0)) == 24
    assert shown(0.45, misses=(-1.7, 0.0)) == 1


@given(
    st.integers(0, 10_000),
    st.sampled_from(
        [
            {"wrong_label_s": 0.0, "misses": (-1.0, 1.0)},
            {"wrong_label_s": 30.0},
            {"wrong_label_s": 30.0, "misses": (-99.0, 0.0)},
        ]
    ),
)
def test_without_a_price_or_misses_the_same_is_asked(seed: int, options: dict[str, object]) -> None:
    rng = np.random.default_rng(seed)
    probs, truth = Probs(rng.beta(0.3, 0.3, 80)), rng.random(80) < 0.5
    plain = labelled(Grid(objective="seconds"), probs, truth)
    weighed = labelled(Grid(objective="seconds", **options), probs, truth)  # type: ignore[arg-type]
    assert weighed.trace.answers == plain.trace.answers


@given(st.integers(0, 10_000))
def test_the_size_of_a_grid_is_the_one_that_costs_an_item_least(seed: int) -> None:
    rng = np.random.default_rng(seed)
    probs = Probs(rng.uniform(0.0, 0.2, 60))
    planner = Grid(**SLIPS)  # type: ignore[arg-type]
    question = planner.plan(probs, State.blank(60))
    assert question is not None
    wrong, slips = np.sort(probs.values), SlipCost(20.0, MissRate(-1.7, 1.0))
    sizes = range(2, 25)
    cost = [(1.0 + float(slips.seconds(n) - slips.seconds(2)) * wrong[:n].sum()) / n for n in sizes]
    assert len(question) == sizes[int(np.argmin(cost))]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"objective": "fame"}, "objective is one of: questions, labels, seconds; got 'fame'."),
        ({"same_guess": 1}, "same_guess is True or False; got 1."),
        ({"wrong_label_s": -1}, "wrong_label_s is a number 0 or more; got -1."),
        (
            {"seconds": (1, 2)},
            (
                "seconds are three numbers, 0 or more: per question, per item shown, "
                "per item pointed at, each a million at most; got (1, 2)."
            ),
        ),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Grid(**options)  # type: ignore[arg-type]
    assert str(refusal.value) == sentence
