"""Probabilities of several classes, and what bounds the questions they take."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.bounds import capped_bound_questions, code_length_bits
from askless.core.class_probs import (
    ClassProbs,
    class_bound_questions,
    class_code_length_bits,
    class_entropy_bits,
)
from askless.core.entropy import independent_entropy_bits
from askless.errors import InvalidInput


def drawn(seed: int, n: int, classes: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(seed).dirichlet(np.full(classes, 0.3), n)


@given(st.integers(0, 99), st.integers(1, 12), st.sampled_from([None, 1, 3, 8]))
def test_two_classes_have_the_bounds_of_true_and_false(
    seed: int, n: int, max_n: int | None
) -> None:
    p = np.random.default_rng(seed).random(n)
    both, labels = np.stack([1 - p, p], axis=1), (p > 0.3).astype(int)
    assert class_entropy_bits(both) == pytest.approx(independent_entropy_bits(p))
    bound = capped_bound_questions(p, max_n)
    assert class_bound_questions(both, max_n) == pytest.approx(bound)
    assert class_code_length_bits(both, labels) == pytest.approx(code_length_bits(p, labels))


@given(st.integers(0, 99), st.integers(2, 7))
def test_the_facts_of_an_item_are_worth_the_entropy_of_its_class(seed: int, classes: int) -> None:
    for row in drawn(seed, 5, classes):
        left, bits = 1.0, 0.0
        for p in sorted(row, reverse=True)[:-1]:
            if left > 0:
                bits += left * independent_entropy_bits([min(1.0, p / left)])
                left -= p
        assert class_entropy_bits(row[None]) == pytest.approx(bits, abs=1e-9)


def test_one_item_a_question_takes_one_class_after_the_other() -> None:
    p = np.array([[0.5, 0.3, 0.2]])
    # Is it the first; if not, is it the second: the third then follows.
    assert class_bound_questions(p, 1) == pytest.approx(1 + 0.5)
    assert class_bound_questions(p, None) == class_entropy_bits(p)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([0.5, 0.5], "a row for every item"),
        ([[1.0]], "a column for each of 2 to 100"),
        ([[0.5, 0.6]], "add up to 1.*item 0"),
        ([[1.0, 0.0], [1.5, -0.5]], "add up to 1.*item 1"),
        ([[float("nan"), 1.0]], "add up to 1"),
        ("many", "numbers between 0 and 1"),
    ],
)
def test_what_are_no_class_probabilities_is_refused(values: object, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        ClassProbs(values)  # type: ignore[arg-type]


def test_a_code_length_needs_a_class_for_every_item() -> None:
    with pytest.raises(InvalidInput, match="0 to 1, for each of the 2 items"):
        class_code_length_bits([[1.0, 0.0], [0.5, 0.5]], [0, 2])
