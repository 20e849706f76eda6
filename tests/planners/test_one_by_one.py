"""Single items, in random order or the least certain first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn, replay
from askless.errors import InvalidInput
from askless.planners.one_by_one import OneByOne


def asked(planner: OneByOne, probs: Probs, truth: list[bool]) -> list[int]:
    """The items in the order they are asked about."""
    state, items = State.blank(len(probs)), []
    while (question := planner.plan(probs, state)) is not None:
        (item,) = question.items
        items.append(item)
        right = question.guess == (truth[item],)
        state = learn(state, question.yes() if right else question.no())
    assert [state.label(item) for item in range(state.n)] == truth
    return items


def test_uncertainty_asks_the_item_nearest_to_one_half_first() -> None:
    probs = Probs(np.array([0.9, 0.45, 0.02, 0.6]))
    assert asked(OneByOne(), probs, [True, True, False, False]) == [1, 3, 0, 2]


def test_the_guess_is_the_likelier_label() -> None:
    planner = OneByOne()
    for p, guess in [(0.2, False), (0.5, True), (0.8, True)]:
        assert planner.plan(Probs(np.array([p])), State.blank(1)) == Question((0,), (guess,))


def test_an_item_of_a_refuted_guess_keeps_that_guess() -> None:
    state = learn(State.blank(3), Question((0, 1), (False, False)).no())
    question = OneByOne().plan(Probs(np.array([0.51, 0.9, 0.99])), state)
    assert question == Question((0,), (False,))


def test_random_order_is_a_permutation_fixed_by_the_seed() -> None:
    probs, truth = Probs(np.full(50, 0.3)), [False] * 50
    first = asked(OneByOne(order="random", seed=1), probs, truth)
    assert sorted(first) == list(range(50))
    assert first == asked(OneByOne(order="random", seed=1), probs, truth)
    assert first != asked(OneByOne(order="random", seed=2), probs, truth)


def test_new_probs_bring_a_new_order() -> None:
    planner, state = OneByOne(), State.blank(2)
    assert planner.plan(Probs(np.array([0.5, 0.9])), state) == Question((0,), (True,))
    assert planner.plan(Probs(np.array([0.1, 0.6])), state) == Question((1,), (True,))


def test_a_leased_item_is_skipped_and_comes_back_when_it_is_free() -> None:
    planner, state, probs = OneByOne(), State.blank(3), Probs(np.array([0.5, 0.6, 0.7]))
    question = planner.plan(probs, state, {0})
    assert question == Question((1,), (True,))
    after = learn(state, question.yes())
    assert planner.plan(probs, after, {0}) == Question((2,), (True,))
    assert planner.plan(probs, after) == Question((0,), (True,))
    assert planner.plan(probs, after, {0, 2}) is None


@given(st.integers(0, 10_000), st.sampled_from(["random", "uncertainty"]))
def test_a_planner_that_meets_a_state_for_the_first_time_asks_the_same(
    seed: int, order: str
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    probs, state = Probs(rng.random(n)), State.blank(n)
    warm = OneByOne(order=order)  # type: ignore[arg-type]
    while (question := warm.plan(probs, state)) is not None:
        cold = OneByOne(order=order)  # type: ignore[arg-type]
        assert cold.plan(probs, replay(n, state.answers)) == question
        state = learn(state, question.yes() if rng.random() < 0.5 else question.no())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"order": "alphabetical"}, "order is one of: random, uncertainty; got 'alphabetical'."),
        ({"seed": -1}, "seed is a whole number, 0 or more; got -1."),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        OneByOne(**options)  # type: ignore[arg-type]
    assert str(refusal.value) == sentence
