"""The paper's planner, from the outside."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn, replay
from askless.errors import InvalidInput
from askless.planners.lookahead import Lookahead


def play(planner: Lookahead, probs: Probs, truth: tuple[bool, ...]) -> list[Question]:
    """The questions put to a truthful annotator, until every label is right."""
    state, asked = State.blank(len(probs)), []
    while (question := planner.plan(probs, state)) is not None:
        asked.append(question)
        right = all(truth[i] == g for i, g in zip(question.items, question.guess, strict=True))
        state = learn(state, question.yes() if right else question.no())
    assert tuple(state.labels() == 1) == truth
    return asked


def least_expected_questions(values: list[float], max_n: int) -> float:
    """The best that the paper's heuristics allow, by working out every state."""
    right = [max(p, 1 - p) for p in values]

    def chance(guess: tuple[int, ...]) -> float:
        return math.prod(right[item] for item in guess)

    @cache
    def from_free(free: frozenset[int]) -> float:
        if not free:
            return 0.0
        order = sorted(free, key=lambda item: (-right[item], item))
        alone = 1 + min(from_free(free - {order[0]}), from_free(free - {order[-1]}))
        groups = (tuple(order[:n]) for n in range(2, min(max_n, len(order)) + 1))
        return min([alone, *(1 + after(free, guess) for guess in groups)])

    def after(free: frozenset[int], guess: tuple[int, ...]) -> float:
        p = chance(guess)
        return p * from_free(free - set(guess)) + (1 - p) * from_refuted(free, guess)

    @cache
    def from_refuted(free: frozenset[int], guess: tuple[int, ...]) -> float:
        kept, dropped = guess[:-1], guess[-1]
        p = chance(kept) * (1 - right[dropped]) / (1 - chance(guess))
        no = from_free(free - set(kept)) if len(kept) == 1 else from_refuted(free, kept)
        return 1 + p * from_free(free - set(guess)) + (1 - p) * no

    return from_free(frozenset(range(len(values))))


@settings(max_examples=20)
@given(
    st.lists(st.floats(0.02, 0.98), min_size=1, max_size=4, unique_by=lambda p: abs(p - 0.5)),
    st.sampled_from(["entropy", "log-size"]),
    st.booleans(),
    st.integers(1, 5),
)
def test_looking_ahead_to_the_end_is_optimal_within_the_heuristics(
    values: list[float], cost: Any, reset_tree: bool, max_n: int
) -> None:
    options = {"cost": cost, "max_n": max_n, "reset_tree": reset_tree}
    planner = Lookahead(**options, max_expansions=1000, reduce_certainty_factor=0.0)
    probs = Probs(np.array(values))
    expected = 0.0
    for truth in itertools.product([False, True], repeat=len(values)):
        mass = math.prod(p if label else 1 - p for p, label in zip(values, truth, strict=True))
        expected += mass * len(play(planner, probs, truth))
    assert expected == pytest.approx(least_expected_questions(values, max_n))


def test_a_refuted_guess_is_asked_again_without_its_least_certain_item() -> None:
    probs = Probs(np.array([0.9, 0.02, 0.95, 0.7, 0.99]))
    planner, state = Lookahead(), State.blank(5)
    question = planner.plan(probs, state)
    assert question is not None
    order = [4, 1, 2, 0, 3][: len(question)]
    assert list(question.items) == order
    assert len(order) > 2
    while len(order) > 1:
        state = learn(state, question.no())
        order.pop()
        question = planner.plan(probs, state)
        assert question is not None
        assert list(question.items) == order
    state = learn(state, question.no())
    assert state.label(4) is False
    assert state.n_open == 4


def test_a_refuted_guess_is_kept_when_the_probs_turn_against_it() -> None:
    state = learn(State.blank(4), Question((0, 1, 2), (True, True, True)).no())
    question = Lookahead().plan(Probs(np.array([0.8, 0.1, 0.6, 0.5])), state)
    assert question == Question((0, 2), (True, True))


@given(st.integers(0, 10_000), st.sampled_from(["random", "uncertainty"]))
def test_the_seed_and_the_calls_fix_the_questions(seed: int, al_method: Any) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 25))
    probs, truth = Probs(rng.random(n)), tuple(bool(x) for x in rng.random(n) < 0.5)
    options = {"al_method": al_method, "cost": "entropy", "seed": seed}
    assert play(Lookahead(**options), probs, truth) == play(Lookahead(**options), probs, truth)


def test_another_seed_asks_about_other_random_items() -> None:
    probs, truth = Probs(np.linspace(0.4, 0.6, 40)), (True, False) * 20
    asked = {
        tuple(play(Lookahead(al_method="random", cost="entropy", seed=seed), probs, truth))
        for seed in range(3)
    }
    assert len(asked) == 3


