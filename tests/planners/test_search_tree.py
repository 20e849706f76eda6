"""The lookahead tree: chances, costs, priorities, all against recomputation from scratch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.entropy import binary_entropy_bits
from askless.core.probability import chance
from askless.core.question import Question
from askless.core.state import State, learn
from askless.planners._search_tree import Node, SearchTree
from tests.core.entropies import log_size_bits, refuted_entropy_bits, state_entropy_bits


class Free:
    """All items of a small pool; alone the surest and the least sure are asked about."""

    def __init__(self, values: list[float]) -> None:
        self._order = sorted(range(len(values)), key=lambda item: -abs(values[item] - 0.5))

    def surest(self, gone: AbstractSet[int]) -> Iterator[int]:
        return (item for item in self._order if item not in gone)

    def singles(self, gone: AbstractSet[int]) -> tuple[int, ...]:
        left = list(self.surest(gone))
        return tuple(dict.fromkeys((left[0], left[-1])))


class Without(Free):
    """What is free once some items are settled."""

    def __init__(self, values: list[float], settled: tuple[int, ...]) -> None:
        super().__init__(values)
        self._order = [item for item in self._order if item not in settled]


def tree(
    values: list[float],
    *,
    entropy: bool = True,
    max_n: int | None = 4,
    max_depth: int = 20,
    early_stopping: bool = False,
) -> SearchTree:
    right = np.maximum(values, 1 - np.asarray(values))
    weights = binary_entropy_bits(right).tolist() if entropy else None
    return SearchTree(np.log(right).tolist(), weights, max_n, 10.0, max_depth, early_stopping)


def likelier(values: list[float], items: tuple[int, ...]) -> Question:
    return Question(items, tuple(values[item] >= 0.5 for item in items))


def nodes(root: Node) -> Iterator[tuple[Node, int, float]]:
    """Every node with its depth and its priority, computed from the top."""
    yield from _nodes(root, 0, 1.0)


def _nodes(node: Node, depth: int, priority: float) -> Iterator[tuple[Node, int, float]]:
    yield node, depth, priority
    if node.actions is None:
        return
    weights = [math.exp(-action.cost / 10.0) for action in node.actions]
    for action, weight in zip(node.actions, weights, strict=True):
        share = priority * weight / sum(weights)
        yield from _nodes(action.yes, depth + 1, share * action.chance)
        yield from _nodes(action.no, depth + 1, share * (1 - action.chance))


def best_priority(root: Node, max_depth: int = 20) -> float:
    leaves = [
        priority
        for node, depth, priority in nodes(root)
        if node.actions is None and node.left and depth < max_depth
    ]
    return max(leaves, default=0.0)


def cost_from_the_leaves(node: Node) -> float:
    if node.actions is None:
        return node.cost
    return min(
        1
        + action.chance * cost_from_the_leaves(action.yes)
        + (1 - action.chance) * cost_from_the_leaves(action.no)
        for action in node.actions
    )


probabilities = st.lists(st.floats(0.02, 0.98), min_size=1, max_size=7)


@given(probabilities, st.booleans(), st.integers(1, 25))
def test_every_node_is_the_state_that_the_answers_lead_to(
    values: list[float], entropy: bool, expansions: int
) -> None:
    search, blank = tree(values, entropy=entropy), State.blank(len(values))
    root = search.root(len(values))
    search.grow(root, Free(values), expansions)

    def proxy(state: State) -> float:
        return state_entropy_bits(values, state) if entropy else log_size_bits(state)

    pairs: list[tuple[Node, State]] = [(root, blank)]
    for node, state in pairs:
        assert node.left == state.n_open
        assert {frozenset(node.guess)} - {frozenset()} == {
            frozenset(clause.items) for clause in state.clauses
        }
        if node.actions is None:
            assert node.cost == pytest.approx(proxy(state) - proxy(blank), abs=1e-9)
        for action in node.actions or ():
            question = likelier(values, action.items)
            right = chance(values, question.items, question.guess, state.clauses)
            assert action.chance == pytest.approx(right)
            pairs.append((action.yes, learn(state, question.yes())))
            pairs.append((action.no, learn(state, question.no())))


@given(st.lists(st.floats(0.02, 0.98), min_size=2, max_size=8))
def test_chance_of_the_shorter_guess_given_that_the_longer_was_wrong(right: list[float]) -> None:
    search = tree([0.5] * len(right), max_n=None)
    root = search.root(len(right), enumerate(np.log(right).tolist()))
    search.grow(root, Free(right), 1)
    assert root.actions is not None
    (action,) = root.actions
    dropped = min(range(len(right)), key=lambda item: right[item])
    kept = [item for item in range(len(right)) if item != dropped]
    both = wrong = 0.0
    for labels in itertools.product([True, False], repeat=len(right)):
        mass = math.prod(p if ok else 1 - p for p, ok in zip(right, labels, strict=True))
        if not all(labels):
            wrong += mass
            both += mass * all(labels[item] for item in kept)
    assert sorted(action.items) == kept or right.count(min(right)) > 1
    assert action.chance == pytest.approx(both / wrong)


@given(st.lists(st.floats(0.5, 0.98), min_size=2, max_size=8))
def test_a_refuted_guess_costs_its_conditional_entropy(values: list[float]) -> None:
    root = tree(values).root(len(values), enumerate(np.log(values).tolist()))
    bits = float(np.sum(binary_entropy_bits(values)))
    assert root.cost == pytest.approx(refuted_entropy_bits(bits, math.prod(values)) - bits)


@given(probabilities, st.booleans(), st.integers(1, 40), st.integers(1, 6))
def test_costs_and_priorities_are_right_after_every_expansion(
    values: list[float], entropy: bool, expansions: int, max_depth: int
) -> None:
    search, free = tree(values, entropy=entropy, max_depth=max_depth), Free(values)
    root = search.root(len(values))
    for _ in range(expansions):
        expected = best_priority(root, max_depth)
        leaves = {id(node): priority for node, _, priority in nodes(root) if node.actions is None}
        search.grow(root, free, 1)
        expanded = [
            leaves[id(node)]
            for node, _, _ in nodes(root)
            if node.actions is not None and id(node) in leaves
        ]
        assert expanded == ([pytest.approx(expected)] if expected else [])
        assert root.cost == pytest.approx(cost_from_the_leaves(root), abs=1e-9)
        assert root.reach == pytest.approx(best_priority(root, max_depth))
        assert max(depth for _, depth, _ in nodes(root)) <= max_depth


@given(probabilities, st.integers(1, 40), st.integers(1, 4))
def test_a_tree_that_goes_on_from_below_may_look_further(
    values: list[float], expansions: int, max_depth: int
) -> None:
    search, free = tree(values, max_depth=max_depth), Free(values)
    root = search.root(len(values))
    assert search.grow(root, free, expansions) == any(
        depth == max_depth for _, depth, _ in nodes(root)
    )
    assert root.actions
    for child in (root.actions[0].yes, root.actions[-1].no):
        too_deep = search.reopen(child)
        assert child.reach == pytest.approx(best_priority(child, max_depth))
        assert too_deep == any(depth == max_depth for _, depth, _ in nodes(child))


@given(probabilities, st.integers(1, 10), st.integers(1, 10), st.integers(1, 6))
def test_a_tree_that_was_grown_further_down_is_updated(
    values: list[float], expansions: int, further: int, max_depth: int
) -> None:
    search = tree(values, max_depth=max_depth)
    root = search.root(len(values))
    search.grow(root, Free(values), expansions)
    assert root.actions
    action = root.actions[-1]
    for child in (action.yes, action.no):
        search.reopen(child)
        search.grow(child, Without(values, child.gone), further)
    assert search.reopen(root) == any(depth >= max_depth for _, depth, _ in nodes(root))
    assert root.cost == pytest.approx(cost_from_the_leaves(root), abs=1e-9)
    assert root.reach == pytest.approx(best_priority(root, max_depth))


def test_costs_rise_where_the_proxy_hoped_for_too_much_and_fall_where_it_feared_too_much() -> None:
    values = [0.9, 0.85, 0.8, 0.75, 0.7, 0.65]
    for entropy, way in ((True, +1), (False, -1)):
        search = tree(values, entropy=entropy)
        root = search.root(len(values))
        search.grow(root, Free(values), 1)
        before = root.cost
        search.grow(root, Free(values), 60)
        assert way * (root.cost - before) > 0.01


def test_early_stopping_ends_with_the_first_size_that_costs_more() -> None:
    values = [0.9, 0.9, 0.9, 0.8, 0.7, 0.6]
    search = tree(values, entropy=False, max_n=6, early_stopping=True)
    root = search.root(len(values))
    search.grow(root, Free(values), 1)
    groups = [action.cost for action in root.actions or () if len(action.items) > 1]
    assert len(groups) < 5
    assert sorted(groups[:-1], reverse=True) == groups[:-1]
    assert groups[-1] > groups[-2]


def test_every_size_is_tried_up_to_the_largest_guess() -> None:
    values = [0.9] * 30
    root = (search := tree(values, max_n=20)).root(30)
    search.grow(root, Free(values), 1)
    assert sorted({len(action.items) for action in root.actions or ()}) == list(range(1, 21))


def test_without_a_largest_guess_sizes_grow_until_a_yes_is_unlikely() -> None:
    values = [0.99] * 1000
    root = (search := tree(values, max_n=None)).root(1000)
    search.grow(root, Free(values), 1)
    sizes = sorted({len(action.items) for action in root.actions or ()})
    assert sizes[:16] == list(range(1, 17))
    assert all(b <= a + a // 4 for a, b in itertools.pairwise(sizes[15:]))
    assert 0.99 ** sizes[-1] >= 1 / 16 > 0.99 ** (sizes[-1] * 5 // 4)
    sure = (search := tree([1 - 1e-9] * 1000, max_n=None)).root(1000)
    search.grow(sure, Free([1 - 1e-9] * 1000), 1)
    assert max(len(action.items) for action in sure.actions or ()) == 1000
