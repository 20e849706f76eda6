from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from askless.core.entropy import independent_entropy_bits
from askless.core.huffman import MAX_ITEMS, huffman_tree, huffman_tree_over
from askless.errors import InvalidInput, TooLarge

small_pools = st.lists(st.floats(0, 1), min_size=1, max_size=7)
joints = st.lists(st.integers(0, 20), min_size=1, max_size=8).filter(any)


@given(small_pools)
def test_expected_questions_lie_within_one_of_the_entropy(probs: list[float]) -> None:
    entropy = independent_entropy_bits(probs)
    expected = huffman_tree(probs).expected_questions
    assert entropy - 1e-9 <= expected <= entropy + 1 + 1e-9


@given(small_pools)
def test_every_labelling_is_found_and_excluded_ones_too(probs: list[float]) -> None:
    tree = huffman_tree(probs)
    for labelling in range(2 ** len(probs)):
        steps = tree.play(labelling)
        last, answer = steps[-1]
        assert tree.branches[last, int(answer)] == labelling
        assert len(steps) == tree.depth[labelling]


@given(small_pools)
def test_expected_questions_are_the_mean_over_labellings(probs: list[float]) -> None:
    tree = huffman_tree(probs)
    leaves = slice(tree.n_labellings)
    mean = np.sum(tree.chance[leaves] * tree.depth[leaves])
    assert tree.expected_questions == pytest.approx(mean)


@given(small_pools)
def test_every_node_bounds_its_cost_and_adds_up_its_labellings(probs: list[float]) -> None:
    tree = huffman_tree(probs)
    assert np.all(tree.cost_questions >= tree.entropy_bits - 1e-9)
    assert np.all(tree.cost_questions <= tree.entropy_bits + 1 + 1e-9)
    for node in range(len(tree.chance)):
        left = tree.labellings(node)
        assert tree.chance[node] == pytest.approx(tree.chance[left].sum())
        conditional = _conditional(tree.chance[left])
        positive = conditional[conditional > 0]
        entropy = -np.sum(positive * np.log2(positive))
        assert tree.entropy_bits[node] == pytest.approx(entropy, abs=1e-6)
        questions = np.sum(conditional * (tree.depth[left] - tree.depth[node]))
        assert tree.cost_questions[node] == pytest.approx(questions, abs=1e-6)


@given(small_pools)
def test_a_question_asks_about_the_likelier_part_of_what_is_left(probs: list[float]) -> None:
    tree = huffman_tree(probs)
    for node in range(tree.n_labellings, tree.root + 1):
        asked, left = set(tree.question(node).tolist()), set(tree.labellings(node).tolist())
        assert 0 < len(asked) < len(left)
        assert asked < left
        no, yes = tree.branches[node]
        assert tree.chance[yes] >= tree.chance[no]


@given(joints)
def test_no_procedure_of_general_questions_is_cheaper(weights: list[int]) -> None:
    chances = np.array(weights) / np.sum(weights)
    assert huffman_tree_over(chances).expected_questions == pytest.approx(_cheapest(chances))


def test_sixteen_items_are_handled() -> None:
    probs = np.random.default_rng(0).beta(0.5, 0.5, 16)
    tree = huffman_tree(probs)
    entropy = independent_entropy_bits(probs)
    assert tree.n_labellings == 2**16
    assert entropy <= tree.expected_questions <= entropy + 1
    assert tree.entropy_bits[tree.root] == pytest.approx(entropy)
    # A full binary code: Kraft's sum is exactly one.
    assert np.sum(0.5 ** tree.depth[: tree.n_labellings]) == pytest.approx(1)


def test_coins_are_asked_one_question_each() -> None:
    tree = huffman_tree([0.5] * 5)
    assert tree.expected_questions == 5
    assert set(tree.depth[:32].tolist()) == {5}


def test_certain_labels_still_cost_the_one_question_that_confirms_them() -> None:
    tree = huffman_tree([1.0, 0.0, 1.0])
    assert tree.expected_questions == 1
    assert len(tree.play(0b101)) == 1
    assert len(tree.play(0b010)) > 1


def test_a_pool_of_no_items_needs_no_question() -> None:
    tree = huffman_tree([])
    assert tree.expected_questions == 0
    assert tree.play(0) == ()
    assert tree.question(tree.root).size == 0


def test_equal_chances_give_the_same_balanced_tree_every_time() -> None:
    first, second = huffman_tree([0.25] * 6), huffman_tree([0.25] * 6)
    assert np.array_equal(first.branches, second.branches)
    # Three equally likely labellings: ties merge single labellings before merged ones.
    thirds = huffman_tree_over([1 / 3, 1 / 3, 1 / 3])
    assert thirds.branches[3:].tolist() == [[0, 1], [2, 3]]


def test_the_tree_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        huffman_tree([0.5]).chance[0] = 1


def test_too_many_items_and_unknown_labellings_are_refused() -> None:
    with pytest.raises(TooLarge, match=f"at most {MAX_ITEMS} items"):
        huffman_tree([0.5] * (MAX_ITEMS + 1))
    with pytest.raises(InvalidInput, match="labellings 0 to 1; got 2"):
        huffman_tree([0.5]).play(2)


def _conditional(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    total = chances.sum()
    return chances / total if total > 0 else np.full(len(chances), 1 / len(chances))


def _cheapest(chances: NDArray[np.float64]) -> float:
    """E[Q] of the best procedure, by trying every question in every state."""

    @cache
    def questions(state: int) -> float:
        if state & (state - 1) == 0:
            return 0.0
        mass = sum(p for k, p in enumerate(chances) if state >> k & 1)
        asked = (state - 1) & state
        best = float("inf")
        while asked:
            best = min(best, questions(asked) + questions(state & ~asked))
            asked = (asked - 1) & state
        return float(mass + best)

    return questions(2 ** len(chances) - 1)
