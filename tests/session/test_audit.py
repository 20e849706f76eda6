"""Audits look like questions, and what is planted in them can be taken for the rest."""

from __future__ import annotations

import numpy as np

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.session.audit import choose_audit

N = 80
PROBS = Probs(np.linspace(0.01, 0.99, N))


def labelled() -> State:
    """The first half False, the second True."""
    state = learn(State.blank(N), Question(tuple(range(N // 2)), (False,) * (N // 2)).yes())
    return learn(state, Question(tuple(range(N // 2, N)), (True,) * (N // 2)).yes())


def audits(planted_so_far: int) -> list[Question]:
    rng = np.random.default_rng(0)
    found = [
        choose_audit(labelled(), PROBS, rng, 6, planted_so_far=planted_so_far) for _ in range(400)
    ]
    return [one for one in found if one is not None]


def planted_in(question: Question) -> list[int]:
    pairs = zip(question.items, question.guess, strict=True)
    return [item for item, guess in pairs if (item >= N // 2) is not guess]


def test_what_is_planted_is_the_likest_to_the_other_label() -> None:
    planted = {item for one in audits(10) for item in planted_in(one)}
    assert planted == set(range(30, 50))  # a quarter of each label, the one next to the other


def test_more_is_planted_while_little_is_known() -> None:
    many = [len(planted_in(one)) for one in audits(0)]
    half = [len(planted_in(one)) for one in audits(10)]
    assert set(many) == set(half) == {0, 1}
    assert sum(many) > 1.1 * sum(half)


def test_with_few_settled_items_there_is_no_audit() -> None:
    state = learn(State.blank(N), Question((0, 1, 2), (False,) * 3).yes())
    rng = np.random.default_rng(0)
    assert all(choose_audit(state, PROBS, rng, 2) is None for _ in range(20))


def test_items_that_others_look_at_are_not_shown() -> None:
    rng, leased = np.random.default_rng(0), frozenset(range(20, 60))
    for _ in range(50):
        found = choose_audit(labelled(), PROBS, rng, 6, leased)
        assert found is not None
        assert leased.isdisjoint(found.items)
