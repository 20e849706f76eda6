"""Runs asked surest first and halved when refuted."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.entropy import independent_entropy_bits
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.errors import InvalidInput
from askless.planners import nested
from askless.planners._groups import group_ends
from askless.planners.nested import Nested
from askless.seams import Objective


def asked(planner: Nested, probs: Probs, truth: list[bool]) -> list[Question]:
    """The questions until everything is settled, rightly."""
    state, questions = State.blank(len(probs)), []
    while (question := planner.plan(probs, state)) is not None:
        questions.append(question)
        right = all(truth[i] == g for i, g in zip(question.items, question.guess, strict=True))
        state = learn(state, question.yes() if right else question.no())
    assert [state.label(item) for item in range(state.n)] == truth
    return questions


def expected_questions(planner: Nested, values: list[float]) -> float:
    """The mean over all labellings, by their probability."""
    total, probs = 0.0, Probs(np.array(values))
    for labels in itertools.product([False, True], repeat=len(values)):
        chance = np.prod([p if label else 1 - p for p, label in zip(values, labels, strict=True)])
        total += float(chance) * len(asked(planner, probs, list(labels)))
    return total


def test_without_a_cap_a_group_is_an_even_bet() -> None:
    planner = Nested(max_n=None, same_guess=False)
    question = planner.plan(Probs(np.full(200, 0.05)), State.blank(200))
    assert question is not None
    assert len(question) in (13, 14)


def test_doubtful_items_are_asked_alone() -> None:
    questions = asked(Nested(), Probs(np.full(5, 0.4)), [True, False, True, False, True])
    assert [len(question) for question in questions] == [1] * 5


def test_the_surest_items_are_asked_first() -> None:
    values = np.array([0.3, 0.001, 0.002, 0.4, 0.001])
    questions = asked(Nested(max_n=3), Probs(values), [False] * 5)
    assert questions[0].items == (1, 4, 2)


def test_a_refuted_run_is_halved_until_the_wrong_item_is_found() -> None:
    truth = [False] * 8
    truth[5] = True
    questions = asked(Nested(), Probs(np.full(8, 0.05)), truth)
    assert [question.items for question in questions] == [
        (0, 1, 2, 3, 4, 5, 6, 7),
        (0, 1, 2, 3),
        (4, 5),
        (4,),
        (6, 7),
    ]


def test_a_run_is_split_where_its_parts_are_equally_likely_to_hold_the_wrong_item() -> None:
    state = learn(State.blank(4), Question((0, 1, 2, 3), (False,) * 4).no())
    question = Nested().plan(Probs(np.array([0.01, 0.01, 0.01, 0.3])), state)
    assert question == Question((0, 1, 2), (False,) * 3)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(0.01, 0.5), min_size=1, max_size=6))
def test_small_pools_cost_little_more_than_their_entropy(values: list[float]) -> None:
    cost = expected_questions(Nested(max_n=None, same_guess=False), values)
    entropy = independent_entropy_bits(values)
    assert entropy - 1e-9 <= cost <= entropy + 1.0


def test_equal_chances_cost_at_most_one_and_a_half_per_cent_more_than_the_entropy() -> None:
    rng = np.random.default_rng(0)
    for e in (0.01, 0.05, 0.3):
        truth = rng.random(4000) < e
        bits = float(-np.sum(np.log2(np.where(truth, e, 1 - e))))
        planner = Nested(max_n=None, same_guess=False)
        questions = asked(planner, Probs(np.full(4000, e)), truth.tolist())
        assert bits * 0.99 < len(questions) < bits * 1.03 + 5


def test_with_same_guess_no_question_mixes_labels() -> None:
    rng = np.random.default_rng(1)
    values = rng.beta(0.3, 0.3, 200)
    truth = (rng.random(200) < values).tolist()
    for question in asked(Nested(), Probs(values), truth):
        assert len(set(question.guess)) == 1
    mixed = asked(Nested(same_guess=False), Probs(values), truth)
    assert any(len(set(question.guess)) == 2 for question in mixed)


@pytest.mark.parametrize(("every", "objective", "first"), [
    (5, "questions", True), (3, "questions", False), (5, "labels", False),
])  # fmt: skip
def test_a_rare_label_has_its_turn_first_unless_labels_are_in_a_hurry(
    every: int, objective: Objective, first: bool
) -> None:
    values = np.where(np.arange(80) % every == 0, 0.97, 0.01)
    truth = [bool(v > 0.5) for v in values]
    planner = Nested(objective=objective)
    labels = [question.guess[0] for question in asked(planner, Probs(values), truth)]
    assert labels == sorted(labels, reverse=first)


def test_groups_are_smaller_when_looking_takes_longer() -> None:
    probs, state = Probs(np.full(100, 0.02)), State.blank(100)
    sizes = []
    for seconds in [(1.0, 0.0, 1.0), (1.0, 0.1, 1.0), (1.0, 1.0, 1.0)]:
        planner = Nested(max_n=None, objective="seconds", seconds=seconds)
        question = planner.plan(probs, state)
        assert question is not None
        sizes.append(len(question))
    assert sizes[0] > sizes[1] > sizes[2]


def test_where_asking_takes_next_to_nothing_groups_are_single_items() -> None:
    planner = Nested(objective="seconds", seconds=(5e-324, 1e6, 1.0))
    questions = asked(planner, Probs(np.array([0.1, 0.2, 0.9])), [True, False, True])
    assert [len(question) for question in questions] == [1, 1, 1]


def test_the_first_labels_come_as_soon_as_the_cap_allows() -> None:
    values = np.concatenate([np.full(80, 1e-6), np.full(40, 0.3)])
    questions = asked(Nested(max_n=8), Probs(values), [False] * 120)
    assert sum(len(question) for question in questions[:10]) == 80


def test_priority_items_are_asked_before_surer_ones() -> None:
    priority = np.array([False, False, True, True])
    probs = Probs(np.array([0.06, 0.06, 0.2, 0.1]))
    question = Nested().plan(probs, State.blank(4), priority=priority)
    assert question is not None
    assert set(question.items) <= {2, 3}


def test_sure_items_fill_the_slots_that_the_last_priority_items_leave_empty() -> None:
    values = np.array([0.1] + [0.001] * 4 + [0.999] * 3 + [0.2] * 3)
    probs, priority = Probs(values), np.arange(11) == 0
    state = State.blank(11)
    for max_n, expected in ((8, {0, 1, 2, 3, 4}), (3, {0, 1, 2}), (1, {0})):
        question = Nested(max_n=max_n).plan(probs, state, priority=priority)
        assert question is not None
        assert set(question.items) == expected
        assert set(question.guess) == {False}


def test_there_are_few_fillers_however_large_a_question_may_be() -> None:
    probs, priority = Probs(np.array([0.1] + [1e-6] * 500)), np.arange(501) == 0
    question = Nested(max_n=None).plan(probs, State.blank(501), priority=priority)
    assert question is not None
    assert len(question) == 8


def test_a_refuted_guess_keeps_its_labels_when_the_probs_change_their_mind() -> None:
    state = learn(State.blank(3), Question((0, 1, 2), (True, True, True)).no())
    question = Nested().plan(Probs(np.array([0.1, 0.2, 0.9])), state)
    assert question is not None
    assert question.guess == (True,) * len(question)
    assert question.items[0] == 2


def test_an_answer_in_hand_or_not_the_next_question_is_the_same() -> None:
    rng = np.random.default_rng(2)
    values = rng.beta(0.4, 0.4, 300)
    probs, truth = Probs(values), rng.random(300) < values
    planner, state = Nested(), State.blank(300)
    while (question := planner.plan(probs, state)) is not None:
        assert Nested().plan(probs, state) == question
        right = all(truth[i] == g for i, g in zip(question.items, question.guess, strict=True))
        state = learn(state, question.yes() if right else question.no())


def test_a_hole_in_the_planned_order_is_stepped_over() -> None:
    probs, planner = Probs(np.full(30, 0.01)), Nested(max_n=4)
    first = planner.plan(probs, State.blank(30))
    elsewhere = planner.plan(probs, State.blank(30), frozenset({1, 2}))
    assert first == Question((0, 1, 2, 3), (False,) * 4)
    assert elsewhere == Question((0, 3, 4, 5), (False,) * 4)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"max_n": 0}, "max_n is a whole number"),
        ({"objective": "fame"}, "objective is one of"),
        ({"seconds": (1.0, 0.3)}, "seconds are three numbers"),
        ({"seconds": (0.0, 0.3, 1.0)}, "more than 0 seconds"),
        ({"seconds": (1.0, -0.3, 1.0)}, "seconds are three numbers, 0 or more"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        Nested(**options)  # type: ignore[arg-type]


def test_a_refuted_guess_waits_while_labels_are_in_a_hurry_and_sure_groups_remain() -> None:
    probs, n = Probs(np.array([0.001] * 24 + [0.4] * 2)), 26
    state = learn(State.blank(n), Question(tuple(range(8)), (False,) * 8).no())
    hasty, other = Nested(objective="labels"), Nested()
    question, halved = hasty.plan(probs, state), other.plan(probs, state)
    assert question is not None
    assert halved is not None
    assert set(question.items) == set(range(8, 16))
    assert set(halved.items) < set(range(8))
    state = learn(learn(state, question.yes()), Question(tuple(range(16, 24)), (False,) * 8).yes())
    question = hasty.plan(probs, state)
    assert question is not None
    assert set(question.items) < set(range(8))  # doubtful items promise a label each, halves more


def test_a_refuted_guess_with_a_priority_item_does_not_wait() -> None:
    probs, priority = Probs(np.full(24, 0.001)), np.arange(24) == 3
    state = learn(State.blank(24), Question(tuple(range(8)), (False,) * 8).no())
    question = Nested(objective="labels").plan(probs, state, priority=priority)
    assert question is not None
    assert set(question.items) < set(range(8))


def test_few_refuted_guesses_wait_at_once() -> None:
    probs, state, planner = Probs(np.full(400, 0.001)), State.blank(400), Nested(objective="labels")
    for _ in range(200):
        question = planner.plan(probs, state)
        assert question is not None
        state = learn(state, question.no())
        assert len(state.clauses) <= 16


def test_a_plan_holds_for_items_as_sure_as_those_it_was_made_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plans = 0

    def counted(*given: object) -> object:
        nonlocal plans
        plans += 1
        return group_ends(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(nested, "group_ends", counted)
    truth = (np.random.default_rng(0).random(2500) < 0.05).tolist()
    questions = asked(Nested(objective="labels"), Probs(np.full(2500, 0.05)), truth)
    assert sum(len(question.items) == 8 for question in questions) > 300
    assert plans < 20
