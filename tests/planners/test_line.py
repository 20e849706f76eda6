"""Lines: open items in a fixed order, read from either end."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.planners._line import Inputs, Line, Lines, Recent


def settle(state: State, item: int) -> State:
    return learn(state, Question((item,), (True,)).yes())


@given(st.data())
def test_both_ends_show_the_free_items_in_order_however_many_are_settled(
    data: st.DataObject,
) -> None:
    n = data.draw(st.integers(1, 300))
    order = np.random.default_rng(data.draw(st.integers(0, 99))).permutation(n)
    state = State.blank(n)
    line = Line(order, state)
    for _ in range(data.draw(st.integers(0, 4))):
        held = [
            i for i in data.draw(st.sets(st.integers(0, n - 1), max_size=6)) if state.is_open(i)
        ]
        if held:
            state = learn(state, Question(tuple(held), (False,) * len(held)).no())
        for item in data.draw(st.lists(st.integers(0, n - 1), max_size=n, unique=True)):
            if state.is_open(item):
                state = settle(state, item)
        line = line.follow(state)
        leased = data.draw(st.sets(st.integers(0, n - 1), max_size=5))
        free = [i for i in order.tolist() if state.is_open(i) and i not in leased]
        assert list(line.front(state, leased)) == free
        assert list(line.back(state, leased)) == free[::-1]


def test_a_look_past_a_held_item_does_not_read_the_settled_ones_behind_it_again() -> None:
    n = 1000
    state = learn(State.blank(n), Question((0, n - 1), (True, True)).no())
    line = Line(np.arange(n), state)
    for item in (*range(1, 301), *range(700, n - 1)):
        state = settle(state, item)
        line = line.follow(state)
    read: list[int] = []

    class Watched:
        def is_open(self, item: int) -> bool:
            read.append(item)
            return state.is_open(item)

    watched = cast("State", Watched())
    assert list(islice(line.front(watched, frozenset()), 3)) == [0, 301, 302]
    assert list(islice(line.back(watched, frozenset()), 3)) == [n - 1, 699, 698]
    assert len(read) == 6


def test_a_line_of_mostly_settled_items_is_copied_without_them() -> None:
    n = 1000
    state = State.blank(n)
    line = Line(np.arange(n), state)
    for item in range(1, n - 1):
        state = settle(state, item)
    assert list(line.follow(state).front(state, frozenset())) == [0, n - 1]
    assert list(line.follow(state).back(state, frozenset())) == [n - 1, 0]


def test_a_draw_gives_every_item_that_is_free_and_not_gone_its_turn() -> None:
    state = settle(State.blank(6), 0)
    line = Line(np.arange(6), State.blank(6)).follow(state)
    rng = np.random.default_rng(0)
    drawn = Counter(line.draw(rng, state, leased={1}, gone={2}) for _ in range(3000))
    assert set(drawn) == {3, 4, 5}
    assert min(drawn.values()) > 900


def test_a_draw_finds_the_only_free_item_among_many() -> None:
    n = 5000
    state = State.blank(n)
    line = Line(np.arange(n), state)
    leased = set(range(n)) - {4321}
    assert line.draw(np.random.default_rng(0), state, leased, gone=set()) == 4321


def test_lines_are_made_once_and_then_followed_until_the_orders_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines, blank, nobody = Lines(), State.blank(4), frozenset[int]()
    lines.renew([np.arange(4), np.arange(4)[::-1].copy()])
    state = learn(blank, Question((0,), (True,)).yes())
    assert [list(line.front(blank, nobody)) for line in lines.of(blank)] == [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
    ]
    with monkeypatch.context() as patched:
        patched.delattr(Line, "__init__")  # a new line would not know its items
        assert [list(line.front(state, nobody)) for line in lines.of(state)] == [
            [1, 2, 3],
            [3, 2, 1],
        ]
        assert lines.of(state) is lines.of(state)
    lines.renew([np.array([2, 0])])
    assert [list(line.front(state, nobody)) for line in lines.of(state)] == [[2]]


def test_the_least_recently_used_is_forgotten_first() -> None:
    recent: Recent[str] = Recent(size=2)
    recent.put(1, "one")
    recent.put(2, "two")
    assert recent.get(1) == "one"
    recent.put(3, "three")
    assert recent.get(2) is None
    assert (recent.get(1), recent.get(3), recent.get(None)) == ("one", "three", None)


def test_equal_versions_of_different_values_are_told_apart() -> None:
    inputs, probs = Inputs(), Probs(np.array([0.1, 0.9]), version=7)
    assert inputs.change_to(probs, None)
    assert not inputs.change_to(probs, None)
    assert not inputs.change_to(Probs(np.array([0.1, 0.9]), version=7), None)
    assert inputs.change_to(Probs(np.array([0.2, 0.9]), version=7), None)
    assert inputs.change_to(Probs(np.array([0.2, 0.9]), version=8), None)


def test_another_priority_is_another_input_even_with_the_same_probs() -> None:
    inputs, probs = Inputs(), Probs(np.array([0.1, 0.9]))
    assert inputs.change_to(probs, np.array([True, False]))
    assert not inputs.change_to(probs, np.array([True, False]))
    assert inputs.change_to(probs, np.array([False, True]))
    assert inputs.change_to(probs, None)
