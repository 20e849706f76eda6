"""Suspects: what a refuted guess says about each of its items."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from askless.core.clause import Clause
from askless.core.probability import chance
from askless.predictors._suspects import MOST, suspects


@given(st.lists(st.floats(0.05, 0.95), min_size=2, max_size=6))
def test_floors_give_the_exact_chance_of_being_wrong(probs: list[float]) -> None:
    values = np.array(probs)
    clause = Clause(tuple(range(len(probs))), tuple(p > 0.5 for p in probs), 0)
    found = suspects(values, [clause])
    for item, floor in zip(found.items, found.floors, strict=True):
        right = values[item] if clause.guess[item] else 1 - values[item]
        wrong_now = (1 - right) / (1 - right + right * floor)
        guess = [clause.guess[item]]
        assert np.isclose(1 - chance(values, [int(item)], guess, [clause]), wrong_now)


def test_suspects_lean_against_their_guess() -> None:
    found = suspects(np.array([0.9, 0.2, 0.999]), [Clause((0, 1, 2), (True, False, True), 0)])
    assert dict(zip(found.items.tolist(), found.signs.tolist(), strict=True)) == {0: -1.0, 1: 1.0}
    assert found.items.tolist() == [1, 0]


def test_long_clause_of_even_chances_suspects_nobody_in_particular() -> None:
    found = suspects(np.full(200, 0.5), [Clause(tuple(range(200)), (True,) * 200, 0)])
    assert len(found.items) == 0


def test_no_more_are_leant_on_than_is_quick() -> None:
    pairs = [Clause((2 * at, 2 * at + 1), (True, True), at) for at in range(50)]
    assert len(suspects(np.full(100, 0.9), pairs).items) == MOST
