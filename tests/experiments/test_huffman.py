from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from askless.core.entropy import independent_entropy_bits
from askless.errors import InvalidInput, TooLarge
from experiments.synthetic.huffman import (
    MAX_ITEMS,
    HuffmanTree,
    huffman_tree,
    labelling_chances,
    labelling_number,
)

small_pools = st.lists(st.floats(0, 1), min_size=1, max_size=7)


@given(small_pools)
def test_expected_questions_lie_within_one_of_the_entropy(probs: list[float]) -> None:
    entropy = independent_entropy_bits(probs)
    expected = huffman_tree(probs).expected_questions
    assert entropy - 1e-9 <= expected <= entropy + 1 + 1e-9


@given(small_pools)
def test_every_labelling_is_found_and_excluded_ones_too(probs: list[float]) -> None:
    tree = huffman_tree(probs)
    leaves = tree.n_labellings
    parents = {int(k): node for node in range(leaves, 2 * leaves - 1) for k in tree.branches[node]}
    assert sorted(parents) == list(range(2 * leaves - 2))  # every node but the root is led to once
    for node, parent in parents.items():
        assert tree.depth[node] == tree.depth[parent] + 1
    assert tree.depth[-1] == 0


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
        left = _labellings(tree, node)
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
    no, yes = tree.branches[tree.n_labellings :].T
    assert np.all(tree.chance[yes] >= tree.chance[no])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=3))
def test_no_procedure_of_general_questions_is_cheaper(probs: list[float]) -> None:
    cheapest = _cheapest(labelling_chances(probs))
    assert huffman_tree(probs).expected_questions == pytest.approx(cheapest)


def test_sixteen_items_are_handled() -> None:
    probs = np.random.default_rng(0).beta(0.5, 0.5, 16)
    tree = huffman_tree(probs)
    entropy = independent_entropy_bits(probs)
    assert tree.n_labellings == 2**16
    assert entropy <= tree.expected_questions <= entropy + 1
    assert tree.entropy_bits[-1] == pytest.approx(entropy)
    # A full binary code: Kraft's sum is exactly one.
    assert np.sum(0.5 ** tree.depth[: tree.n_labellings]) == pytest.approx(1)


def test_coins_are_asked_one_question_each() -> None:
    tree = huffman_tree([0.5] * 5)
    assert tree.expected_questions == 5
    assert set(tree.depth[:32].tolist()) == {5}


def test_certain_labels_still_cost_the_one_question_that_confirms_them() -> None:
    tree = huffman_tree([1.0, 0.0, 1.0])
    assert tree.expected_questions == 1
    assert tree.depth[0b101] == 1
    assert tree.depth[0b010] > 1


def test_a_pool_of_no_items_needs_no_question() -> None:
    tree = huffman_tree([])
    assert tree.expected_questions == 0
    assert tree.depth.tolist() == [0]


def test_equal_chances_give_the_same_balanced_tree_every_time() -> None:
    first, second = huffman_tree([0.25] * 6), huffman_tree([0.25] * 6)
    assert np.array_equal(first.branches, second.branches)
    # Four equally likely labellings: ties merge single labellings before merged ones.
    assert huffman_tree([0.5, 0.5]).branches[4:].tolist() == [[0, 1], [2, 3], [4, 5]]


@given(st.lists(st.floats(0, 1), max_size=6), st.data())
def test_chance_of_a_labelling_is_the_product_of_its_labels(
    probs: list[float], data: st.DataObject
) -> None:
    labels = data.draw(st.lists(st.booleans(), min_size=len(probs), max_size=len(probs)))
    product = np.prod([p if label else 1 - p for p, label in zip(probs, labels, strict=True)])
    chances = labelling_chances(probs)
    assert chances[labelling_number(labels)] == pytest.approx(product)
    assert chances.sum() == pytest.approx(1)


def test_what_is_no_probability_and_no_label_is_refused() -> None:
    with pytest.raises(TooLarge, match=f"at most {MAX_ITEMS} items.* Use a planner"):
        huffman_tree([0.5] * (MAX_ITEMS + 1))
    for probs in ([1.5], [float("nan")]):
        with pytest.raises(InvalidInput, match="between 0 and 1"):
            huffman_tree(probs)
    with pytest.raises(InvalidInput, match="one number per item"):
        huffman_tree([[0.5]])
    with pytest.raises(InvalidInput, match="True or False"):
        labelling_number([0, 2])


def _labellings(tree: HuffmanTree, node: int) -> list[int]:
    """The labellings that are left at a node."""
    if node < tree.n_labellings:
        return [node]
    return [leaf for child in tree.branches[node].tolist() for leaf in _labellings(tree, child)]


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
