"""Which items come first: random rounds, and when they begin and end."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn, retract
from askless.errors import InvalidInput, UnknownPart
from askless.planners.schedule import (
    DEFAULT_SCHEDULE,
    RandomRounds,
    choose_schedule,
    make_schedule,
    present_name,
    random_order,
    schedule_names,
)
from askless.seams import Priority

EVEN = Probs(np.full(200, 0.5))


def settle(state: State, items: np.ndarray[tuple[int], np.dtype[np.intp]]) -> State:
    """Those of the items that are open, found to be False."""
    still = tuple(item for item in items.tolist() if state.is_open(item))
    return learn(state, Question(still, (False,) * len(still)).yes()) if still else state


def count(mask: Priority | None) -> int:
    return 0 if mask is None else int(mask.sum())


def test_a_round_is_over_when_a_tenth_of_it_is_left() -> None:
    rounds, order, state = RandomRounds(200, share=0.5), random_order(200, 0), State.blank(200)
    first = rounds(EVEN, state)
    assert first is not None
    assert set(np.flatnonzero(first)) == set(order[:16])
    assert rounds(EVEN, settle(state, order[:14])) is first
    second = rounds(EVEN, settle(state, order[:15]))
    assert second is not None
    assert set(np.flatnonzero(second)) == set(order[:24])
    assert rounds(EVEN, settle(state, order)) is None


def test_labels_outside_a_round_do_not_end_it() -> None:
    rounds, order, state = RandomRounds(200), random_order(200, 0), State.blank(200)
    first = rounds(EVEN, state)
    assert rounds(EVEN, settle(state, order[16:])) is first


def test_every_round_holds_those_before_it_and_half_as_many_again() -> None:
    n = 1000
    rounds, order, state = RandomRounds(n, seed=1), random_order(n, 1), State.blank(n)
    masks = []
    while (mask := rounds(EVEN, state)) is not None:
        masks.append(mask)
        assert not mask.flags.writeable
        assert set(np.flatnonzero(mask)) == set(order[: mask.sum()])
        state = settle(state, np.flatnonzero(mask))
    sizes = [int(mask.sum()) for mask in masks]
    assert sizes[0] == 16
    assert all(0 <= later - int(1.5 * sooner) <= 1 for sooner, later in pairwise(sizes))
    assert abs(np.flatnonzero(masks[-1]).mean() - n / 2) < 50  # from all over the pool


def test_a_round_comes_back_with_the_answers_that_are_retracted() -> None:
    rounds, order, blank = RandomRounds(200), random_order(200, 0), State.blank(200)
    state = settle(blank, order[:16])
    assert count(rounds(EVEN, state)) == 24
    assert count(rounds(EVEN, retract(state, 0))) == 16


def test_each_name_is_a_schedule_and_others_are_refused() -> None:
    assert make_schedule("planner-order", 3000) is None
    state = settle(State.blank(3000), random_order(3000, 0)[:100])
    for name, goes_on in (("random-rounds", True), ("random-rounds-then-planner-order", False)):
        schedule, probs = make_schedule(name, 3000), Probs(np.full(3000, 0.5))
        assert schedule is not None
        assert schedule(probs, State.blank(3000)) is not None
        assert (schedule(probs, state) is not None) == goes_on  # three per cent are settled
    with pytest.raises(UnknownPart, match="no schedule named 'best'"):
        make_schedule("best", 3)


def test_every_objective_has_a_schedule_and_every_earlier_name_is_one() -> None:
    assert set(DEFAULT_SCHEDULE) == {"questions", "labels", "seconds"}
    assert set(DEFAULT_SCHEDULE.values()) <= set(schedule_names())
    earlier = ("easy", "rounds", "rounds-then-easy", "uncertain", "variance", "variance-then-easy")
    assert {present_name(name) for name in earlier} == set(schedule_names())
    assert present_name("random-rounds") == "random-rounds"


def test_the_same_seed_gives_the_same_rounds() -> None:
    masks = [RandomRounds(50, seed=seed)(EVEN, State.blank(50)) for seed in (1, 1, 2)]
    assert np.array_equal(masks[0], masks[1])  # type: ignore[arg-type]
    assert not np.array_equal(masks[0], masks[2])  # type: ignore[arg-type]


GIVEN = Probs(np.linspace(0.02, 0.98, 400))
LEARNT = Probs(np.linspace(0.9, 0.1, 400))


def test_given_probabilities_are_asked_about_in_rounds_of_their_own() -> None:
    schedule, state = choose_schedule(GIVEN, schedule="planner-order"), State.blank(400)
    assert schedule is not None
    assert count(schedule(GIVEN, state)) == 32
    assert schedule(LEARNT, state) is None
    assert count(schedule(Probs(GIVEN.values), state)) == 32  # told by their values


def test_learnt_probabilities_follow_the_schedule_that_was_named() -> None:
    schedule = choose_schedule(GIVEN, recalibrate=False, schedule="random-rounds")
    assert schedule is not None
    assert schedule(GIVEN, State.blank(400)) is None
    assert count(schedule(LEARNT, State.blank(400))) == 16


@pytest.mark.parametrize(
    ("n", "value", "sample"), [(63, 0.2, 1.0), (400, 0.2, 0.0), (400, 0.5, 1.0)]
)
def test_there_are_no_rounds_in_a_tiny_pool_or_for_no_sample_or_where_nothing_is_known(
    n: int, value: float, sample: float
) -> None:
    assert (
        choose_schedule(Probs(np.full(n, value)), sample=sample, schedule="planner-order") is None
    )


def test_a_small_sample_begins_with_the_first_wrong_guess() -> None:
    n, guess = 2000, (False,) * 20
    given, state = Probs(np.full(n, 0.1)), State.blank(n)
    schedule = choose_schedule(given, sample=0.05)
    assert schedule is not None
    for start in range(0, 400, 20):
        assert schedule(given, state) is None
        state = learn(state, Question(tuple(range(start, start + 20)), guess).yes())
    refuted = learn(state, Question(tuple(range(400, 420)), guess).no())
    assert schedule(given, refuted) is not None
    wrong = learn(state, Question((400,), (True,)).yes())
    sample = schedule(given, wrong)
    assert sample is not None
    while (more := schedule(given, wrong)) is not None:
        sample, wrong = more, settle(wrong, np.flatnonzero(more))
    assert 32 <= np.count_nonzero(sample) <= 0.05 * n


@pytest.mark.parametrize("sample", [-0.1, 1.5, float("nan")])
def test_a_sample_is_a_share(sample: float) -> None:
    with pytest.raises(InvalidInput, match="share of the pool"):
        choose_schedule(GIVEN, sample=sample)
