from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from askless.core.bounds import capped_bound_questions, code_length_bits
from askless.core.entropy import binary_entropy_bits, independent_entropy_bits
from askless.errors import InvalidInput

pools = st.lists(st.floats(0, 1), min_size=1, max_size=30)
caps = st.integers(1, 70)


@given(pools, caps)
def test_a_looser_cap_never_raises_the_bound_and_no_cap_gives_the_entropy(
    probs: list[float], max_n: int
) -> None:
    entropy = independent_entropy_bits(probs)
    tight = capped_bound_questions(probs, max_n)
    assert tight >= capped_bound_questions(probs, max_n + 1) - 1e-9
    assert tight >= entropy
    assert capped_bound_questions(probs, None) == entropy


@given(pools)
def test_single_items_cost_one_question_each_exactly(probs: list[float]) -> None:
    assert capped_bound_questions(probs, 1) == pytest.approx(len(probs))


@given(st.integers(1, 50), caps)
def test_coins_cost_one_question_each_under_any_cap(n: int, max_n: int) -> None:
    assert capped_bound_questions([0.5] * n, max_n) == pytest.approx(n)


@given(st.lists(st.sampled_from([0.0, 1.0]), max_size=50), caps)
def test_certain_items_cost_only_the_looking(probs: list[float], max_n: int) -> None:
    assert capped_bound_questions(probs, max_n) == pytest.approx(len(probs) / max_n)
    assert capped_bound_questions(probs, None) == 0


@given(pools, caps, st.floats(0, 3), st.floats(0, 3))
def test_no_admissible_numbers_of_yes_and_no_answers_come_below_the_bound(
    probs: list[float], max_n: int, more_yes: float, more_no: float
) -> None:
    wrong = np.minimum(probs, 1 - np.array(probs))
    yes = np.sum(1 - wrong) / max_n * (1 + more_yes)
    no = np.sum(wrong) * (1 + more_no)
    total = yes + no
    carried = total * float(binary_entropy_bits(yes / total))
    if carried >= independent_entropy_bits(probs):
        assert total >= capped_bound_questions(probs, max_n) - 1e-9


@given(pools, caps)
def test_the_bound_is_reached_by_some_admissible_numbers(probs: list[float], max_n: int) -> None:
    wrong = np.minimum(probs, 1 - np.array(probs))
    fewest_yes, fewest_no = np.sum(1 - wrong) / max_n, np.sum(wrong)
    entropy = independent_entropy_bits(probs)
    bound = capped_bound_questions(probs, max_n)
    yes = max(fewest_yes, entropy / 2)
    no = bound - yes
    assert no >= fewest_no - 1e-9
    share = min(1.0, yes / bound)
    assert bound * float(binary_entropy_bits(share)) >= entropy - 1e-6


@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=3), st.integers(1, 3))
def test_the_best_procedure_of_likelier_guesses_stays_above_the_bound(
    probs: list[float], max_n: int
) -> None:
    assert _cheapest_guesses(probs, max_n) >= capped_bound_questions(probs, max_n) - 1e-9


# The ratio of the bound to the entropy for pools like those real predictors give.
@pytest.mark.parametrize(
    ("pool", "max_n", "ratio"),
    [
        ("A", 4, 1.210),
        ("A", 8, 1.000),
        ("A", 16, 1.000),
        ("A", 64, 1.000),
        ("B", 8, 1.000),
        ("C", 8, 2.784),
        ("C", 16, 1.544),
        ("C", 64, 1.000),
        ("D", 8, 1.000),
        ("D", 16, 1.000),
    ],
)
def test_the_bound_for_pools_like_real_ones(pool: str, max_n: int, ratio: float) -> None:
    ratios = []
    for seed in range(5):
        errors = _pool(pool, np.random.default_rng(seed))
        entropy = independent_entropy_bits(errors)
        ratios.append(capped_bound_questions(errors, max_n) / entropy)
    assert np.mean(ratios) == pytest.approx(ratio, rel=0.02)


def test_code_length_of_one_labelling() -> None:
    assert code_length_bits([0.25, 0.5, 1.0], [1, 0, 1]) == pytest.approx(3, abs=1e-6)


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=6))
def test_code_lengths_average_to_the_entropy(probs: list[float]) -> None:
    mean = 0.0
    for number in range(2 ** len(probs)):
        labels = [bool(number >> item & 1) for item in range(len(probs))]
        chance = np.prod([p if label else 1 - p for p, label in zip(probs, labels, strict=True)])
        mean += float(chance) * code_length_bits(probs, labels)
    assert mean == pytest.approx(independent_entropy_bits(probs), abs=1e-4)


def test_a_confident_mistake_costs_what_the_smallest_chance_allows() -> None:
    assert code_length_bits([0.0], [True]) == pytest.approx(-np.log2(1e-7))


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one item; got max_n = 0"):
        capped_bound_questions([0.5], 0)
    with pytest.raises(InvalidInput, match=r"one right label.* 2 probs"):
        code_length_bits([0.5, 0.5], [True])
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        capped_bound_questions([1.5], None)
    with pytest.raises(InvalidInput, match="one number per item"):
        capped_bound_questions([[0.5]], 4)


def _pool(name: str, rng: np.random.Generator, n: int = 6000) -> NDArray[np.float64]:
    """Chances of a wrong guess: sure items and doubtful ones, scaled to a mean."""
    if name == "D":
        return np.full(n, 0.05)
    if name == "A":
        mean = 0.07
        parts = [
            rng.beta(0.6, 60, int(0.62 * n)),
            rng.beta(1.2, 9, int(0.28 * n)),
            rng.beta(4, 2.1, int(0.10 * n)) / 2,
        ]
    elif name == "B":
        mean, parts = 0.33, [rng.beta(2.6, 1.35, n) / 2]
    else:
        mean = 0.01
        parts = [rng.beta(0.5, 200, int(0.95 * n)), rng.beta(1, 1.9, int(0.05 * n)) / 2]
    errors = np.concatenate(parts)
    return np.asarray(np.clip(errors * mean / errors.mean(), 1e-6, 0.5))


def _cheapest_guesses(probs: list[float], max_n: int) -> float:
    """E[Q] of the best yes/no procedure on likelier guesses, by trying everything."""
    n = len(probs)
    wrong = [min(p, 1 - p) for p in probs]
    # Bit i of a number says whether the guess of item i is wrong.
    chances = [
        float(np.prod([e if k >> i & 1 else 1 - e for i, e in enumerate(wrong)]))
        for k in range(2**n)
    ]
    groups = [
        sum(1 << item for item in items)
        for size in range(1, min(n, max_n) + 1)
        for items in combinations(range(n), size)
    ]

    @cache
    def questions(left: frozenset[int]) -> float:
        if len(left) <= 1:
            return 0.0
        best = float("inf")
        for group in groups:
            yes = frozenset(k for k in left if not k & group)
            if yes and yes != left:
                best = min(best, questions(yes) + questions(left - yes))
        return sum(chances[k] for k in left) + best

    return questions(frozenset(range(2**n)))
