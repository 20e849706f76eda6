"""Rows of fresh items: their order, their kinds, and what is left out."""

from __future__ import annotations

import numpy as np

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn, retract
from askless.planners._fresh import SMALLEST_WRONG, Fresh

NOBODY: frozenset[int] = frozenset()


def rows(fresh: Fresh, state: State, leased: frozenset[int] = NOBODY) -> list[list[int]]:
    return [list(row.surest()) for row in fresh.rows(state, leased)]


def fresh_for(probs: Probs, *, same_guess: bool = False) -> Fresh:
    fresh = Fresh(same_guess=same_guess)
    assert fresh.renew(probs)
    return fresh


def test_the_surest_items_come_first_and_the_hardest_from_the_back() -> None:
    fresh = fresh_for(Probs(np.array([0.4, 0.01, 0.8, 0.95])))
    (row,) = fresh.rows(State.blank(4), NOBODY)
    assert list(row.surest()) == [1, 3, 2, 0]
    assert list(row.hardest()) == [0, 2, 3, 1]


def test_with_same_guess_each_guessed_label_has_a_row() -> None:
    fresh = fresh_for(Probs(np.array([0.4, 0.01, 0.8, 0.5])), same_guess=True)
    state = State.blank(4)
    assert [row.guess for row in fresh.rows(state, NOBODY)] == [True, False]
    assert rows(fresh, state) == [[2, 3], [1, 0]]


def test_a_row_without_items_is_left_out() -> None:
    fresh = fresh_for(Probs(np.array([0.4, 0.01])), same_guess=True)
    assert rows(fresh, State.blank(2)) == [[1, 0]]
    assert rows(fresh, State.blank(2), frozenset({0, 1})) == []


def test_settled_leased_and_refuted_items_are_not_fresh() -> None:
    fresh = fresh_for(Probs(np.array([0.1, 0.2, 0.3, 0.4, 0.45])))
    state = learn(State.blank(5), Question((0,), (False,)).yes())
    state = learn(state, Question((1, 2), (False, False)).no())
    assert rows(fresh, state) == [[3, 4]]
    assert rows(fresh, state, frozenset({3})) == [[4]]


def test_items_come_back_when_an_answer_is_retracted() -> None:
    fresh = fresh_for(Probs(np.array([0.1, 0.2, 0.3])))
    state = learn(State.blank(3), Question((0, 1), (False, False)).yes())
    assert rows(fresh, state) == [[2]]
    assert rows(fresh, retract(state, 0)) == [[0, 1, 2]]


def test_wished_items_come_alone_until_none_of_them_is_free() -> None:
    wish = np.array([False, True, True, False])
    fresh = fresh_for(Probs(np.array([0.1, 0.2, 0.3, 0.4]), first=wish))
    state = State.blank(4)
    assert rows(fresh, state) == [[1, 2]]
    assert rows(fresh, state, frozenset({1, 2})) == [[0, 3]]
    state = learn(state, Question((1, 2), (False, False)).yes())
    assert rows(fresh, state) == [[0, 3]]


def test_beside_wished_items_are_all_those_with_a_guess() -> None:
    wish = np.array([False, True, False, False])
    fresh = Fresh(same_guess=True)
    fresh.renew(Probs(np.array([0.1, 0.2, 0.9, 0.4]), first=wish))
    (row,) = fresh.rows(State.blank(4), frozenset())
    everyone = fresh.beside(row, False)
    assert everyone is not None
    assert list(everyone.surest()) == [0, 1, 3]
    likewise = fresh.beside(row, True)
    assert likewise is not None
    assert list(likewise.surest()) == [2]
    assert fresh.beside(everyone, False) is None


def test_wished_items_are_all_held_once_open_clauses_hold_every_free_one() -> None:
    fresh = fresh_for(Probs(np.full(6, 0.1), first=np.arange(6) < 3))
    state = State.blank(6)
    assert not fresh.all_held(state, NOBODY)
    state = learn(state, Question((0, 1), (False, False)).no())
    assert not fresh.all_held(state, NOBODY)  # 2 is fresh
    assert fresh.all_held(state, frozenset({2}))
    assert not fresh.all_held(state, frozenset({0, 1, 2}))  # none is free
    state = learn(state, Question((2,), (False,)).yes())
    assert fresh.all_held(state, NOBODY)
    assert not fresh_for(Probs(np.full(6, 0.1))).all_held(state, NOBODY)


def test_no_guess_is_ever_certain() -> None:
    fresh = fresh_for(Probs(np.array([0.0, 1.0, 5e-324])))
    assert [fresh.wrong_if(i, bool(fresh.guess[i])) for i in range(3)] == [SMALLEST_WRONG] * 3
    assert fresh.wrong_if(0, True) == 1.0 - SMALLEST_WRONG


def test_the_same_version_is_sorted_once() -> None:
    probs = Probs(np.array([0.1, 0.2]))
    fresh = fresh_for(probs)
    assert not fresh.renew(probs)
    assert fresh.renew(Probs(np.array([0.2, 0.1])))
    assert rows(fresh, State.blank(2)) == [[1, 0]]
