"""What to ask while still learning."""

from __future__ import annotations

import numpy as np
import pytest

from askless.errors import UnknownPart
from askless.predictors.order import DEFAULT_ORDER, Order, order_names

OPEN = np.full(200, -1, np.int8)
EVEN = np.full(200, 0.5)


def test_round_is_over_when_a_tenth_is_left() -> None:
    order, labels = Order("rounds", 200, share=0.5), OPEN.copy()
    wish = order.first(EVEN, labels)
    assert wish is not None
    assert set(np.flatnonzero(wish)) == set(order.line[:16])
    labels[order.line[:15]] = 1
    wish = order.first(EVEN, labels)
    assert wish is not None
    assert np.count_nonzero(wish) == 24
    labels[:] = 1
    assert order.first(EVEN, labels) is None


def test_easy_wishes_nothing() -> None:
    assert Order("easy", 200).first(EVEN, OPEN) is None


def test_least_sure_open_items_are_wished_for() -> None:
    values = np.linspace(0.5, 1, 200)
    labels = OPEN.copy()
    labels[:10] = 1
    wish = Order("uncertain", 200).first(values, labels)
    assert wish is not None
    assert np.flatnonzero(wish).tolist() == list(range(10, 18))


def test_doubt_counts_as_much_as_being_unsure() -> None:
    doubt = np.linspace(0, 1, 200)
    wish = Order("variance", 200).first(EVEN, OPEN, doubt)
    assert wish is not None
    assert np.flatnonzero(wish).tolist() == list(range(192, 200))


def test_easy_items_come_once_three_per_cent_are_known() -> None:
    labels = np.full(3000, -1, np.int8)
    for name in ("rounds-then-easy", "variance-then-easy"):
        order = Order(name, 3000)
        assert order.first(np.full(3000, 0.5), labels) is not None
        labels[order.line[:100]] = 0
        assert order.first(np.full(3000, 0.5), labels) is None
        labels[:] = -1


def test_same_seed_gives_the_same_rounds() -> None:
    lines = [Order("rounds", 50, seed=seed).line for seed in (1, 1, 2)]
    assert np.array_equal(lines[0], lines[1])
    assert not np.array_equal(lines[0], lines[2])


def test_every_objective_has_an_order_and_strangers_are_refused() -> None:
    assert set(DEFAULT_ORDER) == {"questions", "labels", "seconds"}
    assert set(DEFAULT_ORDER.values()) <= set(order_names())
    with pytest.raises(UnknownPart, match="no order named 'best'"):
        Order("best", 3)
