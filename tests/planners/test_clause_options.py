"""The chances of what can be asked about clauses, against the exact ones of the core."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.probability import chance
from askless.core.question import Question
from askless.core.state import State, learn
from askless.planners._clause_options import ClausePrefix, clause_prefixes
from askless.planners._refuted import held_guesses, tied

N = 9


def prefixes_of(
    probs: list[float],
    state: State,
    leased: frozenset[int] = frozenset(),
    most: int = 8,
    *,
    same_guess: bool = False,
) -> list[ClausePrefix]:
    clauses = tied(state.clauses[0], state)
    held, _ = held_guesses(clauses)
    return clause_prefixes(
        clauses,
        held,
        lambda item, guess: 1.0 - probs[item] if guess else probs[item],
        leased,
        most,
        (lambda item, guess: guess) if same_guess else None,
    )


@st.composite
def situations(draw: st.DrawFn) -> tuple[list[float], State]:
    """Probabilities and a state with up to four open clauses that agree on their guesses."""
    probs = draw(st.lists(st.floats(0.01, 0.99), min_size=N, max_size=N))
    usual = draw(st.lists(st.booleans(), min_size=N, max_size=N))
    state = State.blank(N)
    for _ in range(draw(st.integers(1, 4))):
        items = draw(st.sets(st.integers(0, N - 1), min_size=2, max_size=6))
        question = Question(tuple(items), tuple(usual[i] for i in items))
        state = learn(state, question.no())
    return probs, state


@settings(max_examples=80, deadline=None)
@given(situations())
def test_chances_given_the_clauses_are_exact(situation: tuple[list[float], State]) -> None:
    probs, state = situation
    for prefix in prefixes_of(probs, state):
        for size, log_right, _, most_suspect in prefix.table.T:
            k = int(size)
            exact = chance(probs, prefix.items[:k], prefix.guess[:k], state.clauses)
            assert np.exp(log_right) == pytest.approx(exact, rel=1e-9)
            alone = [
                1.0 - chance(probs, [item], [guess], state.clauses)
                for item, guess in zip(prefix.items[:k], prefix.guess[:k], strict=True)
            ]
            assert most_suspect == pytest.approx(max(alone), rel=1e-9)


@settings(max_examples=80, deadline=None)
@given(situations(), st.booleans())
def test_nothing_that_can_be_asked_is_decided_and_yes_solves_as_many_as_it_says(
    situation: tuple[list[float], State], same_guess: bool
) -> None:
    probs, state = situation
    for prefix in prefixes_of(probs, state, same_guess=same_guess):
        assert not same_guess or len(set(prefix.guess)) == 1
        for size, _, solved, _ in prefix.table.T:
            k = int(size)
            question = Question(prefix.items[:k], prefix.guess[:k])
            learn(state, question.no())
            after = learn(state, question.yes())
            lone = {c.items for c in state.clauses if len(set(c.items) - set(question.items)) == 1}
            assert solved == len(lone)
            assert after.n_open <= state.n_open - k - (1 if lone else 0)


def test_leased_items_are_left_out_but_still_suspected() -> None:
    state = learn(State.blank(4), Question((0, 1, 2), (True, True, True)).no())
    probs = [0.9, 0.8, 0.7, 0.5]
    (prefix,) = prefixes_of(probs, state, frozenset({0}))
    assert prefix.items == (1, 2)
    exact = chance(probs, [1], [True], state.clauses)
    assert np.exp(prefix.table[1, 0]) == pytest.approx(exact)


def test_the_options_respects_the_cap() -> None:
    state = learn(State.blank(6), Question(tuple(range(6)), (True,) * 6).no())
    assert [len(prefix.items) for prefix in prefixes_of([0.9] * 6, state, most=3)] == [3]
    assert [len(prefix.items) for prefix in prefixes_of([0.9] * 6, state)] == [5]


def test_of_very_many_tied_clauses_one_is_taken_for_all() -> None:
    state = State.blank(8)
    for pair in itertools.combinations(range(4), 2):
        state = learn(state, Question((*pair, *range(4, 8)), (True,) * 6).no())
    state = learn(state, Question((0, 1, 2, 3), (True,) * 4).no())
    (prefix,) = prefixes_of([0.9] * 8, state)
    assert prefix.items == state.clauses[0].items[:-1]
