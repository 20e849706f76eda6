"""Planners for two classes plan for more, one current guess an item at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from askless.core.class_probs import ClassProbs, class_bound_questions, class_code_length_bits
from askless.core.guess import is_right, mask_of
from askless.core.question import Answer, Question
from askless.core.state import State, learn, retract, undecided
from askless.errors import InvalidInput
from askless.planners import make_planner
from askless.planners.binary_reduction import BinaryReduction

Floats = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def pool(n: int, scale: float, seed: int, classes: int) -> tuple[Floats, list[int]]:
    """Calibrated class probabilities, and labels drawn from them."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(n, classes)) * scale * np.exp(0.6 * rng.normal(size=(n, 1)))
    p = np.exp(logits - logits.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    labels = (rng.random((n, 1)) > p.cumsum(1)).sum(1).clip(0, classes - 1)
    return p, labels.tolist()


def told(question: Question, truth: list[int]) -> Answer:
    right = [is_right(g, truth[i]) for i, g in zip(question.items, question.guess, strict=True)]
    return question.yes() if all(right) else question.no()


PLANNERS: list[tuple[str, dict[str, Any]]] = [
    ("nested", {"max_n": None}),
    ("nested", {"objective": "labels"}),
    ("fill", {}),
    ("fill", {"same_guess": False}),
    ("grid", {"max_n": 6}),
    ("lookahead", {}),
    ("one-by-one", {}),
]


@pytest.mark.parametrize(("name", "options"), PLANNERS)
@pytest.mark.parametrize("seed", range(3))
def test_every_label_comes_out_right_and_nothing_is_asked_that_is_known(
    name: str, options: dict[str, Any], seed: int
) -> None:
    p, truth = pool(40, 2.0, seed, 3 + seed)
    reduction = BinaryReduction(make_planner(name, **options))
    state, probs = State.blank(40, 3 + seed), ClassProbs(p)
    priority = np.arange(40) % 2 == 0
    while not state.done:
        wanted = priority if (state.labels()[::2] == -1).any() else None
        question = reduction.plan(probs, state, frozenset(), wanted)
        assert question is not None
        assert undecided(state, question)
        for item, guess in zip(question.items, question.guess, strict=True):
            held, every = state.fixed_guess(item), state.classes
            if held is not None:
                left = sum(1 << c for c in state.possible(item))
                assert mask_of(guess, every) & left == mask_of(held, every) & left
        if options.get("same_guess", True) and name in ("nested", "fill", "grid"):
            assert len(set(question.guess)) == 1
        state = learn(state, told(question, truth))
    assert state.labels().tolist() == truth
    assert reduction.plan(probs, state) is None


@pytest.mark.parametrize(("name", "options"), PLANNERS)
def test_it_takes_up_from_any_state_and_leaves_leased_items_alone(
    name: str, options: dict[str, Any]
) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        p, truth = pool(9, 1.0, seed, 4)
        state = State.blank(9, 4)
        for _ in range(6):
            items = tuple(rng.permutation(9)[: rng.integers(1, 5)].tolist())
            kinds = [int(rng.integers(4)), ~int(rng.integers(4)), frozenset({0, 1})]
            guess = tuple(kinds[rng.integers(3)] for _ in items)
            state = learn(state, told(Question(items, guess), truth))  # type: ignore[arg-type]
        state = retract(state, int(rng.integers(6)))
        reduction, leased = BinaryReduction(make_planner(name, **options)), frozenset({0, 3})
        question = reduction.plan(ClassProbs(p), state, leased)
        if question is None:
            assert leased.issuperset(state.open_items().tolist())
            continue
        assert leased.isdisjoint(question.items)
        assert undecided(state, question)
        while not state.done:
            question = reduction.plan(ClassProbs(p), state)
            assert question is not None
            state = learn(state, told(question, truth))
        assert state.labels().tolist() == truth


@pytest.mark.parametrize(("name", "max_n"), [("nested", None), ("fill", 64), ("fill", 8)])
def test_calibrated_pools_take_about_their_bits(name: str, max_n: int | None) -> None:
    p, truth = pool(600, 3.0, 0, 10)
    reduction = BinaryReduction(make_planner(name, max_n=max_n))
    state, probs, questions = State.blank(600, 10), ClassProbs(p), 0
    while not state.done:
        question = reduction.plan(probs, state)
        assert question is not None
        state, questions = learn(state, told(question, truth)), questions + 1
    bits = max(class_code_length_bits(p, truth), class_bound_questions(p, max_n))
    assert questions < 1.06 * bits


def test_where_people_point_nobody_is_asked_whether_none_is_of_a_class() -> None:
    p, truth = pool(30, 0.5, 1, 5)
    reduction = BinaryReduction(make_planner("grid", max_n=6), none_of_these=False)
    state, probs = State.blank(30, 5), ClassProbs(p)
    while not state.done:
        question = reduction.plan(probs, state)
        assert question is not None
        assert all(isinstance(guess, int) and guess >= 0 for guess in question.guess)
        pairs = zip(question.items, question.guess, strict=True)
        wrong = [i for i, g in pairs if g != truth[i]]
        state = learn(state, question.pointed(wrong, rest_right=True))
    assert state.labels().tolist() == truth


def test_items_with_a_poor_guess_are_asked_alone_to_be_typed() -> None:
    p = np.array([[0.9, 0.05, 0.05], [0.4, 0.3, 0.3], [0.9, 0.05, 0.05]])
    reduction = BinaryReduction(make_planner("nested", max_n=None), type_below=0.5)
    state = State.blank(3, 3)
    first = reduction.plan(ClassProbs(p), state)
    assert first is not None
    assert 1 not in first.items
    state = learn(state, Question((0, 2), (0, 0)).yes())
    last = reduction.plan(ClassProbs(p), state)
    assert last == Question((1,), (0,))
    assert reduction.is_typed(last)


def test_probabilities_of_another_pool_are_refused() -> None:
    reduction = BinaryReduction(make_planner("nested"))
    with pytest.raises(InvalidInput, match=r"3 classes for 2 items.*\(2, 2\)"):
        reduction.plan(ClassProbs(np.full((2, 2), 0.5)), State.blank(2, 3))
