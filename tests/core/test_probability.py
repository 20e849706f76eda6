"""Chances and entropies of a state against enumeration of all labellings."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from askless.core import probability
from askless.core.clause import Clause, components
from askless.core.entropy import independent_entropy_bits
from askless.core.probability import Probs, chance, weigh
from askless.core.question import Question
from askless.core.state import State, learn, mark_unsure
from askless.errors import InvalidInput
from tests.core.entropies import log_size_bits, refuted_entropy_bits, state_entropy_bits

N = 6


@st.composite
def tied_states(draw: st.DrawFn) -> tuple[list[float], State]:
    """Probs and a state of six items, some settled, some tied by overlapping clauses."""
    probs = [draw(st.floats(0.01, 0.99)) for _ in range(N)]
    truth = [draw(st.booleans()) for _ in range(N)]
    state = State.blank(N)
    for _ in range(draw(st.integers(0, 5))):
        items = tuple(draw(st.permutations(range(N)))[: draw(st.integers(1, 4))])
        guess = tuple(draw(st.booleans()) for _ in items)
        right = all(truth[i] == g for i, g in zip(items, guess, strict=True))
        question = Question(items, guess)
        state = learn(state, question.yes() if right else question.no())
    if draw(st.booleans()):
        state = mark_unsure(state, draw(st.integers(0, N - 1)))
    return probs, state


def worlds(probs: list[float], state: State) -> dict[tuple[bool, ...], float]:
    """Every labelling of the open items that is still possible, with its probability."""
    opened = state.open_items().tolist()
    found = {}
    for labels in itertools.product((False, True), repeat=len(opened)):
        label = dict(zip(opened, labels, strict=True))
        if all(any(label[i] != g for i, g in clause.literals) for clause in state.clauses):
            found[labels] = math.prod(probs[i] if label[i] else 1 - probs[i] for i in opened)
    total = sum(found.values())
    return {labels: mass / total for labels, mass in found.items()}


@given(tied_states(), st.data())
def test_chance_of_a_guess_is_that_of_enumeration(
    tied: tuple[list[float], State], data: st.DataObject
) -> None:
    probs, state = tied
    opened = state.open_items().tolist()
    assume(opened)
    items = data.draw(st.lists(st.sampled_from(opened), min_size=1, unique=True))
    guess = [data.draw(st.booleans()) for _ in items]
    at = {item: k for k, item in enumerate(opened)}
    expected = sum(
        mass
        for labels, mass in worlds(probs, state).items()
        if all(labels[at[i]] == g for i, g in zip(items, guess, strict=True))
    )
    assert chance(probs, items, guess, state.clauses) == pytest.approx(expected, abs=1e-12)


@given(tied_states())
def test_entropy_and_log_size_of_a_state_are_those_of_enumeration(
    tied: tuple[list[float], State],
) -> None:
    probs, state = tied
    masses = list(worlds(probs, state).values())
    entropy = -sum(mass * math.log2(mass) for mass in masses if mass > 0)
    assert state_entropy_bits(probs, state) == pytest.approx(entropy, abs=1e-9)
    assert log_size_bits(state) == pytest.approx(math.log2(len(masses)), abs=1e-9)


@given(st.lists(st.floats(0.01, 0.99), min_size=2, max_size=7))
def test_closed_forms_hold_for_one_refuted_guess(probs: list[float]) -> None:
    n = len(probs)
    guess = tuple(p >= 0.5 for p in probs)
    state = learn(State.blank(n), Question(tuple(range(n)), guess).no())
    right = math.prod(max(p, 1 - p) for p in probs)
    closed = refuted_entropy_bits(independent_entropy_bits(probs), right)
    assert state_entropy_bits(probs, state) == pytest.approx(closed, abs=1e-9)
    assert log_size_bits(state) == pytest.approx(math.log2(2**n - 1), abs=1e-9)
    # the paper's "don't give up": the same guess without its last item
    fewer = math.prod(max(p, 1 - p) for p in probs[:-1])
    dropped = max(probs[-1], 1 - probs[-1])
    assert chance(probs, range(n - 1), guess[:-1], state.clauses) == pytest.approx(
        fewer * (1 - dropped) / (1 - right), abs=1e-12
    )


def test_a_guess_that_contains_a_refuted_one_has_no_chance() -> None:
    state = learn(State.blank(3), Question((0, 1), (True, True)).no())
    assert chance([0.9] * 3, (0, 1, 2), (True,) * 3, state.clauses) == 0.0


def test_answers_that_the_probs_called_impossible_leave_a_chance_to_the_rest() -> None:
    state = learn(State.blank(2), Question((0, 1), (True, True)).no())
    assert chance([1.0, 1.0], (0,), (True,), state.clauses) == 1.0


def test_nested_clauses_stay_exact_however_many_items_they_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(probability, "_independently")  # what would be used beyond the limit
    clauses = [Clause(tuple(range(k, k + 60)), (True,) * 60, k) for k in range(8)]
    found = weigh(np.full(100, 0.97), clauses)
    assert 0 < found.chance < 1


def test_beyond_the_limit_clauses_count_as_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = list(itertools.combinations(range(7), 2))
    clauses = [Clause(pair, (True, True), k) for k, pair in enumerate(pairs)]
    probs = np.full(7, 0.4)
    exact = weigh(probs, clauses)
    monkeypatch.setattr(probability, "EXACT_SETS", 4)
    rough = weigh(probs, clauses)
    assert rough.chance == pytest.approx((1 - 0.16) ** len(pairs))
    assert rough.chance <= exact.chance
    assert 0 <= chance(probs, (0,), (True,), clauses) <= 1


def test_components_share_no_item() -> None:
    clauses = [
        Clause((0, 1), (True, True), 0),
        Clause((2, 3), (True, True), 1),
        Clause((1, 4), (True, True), 2),
    ]
    groups = [[clause.answer for clause in group] for group in components(clauses)]
    assert groups == [[0, 2], [1]]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([[0.5]], "shape"),
        ([0.5, np.nan], "got nan for item 1"),
        ([1.5], "got 1.5 for item 0"),
    ],
)
def test_probs_that_are_no_probabilities_are_refused(values: list[float], sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        Probs(np.array(values))


def test_probs_are_a_copy_that_cannot_change() -> None:
    values = np.array([0.1, 0.2])
    probs = Probs(values)
    values[0] = 0.9
    assert probs.values[0] == 0.1
    assert not probs.values.flags.writeable
    assert Probs(values).version != probs.version