def test_the_same_state_gets_the_same_question_however_often_it_is_planned_for() -> None:
    planner, state = Lookahead(al_method="random", cost="entropy"), State.blank(30)
    probs = Probs(np.linspace(0.3, 0.7, 30))
    question = planner.plan(probs, state)
    assert question is not None
    for ahead in (learn(state, question.yes()), learn(state, question.no())):
        assert planner.plan(probs, ahead) == planner.plan(probs, ahead)
    assert planner.plan(probs, state) == question


def test_a_kept_tree_knows_more_than_a_new_one() -> None:
    rng = np.random.default_rng(3)
    differ = 0
    for _ in range(40):
        probs = Probs(rng.random(12))
        truth = tuple(bool(x) for x in rng.random(12) < probs.values)
        differ += play(Lookahead(), probs, truth) != play(Lookahead(reset_tree=True), probs, truth)
    assert differ > 0


@pytest.mark.parametrize("yes", [True, False])
def test_a_kept_tree_goes_on_where_the_answer_led(yes: bool) -> None:
    probs, state = Probs(np.linspace(0.7, 0.99, 12)), State.blank(12)
    planner = Lookahead(max_expansions=20)
    question = planner.plan(probs, state)
    assert question is not None
    after = learn(state, question.yes() if yes else question.no())
    planner.plan(probs, after)
    before, now = planner._plans.get(state.key), planner._plans.get(after.key)
    assert before is not None
    assert before.action is not None
    assert now is not None
    reached = before.action.yes if yes else before.action.no
    assert now.action in (reached.actions or ())


@given(st.integers(2, 7), st.integers(0, 10_000), st.sampled_from(["random", "uncertainty"]))
def test_a_kept_tree_goes_on_from_a_state_that_was_planned_for_to_the_end(
    n: int, seed: int, al_method: Any
) -> None:
    rng = np.random.default_rng(seed)
    probs, planner = Probs(rng.random(n)), Lookahead(max_n=3, al_method=al_method)
    state = State.blank(n)

    def plan_ahead(state: State, depth: int) -> None:
        question = planner.plan(probs, state)
        if question is not None and depth:
            plan_ahead(learn(state, question.yes()), depth - 1)
            plan_ahead(learn(state, question.no()), depth - 1)

    while not state.done:
        plan_ahead(state, 2)
        question = planner.plan(probs, state)
        assert question is not None
        state = learn(state, question.yes() if rng.random() < 0.5 else question.no())


def test_a_tree_that_may_look_one_question_ahead_is_a_new_tree_every_time() -> None:
    rng = np.random.default_rng(5)
    probs = Probs(rng.random(15))
    truth = tuple(bool(x) for x in rng.random(15) < probs.values)
    kept = Lookahead(max_depth=1, max_expansions=8)
    assert play(kept, probs, truth) == play(Lookahead(max_expansions=1), probs, truth)


def test_other_leases_in_the_same_state_give_another_question() -> None:
    probs, state, planner = Probs(np.linspace(0.6, 0.99, 12)), State.blank(12), Lookahead()
    for leased, surest in ((11, 10), (10, 11)):
        question = planner.plan(probs, state, {leased})
        assert question is not None
        assert surest in question.items
        assert leased not in question.items


def test_a_kept_tree_is_dropped_when_items_are_leased() -> None:
    probs, state = Probs(np.linspace(0.9, 0.999, 40)), State.blank(40)
    planner = Lookahead(max_expansions=50)
    question = planner.plan(probs, state)
    assert question is not None
    after = learn(state, question.yes())
    surest = 39 - len(question)
    following = planner.plan(probs, after, {surest})
    assert following is not None
    assert surest not in following.items
    assert surest - 1 in following.items


def test_new_probs_are_used_at_once() -> None:
    planner, state = Lookahead(max_n=2), State.blank(4)
    assert planner.plan(Probs(np.array([0.99, 0.99, 0.5, 0.5])), state) == Question(
        (0, 1), (True, True)
    )
    assert planner.plan(Probs(np.array([0.5, 0.5, 0.01, 0.01])), state) == Question(
        (2, 3), (False, False)
    )


def test_leased_items_are_left_alone_and_a_partly_leased_guess_is_asked_in_part() -> None:
    probs = Probs(np.array([0.9, 0.8, 0.7, 0.99]))
    refuted = learn(State.blank(4), Question((0, 1, 2), (True, True, True)).no())
    assert Lookahead().plan(probs, refuted, {1}) == Question((0, 2), (True, True))
    assert Lookahead().plan(probs, refuted, {0, 1, 2}) == Question((3,), (True,))
    assert Lookahead().plan(probs, refuted, {0, 1, 2, 3}) is None


def test_of_several_refuted_guesses_the_shortest_is_asked_about() -> None:
    state = State.blank(7)
    for items in [(0, 1, 2, 3), (3, 4, 5)]:
        state = learn(state, Question(items, (True,) * len(items)).no())
    question = Lookahead().plan(Probs(np.linspace(0.6, 0.9, 7)), state)
    assert question == Question((5, 4), (True, True))


