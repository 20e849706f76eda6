"""Draws: uniform, without repeats, and the same everywhere and for ever."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.draw import _below, draw
from askless.errors import InvalidInput

GOLDEN = [
    [817073, 430984, 35568, 724977, 642822],
    [485816, 195920, 436930, 131608, 920961],
    [107, 101, 103, 105, 108, 104, 102, 109, 100, 106],
]


def test_a_draw_is_the_same_for_ever() -> None:
    assert draw("00ff", 0, np.arange(1_000_000), 5).tolist() == GOLDEN[0]
    assert draw("00ff", 1, np.arange(1_000_000), 5).tolist() == GOLDEN[1]
    assert draw("00ff", 0, np.arange(100, 110), 10).tolist() == GOLDEN[2]


def test_a_draw_can_be_repeated_by_hand() -> None:
    digest = hashlib.sha256(b"seed/3/7/0").digest()
    first, second = (int.from_bytes(digest[at : at + 8], "big") for at in (0, 8))
    left = [10, 11, 12, 13, 14, 15, 16]
    one = first % 7
    left[0], left[one] = left[one], left[0]
    two = 1 + second % 6
    assert draw("seed", 3, np.arange(10, 17), 2).tolist() == [left[0], left[two]]


@given(
    st.text("0123456789abcdef", max_size=64), st.integers(0, 10**6), st.integers(0, 60), st.data()
)
def test_a_draw_repeats_no_item_and_a_larger_one_begins_with_it(
    seed: str, position: int, left: int, data: st.DataObject
) -> None:
    items = np.arange(left) * 3 + 1
    size = data.draw(st.integers(0, left))
    drawn = draw(seed, position, items, size)
    assert len(set(drawn.tolist())) == size
    assert set(drawn.tolist()) <= set(items.tolist())
    assert draw(seed, position, items, left)[:size].tolist() == drawn.tolist()


def test_every_ordered_draw_comes_equally_often() -> None:
    """Chi-square over all 60 ordered draws of 3 from 5; one seed, so no chance is involved."""
    counts = dict.fromkeys(itertools.permutations(range(5), 3), 0)
    runs = 12_000
    for position in range(runs):
        counts[tuple(draw("uniform", position, np.arange(5), 3).tolist())] += 1
    expected = runs / 60
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected
    assert 30 < chi_square < 98.3  # 59 degrees of freedom: 1 in 1000 is beyond either


def test_draws_from_different_numbers_of_items_have_nothing_in_common() -> None:
    same = sum(
        draw("seed", position, np.arange(1000), 1)[0]
        == draw("seed", position, np.arange(1001), 1)[0]
        for position in range(300)
    )
    assert same <= 3


def test_numbers_in_the_last_incomplete_run_are_passed_over() -> None:
    # 2**64 = 2 modulo 7, so the last two numbers would make 0 and 1 likelier
    assert _below(7, iter([2**64 - 1, 2**64 - 2, 8])) == 1
    assert _below(7, iter([2**64 - 3])) == 6


@pytest.mark.parametrize("size", [-1, 4])
def test_more_than_there_are_cannot_be_drawn(size: int) -> None:
    with pytest.raises(InvalidInput, match="0 to 3 of 3"):
        draw("seed", 0, np.arange(3), size)
