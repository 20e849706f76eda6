"""Lists of unconstrained items: their order, their guesses, and what is left out."""

from __future__ import annotations

import numpy as np

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn, retract
from askless.planners._unconstrained import SMALLEST_WRONG, UnconstrainedItems
from askless.seams import Priority

NOBODY: frozenset[int] = frozenset()


def lists(
    free: UnconstrainedItems, state: State, leased: frozenset[int] = NOBODY
) -> list[list[int]]:
    return [list(items.surest()) for items in free.lists(state, leased)]


def sorted_for(
    probs: Probs, *, priority: Priority | None = None, same_guess: bool = False
) -> UnconstrainedItems:
    free = UnconstrainedItems(same_guess=same_guess)
    assert free.renew(probs, priority)
    return free


def test_the_surest_items_come_first_and_the_hardest_from_the_back() -> None:
    free = sorted_for(Probs(np.array([0.4, 0.01, 0.8, 0.95])))
    (items,) = free.lists(State.blank(4), NOBODY)
    assert list(items.surest()) == [1, 3, 2, 0]
    assert list(items.hardest()) == [0, 2, 3, 1]


def test_with_same_guess_each_guessed_label_has_a_list() -> None:
    free = sorted_for(Probs(np.array([0.4, 0.01, 0.8, 0.5])), same_guess=True)
    state = State.blank(4)
    assert [items.row for items in free.lists(state, NOBODY)] == [True, False]
    assert lists(free, state) == [[2, 3], [1, 0]]


def test_a_list_without_items_is_left_out() -> None:
    free = sorted_for(Probs(np.array([0.4, 0.01])), same_guess=True)
    assert lists(free, State.blank(2)) == [[1, 0]]
    assert lists(free, State.blank(2), frozenset({0, 1})) == []


def test_settled_leased_and_refuted_items_are_left_out() -> None:
    free = sorted_for(Probs(np.array([0.1, 0.2, 0.3, 0.4, 0.45])))
    state = learn(State.blank(5), Question((0,), (False,)).yes())
    state = learn(state, Question((1, 2), (False, False)).no())
    assert lists(free, state) == [[3, 4]]
    assert lists(free, state, frozenset({3})) == [[4]]


def test_items_come_back_when_an_answer_is_retracted() -> None:
    free = sorted_for(Probs(np.array([0.1, 0.2, 0.3])))
    state = learn(State.blank(3), Question((0, 1), (False, False)).yes())
    assert lists(free, state) == [[2]]
    assert lists(free, retract(state, 0)) == [[0, 1, 2]]


def test_priority_items_come_alone_until_none_of_them_is_free() -> None:
    first = np.array([False, True, True, False])
    free = sorted_for(Probs(np.array([0.1, 0.2, 0.3, 0.4])), priority=first)
    state = State.blank(4)
    assert lists(free, state) == [[1, 2]]
    assert lists(free, state, frozenset({1, 2})) == [[0, 3]]
    state = learn(state, Question((1, 2), (False, False)).yes())
    assert lists(free, state) == [[0, 3]]


def test_beside_priority_items_are_all_those_with_a_guess() -> None:
    first = np.array([False, True, False, False])
    free = sorted_for(Probs(np.array([0.1, 0.2, 0.9, 0.4])), priority=first, same_guess=True)
    (items,) = free.lists(State.blank(4), frozenset())
    everyone = free.beside(items, False)
    assert everyone is not None
    assert list(everyone.surest()) == [0, 1, 3]
    likewise = free.beside(items, True)
    assert likewise is not None
    assert list(likewise.surest()) == [2]
    assert free.beside(everyone, False) is None


def test_priority_is_constrained_once_open_clauses_hold_every_free_item_of_it() -> None:
    free = sorted_for(Probs(np.full(6, 0.1)), priority=np.arange(6) < 3)
    state = State.blank(6)
    assert not free.priority_is_constrained(state, NOBODY)
    state = learn(state, Question((0, 1), (False, False)).no())
    assert not free.priority_is_constrained(state, NOBODY)  # 2 is in no clause
    assert free.priority_is_constrained(state, frozenset({2}))
    assert not free.priority_is_constrained(state, frozenset({0, 1, 2}))  # none is free
    state = learn(state, Question((2,), (False,)).yes())
    assert free.priority_is_constrained(state, NOBODY)
    assert not sorted_for(Probs(np.full(6, 0.1))).priority_is_constrained(state, NOBODY)


def test_no_guess_is_ever_certain() -> None:
    free = sorted_for(Probs(np.array([0.0, 1.0, 5e-324])))
    assert [free.wrong_if(i, bool(free.guess[i])) for i in range(3)] == [SMALLEST_WRONG] * 3
    assert free.wrong_if(0, True) == 1.0 - SMALLEST_WRONG


def test_the_same_version_is_sorted_once() -> None:
    probs = Probs(np.array([0.1, 0.2]))
    free = sorted_for(probs)
    assert not free.renew(probs, None)
    assert free.renew(Probs(np.array([0.2, 0.1])), None)
    assert lists(free, State.blank(2)) == [[1, 0]]
