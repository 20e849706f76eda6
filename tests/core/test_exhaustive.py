from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from askless.core.exhaustive import MAX_ITEMS, search_questions, search_questions_over
from askless.core.huffman import huffman_tree, huffman_tree_over
from askless.errors import InvalidInput, TooLarge

pools = st.lists(st.floats(0, 1), min_size=1, max_size=3)


@st.composite
def dyadic_joints(draw: st.DrawFn) -> NDArray[np.float64]:
    """Chances that are powers of 1/2: halve one of them again and again."""
    chances = [1.0]
    for _ in range(draw(st.integers(0, 9))):
        at = draw(st.integers(0, len(chances) - 1))
        chances[at] /= 2
        chances.insert(draw(st.integers(0, len(chances))), chances[at])
    return np.array(chances)


@given(dyadic_joints())
def test_dyadic_chances_cost_their_entropy_and_so_does_huffman(
    chances: NDArray[np.float64],
) -> None:
    entropy = -np.sum(chances * np.log2(chances))
    assert search_questions_over(chances).expected_questions == pytest.approx(entropy)
    assert huffman_tree_over(chances).expected_questions == pytest.approx(entropy)


@pytest.mark.parametrize("n", range(MAX_ITEMS + 1))
def test_coins_cost_one_question_each(n: int) -> None:
    assert search_questions([0.5] * n).expected_questions == n


@given(pools)
def test_the_search_never_beats_huffman(probs: list[float]) -> None:
    best = huffman_tree(probs).expected_questions
    assert search_questions(probs).expected_questions >= best - 1e-9


def test_away_from_dyadic_chances_the_greedy_search_can_cost_more() -> None:
    probs = [0.1, 0.3, 0.45, 0.8]
    best = huffman_tree(probs).expected_questions
    assert best == pytest.approx(3.0858)
    assert best < search_questions(probs).expected_questions < best + 1


@given(pools)
def test_every_labelling_is_found_and_the_costs_add_up(probs: list[float]) -> None:
    found = search_questions(probs)
    chances = np.ones(1)
    for p in probs:
        chances = np.concatenate([chances * (1 - p), chances * p])
    total = 0.0
    for labelling, chance in enumerate(chances):
        left = set(range(len(chances)))
        steps = found.play(labelling)
        for asked, answer in steps:
            left = {k for k in left if bool(asked >> k & 1) == answer}
        assert left == {labelling}
        total += chance * len(steps)
    assert found.expected_questions == pytest.approx(total)


def test_the_first_question_leaves_the_least_entropy_of_all() -> None:
    # 0.55 against 0.45 is the evenest cut of these chances, and the only one.
    found = search_questions_over([0.55, 0.2, 0.15, 0.1])
    assert found.questions[0b1111] in (0b0001, 0b1110)


def test_certain_labels_are_confirmed_in_one_question() -> None:
    assert search_questions([1.0, 0.0, 1.0]).expected_questions == 1


def test_more_than_four_items_are_refused() -> None:
    with pytest.raises(TooLarge, match="at most 4 items"):
        search_questions([0.5] * 5)
    with pytest.raises(TooLarge, match="at most 16 labellings"):
        search_questions_over(np.full(17, 1 / 17))


def test_a_labelling_there_is_not_is_refused() -> None:
    with pytest.raises(InvalidInput, match="labellings 0 to 1; got 2"):
        search_questions([0.5]).play(2)
