"""Clauses within reach, tied together, and the guesses they hold."""

from __future__ import annotations

from askless.core.clause import Clause
from askless.core.question import Question
from askless.core.state import State, learn
from askless.planners._refuted import held_guesses, tied, within_reach


def state_after(*refuted: dict[int, bool], n: int = 12) -> State:
    state = State.blank(n)
    for guess in refuted:
        state = learn(state, Question(tuple(guess), tuple(guess.values())).no())
    return state


def all_true(*items: int) -> dict[int, bool]:
    return dict.fromkeys(items, True)


def test_a_clause_is_out_of_reach_when_all_its_items_are_leased() -> None:
    state = state_after(all_true(0, 1), all_true(2, 3))
    assert [c.items for c in within_reach(state, frozenset())] == [(0, 1), (2, 3)]
    assert [c.items for c in within_reach(state, {0, 1, 2})] == [(2, 3)]
    assert within_reach(state, {0, 1, 2, 3}) == ()


def test_with_a_guess_only_free_items_of_that_guess_bring_a_clause_within_reach() -> None:
    state = state_after({0: True, 1: False}, {2: False, 3: False})
    assert [c.items for c in within_reach(state, frozenset(), lambda _, guess: guess)] == [(0, 1)]
    assert [c.items for c in within_reach(state, {1}, lambda _, guess: not guess)] == [(2, 3)]


def test_clauses_are_tied_through_chains_of_shared_items() -> None:
    state = state_after(all_true(0, 1), all_true(5, 6), all_true(1, 2), all_true(2, 3))
    first, apart, *_ = state.clauses
    assert [c.answer for c in tied(first, state)] == [0, 2, 3]
    assert tied(apart, state) == (apart,)


def test_clauses_hold_a_guess_for_each_of_their_items() -> None:
    clauses = [Clause((0, 1), (True, False), 0), Clause((1, 2), (False, True), 1)]
    assert held_guesses(clauses) == ({0: True, 1: False, 2: True}, True)


def test_where_clauses_disagree_the_oldest_counts() -> None:
    clauses = [Clause((1, 2), (True, True), 7), Clause((0, 1), (True, False), 3)]
    assert held_guesses(clauses) == ({0: True, 1: False, 2: True}, False)
