"""Situations that laws put planners and calibrators into.

Answers of a truthful annotator to overlapping groups with guesses of both signs, items set aside,
answers retracted, and probabilities of every awkward kind. Imported by the checks alone; tested
with the laws in tests/laws.
"""

from __future__ import annotations

import numpy as np

from askless.core.question import Answer, Question
from askless.core.state import State, learn, mark_unsure, retract

Rng = np.random.Generator


def draw_truth(rng: Rng, n: int) -> list[bool]:
    """Labels, few or most of them True."""
    return [bool(label) for label in rng.random(n) < rng.choice([0.02, 0.5, 0.9])]


def draw_values(rng: Rng, n: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Probabilities of every awkward kind: certain, tied, tiny, all equal, or ordinary."""
    kind = rng.integers(6)
    if kind == 0:
        return rng.choice([0.0, 1.0], n)
    if kind == 1:
        return np.full(n, rng.choice([0.0, 0.5, 1.0, 0.05]))
    if kind == 2:
        return rng.choice([0.0, 5e-324, 1e-300, 1e-9, 0.5, 1 - 1e-9, 1.0], n)
    if kind == 3:
        return rng.choice([0.1, 0.2, 0.8], n)
    return np.asarray(rng.beta(0.3, 0.3, n) if kind == 4 else rng.random(n))


def answer_truthfully(rng: Rng, question: Question, truth: list[bool], *, pointing: bool) -> Answer:
    """The answer of somebody who knows, and who points at wrong items now and then."""
    wrong = [i for i, g in zip(question.items, question.guess, strict=True) if truth[i] != g]
    if pointing and rng.random() < 0.3:
        return question.pointed(wrong, rest_right=True)
    if pointing and wrong and rng.random() < 0.3:
        return question.pointed(wrong[:1])
    return question.no() if wrong else question.yes()


def reached_state(rng: Rng, truth: list[bool]) -> State:
    """A state somebody else's questions may have led to."""
    n = len(truth)
    state = State.blank(n)
    usual = draw_truth(rng, n)
    for _ in range(int(rng.integers(0, 10))):
        items = tuple(rng.permutation(n)[: rng.integers(1, 6)].tolist())
        odd = rng.random() < 0.2
        guess = tuple(bool(rng.integers(2)) if odd else usual[i] for i in items)
        state = learn(state, answer_truthfully(rng, Question(items, guess), truth, pointing=True))
    return disturb(rng, state)


def disturb(rng: Rng, state: State) -> State:
    """The state after something other than an answer, sometimes."""
    if rng.random() < 0.2:
        state = mark_unsure(state, int(rng.integers(state.n)))
    if rng.random() < 0.3 and state.answers:
        state = retract(state, int(rng.choice(list(state.answers))))
    return state
