"""Questions filled with whatever is worth most."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.bounds import capped_bound_questions
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State, learn
from askless.planners.fill import Fill
from askless.planners.nested import Nested


def asked(planner: Fill | Nested, probs: Probs, truth: list[bool]) -> list[Question]:
    """The questions until everything is settled, rightly."""
    state, questions = State.blank(len(probs)), []
    while (question := planner.plan(probs, state)) is not None:
        questions.append(question)
        state = learn(state, answered(question, truth))
    assert [state.label(item) for item in range(state.n)] == truth
    return questions


def answered(question: Question, truth: list[bool]) -> Answer:
    right = all(truth[i] == g for i, g in zip(question.items, question.guess, strict=True))
    return question.yes() if right else question.no()


def calibrated(n: int, seed: int, *, sure: float) -> tuple[Probs, list[bool]]:
    """A pool with a share of nearly sure items, labels drawn from its own probs."""
    rng = np.random.default_rng(seed)
    wrong = np.where(rng.random(n) < sure, rng.beta(0.6, 60, n), 0.5 * rng.beta(1.2, 3.0, n))
    likely = rng.random(n) < 0.5
    truth = likely ^ (rng.random(n) < wrong)
    return Probs(np.where(likely, 1 - wrong, wrong)), truth.tolist()


SURE_AND_ONE_DOUBTFUL = np.array([0.001] * 7 + [0.45] + [0.001] * 30 + [0.44, 0.43])


def test_sure_items_fill_up_a_question_about_a_doubtful_one() -> None:
    question = Fill().plan(Probs(SURE_AND_ONE_DOUBTFUL), State.blank(40))
    assert question is not None
    assert len(question) == 8
    assert 7 in question.items


def test_a_suspect_is_proved_wrong_by_a_yes_to_its_companions_and_not_asked_again() -> None:
    truth = [item == 7 for item in range(40)]
    questions = asked(Fill(), Probs(SURE_AND_ONE_DOUBTFUL), truth)
    assert sum(7 in question.items for question in questions) == 1
    assert len(questions) <= 6


def test_equal_items_are_asked_together_with_a_suspect_where_alone_they_tell_too_little() -> None:
    probs, planner = Probs(np.full(100, 0.05)), Fill()
    state = State.blank(100)
    first = planner.plan(probs, state)
    assert first is not None
    state = learn(state, first.no())
    second = planner.plan(probs, state)
    assert second is not None
    shared = set(first.items) & set(second.items)
    assert 0 < len(shared) < len(second) == 8


def test_where_nothing_is_doubtful_every_question_is_full() -> None:
    questions = asked(Fill(), Probs(np.full(64, 1e-6)), [False] * 64)
    assert [len(question) for question in questions] == [8] * 8


@pytest.mark.parametrize("max_n", [8, 64, None])
@pytest.mark.parametrize("sure", [0.0, 0.7, 0.97])
def test_calibrated_pools_cost_little_more_than_the_bound(sure: float, max_n: int | None) -> None:
    total = bound = bits = entropy = 0.0
    for seed in range(4):
        probs, truth = calibrated(800, seed, sure=sure)
        total += len(asked(Fill(max_n=max_n, same_guess=False), probs, truth))
        bound += capped_bound_questions(probs.values, max_n)
        chances = np.where(truth, probs.values, 1 - probs.values)
        bits -= float(np.sum(np.log2(chances)))
        entropy += capped_bound_questions(probs.values, None)
    luck = (bits - entropy) * entropy / bound  # more, or less, to be told than expected
    assert total - luck < 1.06 * bound + 5


def test_under_a_cap_it_takes_far_fewer_questions_than_nested() -> None:
    probs, truth = calibrated(2000, 0, sure=0.7)
    filled = len(asked(Fill(same_guess=False), probs, truth))
    assert filled < 0.9 * len(asked(Nested(same_guess=False), probs, truth))


def test_with_same_guess_no_question_mixes_labels() -> None:
    probs, truth = calibrated(400, 1, sure=0.7)
    questions = asked(Fill(), probs, truth)
    assert all(len(set(question.guess)) == 1 for question in questions)
    mixed = asked(Fill(same_guess=False), probs, truth)
    assert any(len(set(question.guess)) == 2 for question in mixed)


def test_labels_take_turns() -> None:
    probs, truth = calibrated(1200, 1, sure=0.7)
    labels = [question.guess[0] == 1 for question in asked(Fill(), probs, truth)]
    halves = labels[: len(labels) // 2], labels[len(labels) // 2 :]
    assert all(0.3 < np.mean(half) < 0.7 for half in halves)
    turned = sum(a != b for a, b in itertools.pairwise(labels))
    assert turned < 0.15 * len(labels)


def test_it_remembers_nothing_that_it_needs() -> None:
    probs, truth = calibrated(300, 2, sure=0.7)
    planner, state = Fill(), State.blank(300)
    while (question := planner.plan(probs, state)) is not None:
        assert Fill().plan(probs, state) == question
        state = learn(state, answered(question, truth))


def test_priority_items_are_asked_before_others() -> None:
    priority = np.arange(20) % 2 == 0
    question = Fill().plan(Probs(np.full(20, 0.1)), State.blank(20), priority=priority)
    assert question is not None
    assert all(priority[item] for item in question.items)


@pytest.mark.parametrize("error", [0.0001, 0.2])
def test_fillers_join_the_last_priority_items_where_room_is_scarce(error: float) -> None:
    priority = np.arange(40) < 3
    probs = Probs(np.where(priority, 0.01, error))
    question = Fill().plan(probs, State.blank(40), priority=priority)
    assert question is not None
    assert {0, 1, 2} & set(question.items)
    fillers = [item for item in question.items if item > 2]
    assert len(question) == (8 if error < 0.01 else 3)
    assert bool(fillers) == (error < 0.01)


def test_fillers_are_never_asked_without_a_priority_item() -> None:
    priority = np.arange(40) < 3
    probs = Probs(np.where(priority, 1e-9, 0.001))  # the others would tell more
    question = Fill().plan(probs, State.blank(40), priority=priority)
    assert question is not None
    assert {0, 1, 2} & set(question.items)


def test_priority_items_that_clauses_hold_are_asked_before_any_other() -> None:
    priority, probs = np.arange(40) < 8, Probs(np.full(40, 0.2))
    state = State.blank(40)
    for four in ((0, 1, 2, 3), (4, 5, 6, 7)):
        state = learn(state, Question(four, (False,) * 4).no())
    planner = Fill()
    assert any(item >= 8 for item in planner.plan(probs, state).items)  # type: ignore[union-attr]
    truth = [item in (3, 7) for item in range(40)]
    while any(state.is_open(item) for item in range(8)):
        question = planner.plan(probs, state, priority=priority)
        assert question is not None
        assert max(question.items) < 8
        state = learn(state, answered(question, truth))
    assert planner.plan(probs, state, priority=priority) is not None


@pytest.mark.parametrize("label", [True, False])
def test_fillers_join_items_of_open_clauses_while_priority_items_are_open(label: bool) -> None:
    """The items of open clauses are all the priority items, or these have the other label."""
    sure, suspect = (0.9999, 0.9) if label else (0.0001, 0.1)
    probs = np.full(60, sure)
    probs[:4], probs[4:8] = suspect, 1 - suspect
    state = learn(State.blank(60), Question((0, 1, 2, 3), (label,) * 4).no())
    for _ in range(0 if label else 16):  # until it is this label's turn
        state = learn(state, Question((59,), (label,)).yes())
    for priority in (np.arange(60) < 4, (np.arange(60) >= 4) & (np.arange(60) < 8)):
        question = Fill().plan(Probs(probs), state, priority=priority)
        assert question is not None
        assert min(question.items) < 4
        assert max(question.items) >= 8
        assert not {4, 5, 6, 7} & set(question.items)


def test_while_clauses_hold_all_priority_items_the_other_label_waits() -> None:
    probs, priority = Probs(np.where(np.arange(40) < 4, 0.1, 0.9)), np.arange(40) < 4
    state = learn(State.blank(40), Question((0, 1, 2, 3), (False,) * 4).no())
    question = Fill().plan(probs, state, priority=priority)  # it is True's turn
    assert question is not None
    assert max(question.items) < 4


def test_priority_items_in_another_window_do_not_keep_others_waiting() -> None:
    state = learn(State.blank(40), Question((0, 1, 2, 3), (False,) * 4).no())
    probs, priority = Probs(np.full(40, 0.1)), np.arange(40) < 4
    question = Fill().plan(probs, state, frozenset({0, 1, 2, 3}), priority)
    assert question is not None
    assert min(question.items) >= 4


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), same_guess=st.booleans(), max_n=st.sampled_from([1, 3, 8, None])
)
def test_something_is_asked_whatever_has_priority_or_is_leased(
    seed: int, same_guess: bool, max_n: int | None
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    values = rng.choice([1e-4, 0.02, 0.3, 0.9, 0.9999], n)
    truth, priority = (rng.random(n) < values).tolist(), rng.random(n) < 0.2
    planner, state = Fill(max_n=max_n, same_guess=same_guess), State.blank(n)
    while not state.done:
        if rng.random() < 0.2:
            priority = rng.random(n) < rng.choice([0.0, 0.1, 0.5])
        leased = set[int]()
        if rng.random() < 0.2:
            leased |= {item for clause in state.clauses for item in clause.items}
        if rng.random() < 0.3:
            leased |= set(np.flatnonzero(rng.random(n) < rng.random()).tolist())
        free = set(state.open_items().tolist()) - leased
        question = planner.plan(Probs(values), state, leased, priority)
        assert (question is None) == (not free)
        if question is not None:
            assert set(question.items) <= free
            state = learn(state, answered(question, truth))
    assert [state.label(item) for item in range(n)] == truth


def test_many_open_clauses_are_worked_off_before_anything_new_is_asked() -> None:
    state = State.blank(60)
    for start in range(0, 40, 4):
        state = learn(state, Question(tuple(range(start, start + 4)), (True,) * 4).no())
    question = Fill().plan(Probs(np.full(60, 0.9)), state)
    assert question is not None
    assert all(item < 24 for item in question.items)


@pytest.mark.parametrize("error", [0.001, 0.2])
def test_between_items_of_open_clauses_sure_items_are_fillers_where_room_is_scarce(
    error: float,
) -> None:
    probs, state = np.full(1000, 1 - error), State.blank(1000)
    probs[:28], probs[999] = 0.9, 0.6
    for start in range(0, 28, 4):
        state = learn(state, Question(tuple(range(start, start + 4)), (True,) * 4).no())
    question = Fill().plan(Probs(probs), state)
    assert question is not None
    assert any(item < 28 for item in question.items)
    assert any(item >= 28 for item in question.items) == (error < 0.01)
    assert 999 not in question.items


def test_open_clauses_out_of_reach_do_not_keep_fresh_items_from_being_asked() -> None:
    state = State.blank(60)
    for start in range(0, 40, 4):
        state = learn(state, Question(tuple(range(start, start + 4)), (True,) * 4).no())
    question = Fill().plan(Probs(np.full(60, 0.9)), state, frozenset(range(40)))
    assert question is not None
    assert all(item >= 40 for item in question.items)


def test_where_refuted_guesses_disagree_single_items_are_asked() -> None:
    state = learn(State.blank(5), Question((0, 1), (True, True)).no())
    state = learn(state, Question((1, 2), (False, True)).no())
    state = learn(state, Question((3, 4), (False, False)).yes())
    for leased in [frozenset[int](), frozenset({0}), frozenset({0, 2})]:
        for same_guess in (True, False):
            planner = Fill(same_guess=same_guess)
            question = planner.plan(Probs(np.full(5, 0.9)), state, leased)
            assert question is not None
            assert len(question) == 1
            assert question.items[0] not in leased
