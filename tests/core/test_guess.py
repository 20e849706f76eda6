"""What a guess says of an item's label."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.guess import (
    Guess,
    as_guess,
    classes_in,
    is_right,
    largest_class,
    mask_of,
    opposite,
    require_classes,
)
from askless.errors import InvalidInput

CLASSES = 5
ONE = st.integers(0, CLASSES - 1)
GUESSES: st.SearchStrategy[Guess] = (
    ONE
    | ONE.map(lambda c: ~c)
    | st.sets(ONE, min_size=2, max_size=CLASSES - 1).map(lambda some: frozenset(some))
)


@given(GUESSES)
def test_a_mask_has_the_classes_that_are_as_guessed(guess: Guess) -> None:
    right = {label for label in range(CLASSES) if is_right(guess, label)}
    assert classes_in(mask_of(guess, CLASSES)) == right
    assert 0 < len(right) < CLASSES


@given(GUESSES)
def test_the_opposite_is_right_where_a_guess_is_wrong(guess: Guess) -> None:
    other = opposite(guess, CLASSES)
    for label in range(CLASSES):
        assert is_right(other, label) != is_right(guess, label)


def test_the_opposite_of_a_bool_is_a_bool() -> None:
    assert opposite(True, 2) is False
    assert opposite(False, 2) is True


@given(GUESSES)
def test_a_guess_may_be_asked_of_a_pool_that_has_its_classes(guess: Guess) -> None:
    require_classes((guess, True), CLASSES)
    with pytest.raises(InvalidInput, match="The classes of this pool"):
        require_classes((guess,), largest_class(guess))


def test_numbers_and_booleans_of_numpy_become_plain_ones() -> None:
    assert as_guess(np.True_) is True
    assert type(as_guess(np.int64(3))) is int
    assert as_guess({np.int8(1), 2}) == frozenset({1, 2})