def test_where_opposite_guesses_meet_one_item_is_asked() -> None:
    state = State.blank(5)
    for items, guess in [((0, 1, 2), (True, True, True)), ((0, 3, 4), (False, True, True))]:
        state = learn(state, Question(items, guess).no())
    question = Lookahead().plan(Probs(np.array([0.9, 0.8, 0.7, 0.6, 0.6])), state)
    assert question == Question((2,), (True,))


def test_a_refuted_guess_above_the_largest_size_is_cut_down_to_it() -> None:
    state = learn(State.blank(9), Question(tuple(range(9)), (True,) * 9).no())
    question = Lookahead(max_n=3).plan(Probs(np.linspace(0.6, 0.95, 9)), state)
    assert question == Question((8, 7, 6), (True, True, True))


@given(st.integers(1, 40), st.one_of(st.none(), st.integers(1, 9)), st.integers(0, 99))
def test_an_annotator_who_always_says_no_is_asked_no_more_than_the_worst_case(
    n: int, max_n: int | None, seed: int
) -> None:
    planner = Lookahead(max_n=max_n)
    probs = Probs(np.random.default_rng(seed).random(n))
    truth = tuple(bool(p < 0.5) for p in probs.values)
    assert len(play(planner, probs, truth)) <= planner.worst_case_questions(n)


def test_the_worst_case_is_reached() -> None:
    planner, probs = Lookahead(max_n=4), Probs(np.full(4, 0.99))
    questions = len(play(planner, probs, (False,) * 4))
    assert questions == planner.worst_case_questions(4) == 4 + 3 + 2 + 1


def test_a_pool_too_large_for_a_plain_exponential_of_its_cost_is_searched_all_the_same() -> None:
    n = 30_000
    rng = np.random.default_rng(0)
    probs, state, planner = Probs(rng.beta(20, 1, n)), State.blank(n), Lookahead()
    for _ in range(20):
        question = planner.plan(probs, state)
        assert question is not None
        assert len(question) == 8
        assert min(probs.values[list(question.items)]) > 0.999
        state = learn(state, question.yes())


def test_probs_of_zero_and_one_are_not_believed_blindly() -> None:
    probs = Probs(np.array([1.0, 0.0, 1.0, 0.5, 1.0]))
    for cost in ("entropy", "log-size"):
        planner = Lookahead(cost=cost, reduce_certainty_factor=0.0)
        play(planner, probs, (False, True, False, True, True))


@given(st.integers(0, 10_000))
def test_a_replayed_session_goes_on_to_the_right_labels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 20))
    probs, truth = Probs(rng.random(n)), tuple(bool(x) for x in rng.random(n) < 0.5)
    asked = play(Lookahead(), probs, truth)
    some = asked[: rng.integers(0, len(asked))]
    answers = [
        q.yes() if all(truth[i] == g for i, g in zip(q.items, q.guess, strict=True)) else q.no()
        for q in some
    ]
    state, planner = replay(n, answers), Lookahead()
    while (question := planner.plan(probs, state)) is not None:
        right = all(truth[i] == g for i, g in zip(question.items, question.guess, strict=True))
        state = learn(state, question.yes() if right else question.no())
    assert tuple(state.labels() == 1) == truth


def test_certainty_is_reduced_more_for_the_log_size() -> None:
    assert Lookahead(cost="entropy").reduce_certainty_factor == 0.01
    assert Lookahead(cost="log-size").reduce_certainty_factor == 0.05
    assert Lookahead(cost="log-size", reduce_certainty_factor=0.0).reduce_certainty_factor == 0.0


def test_full_reduction_of_certainty_makes_every_item_a_coin_toss() -> None:
    options = {"reduce_certainty_factor": 1.0, "max_expansions": 1}
    for cost in ("entropy", "log-size"):
        planner = Lookahead(cost=cost, **options)  # type: ignore[arg-type]
        question = planner.plan(Probs(np.full(5, 0.999)), State.blank(5))
        assert question is not None
        assert len(question) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"al_method": "margin"}, "al_method is one of: random, uncertainty; got 'margin'."),
        ({"cost": "length"}, "cost is one of: entropy, log-size; got 'length'."),
        ({"max_n": 0}, "max_n is a whole number, 1 or more, or None for no limit; got 0."),
        ({"max_expansions": 0}, "max_expansions is a whole number, 1 or more; got 0."),
        ({"max_depth": 2.5}, "max_depth is a whole number, 1 or more; got 2.5."),
        ({"temperature": 0.0}, "temperature is a number above 0; got 0.0."),
        ({"temperature": "hot"}, "temperature is a number above 0; got 'hot'."),
        (
            {"reduce_certainty_factor": 1.5},
            "reduce_certainty_factor is a number 0 or more and at most 1; got 1.5.",
        ),
        ({"reset_tree": "no"}, "reset_tree is True or False; got 'no'."),
        ({"early_stopping": 1}, "early_stopping is True or False; got 1."),
        ({"seed": "x"}, "seed is a whole number, 0 or more; got 'x'."),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Lookahead(**options)
    assert str(refusal.value) == sentence
