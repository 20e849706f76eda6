from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.growing import grow
from askless.core.question import Answer, Question
from askless.core.state import State, learn, mark_unsure, replay, retract
from askless.errors import Contradiction, InvalidInput

N = 5


@st.composite
def answers(draw: st.DrawFn, n: int) -> list[Answer]:
    found = []
    for _ in range(draw(st.integers(0, 5))):
        items = tuple(draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=3)))
        question = Question(items, tuple(draw(st.booleans()) for _ in items))
        found.append(question.yes() if draw(st.booleans()) else question.no())
    return found


@given(answers(N), answers(N + 3), st.sets(st.integers(0, N - 1), max_size=2))
def test_a_state_that_grew_is_that_of_a_replay_with_more_items(
    before: list[Answer], after: list[Answer], unsure: set[int]
) -> None:
    try:
        expected = replay(N + 3, before + after, unsure)
        state = replay(N, before, unsure)
    except Contradiction:
        return
    grown = grow(state, 3)
    assert grown == replay(N + 3, before, unsure)
    for answer in after:
        grown = learn(grown, answer)
    assert grown == expected
    assert (grown.n, state.n) == (N + 3, N)
    assert state == replay(N, before, unsure)
    for number in range(len(before)):
        grown = retract(grown, number)
    assert grown == replay(
        N + 3, {len(before) + at: answer for at, answer in enumerate(after)}, unsure
    )


def test_growing_by_nothing_changes_nothing() -> None:
    state = mark_unsure(State.blank(2), 1)
    assert grow(state, 0) is state
    assert np.array_equal(grow(state, 1).labels(), [-1, -2, -1])
    with pytest.raises(InvalidInput, match="0 items or more"):
        grow(state, -1)
