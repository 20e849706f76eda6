"""What each promise will cost, before one begins and as it learns."""

from __future__ import annotations

import numpy as np

from askless.certificates.enough import PromisePolicy
from askless.certificates.promise_cost import OFFERED, project
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import Question
from askless.core.state import State, learn

POLICY = PromisePolicy(Promise(), max_n=8)


def labelled(n: int, known: int) -> State:
    return learn(State.blank(n), Question(tuple(range(known)), (False,) * known).yes(), 0)


def test_before_anything_is_known_what_is_typical_is_said_and_called_so() -> None:
    found = project(POLICY, Probs(np.full(6000, 0.5)), State.blank(6000))
    assert [each.promise for each in found] == list(OFFERED)
    assert all(each.typical for each in found)
    costs = [each.questions for each in found]
    assert costs == sorted(costs)
    assert all(0 < each.questions <= each.full_questions for each in found)
    assert all(0 < each.seconds <= each.full_seconds for each in found)
    assert found[0].worthwhile


def test_sure_guesses_make_promises_cheap() -> None:
    found = project(POLICY, Probs(np.full(6000, 0.001)), labelled(6000, 600))
    assert not found[0].typical
    assert all(each.worthwhile for each in found)
    assert found[0].questions < 30


def test_where_nothing_is_to_be_gained_it_is_said_and_everything_is_labelled() -> None:
    rng = np.random.default_rng(0)
    values = 0.3 + 0.1 * rng.random(1000)
    policy = PromisePolicy(Promise(), max_n=8)
    policy.record.curve = [(known / 10, -1.0) for known in range(50, 60)]  # it does not learn
    (each,) = project(policy, Probs(values), labelled(1000, 400), [Promise("all", 0.005)])
    assert not each.worthwhile
    assert (each.questions, each.seconds) == (each.full_questions, each.full_seconds)


def test_nothing_is_left_to_pay_when_everything_is_labelled() -> None:
    (each,) = project(POLICY, Probs(np.full(20, 0.5)), labelled(20, 20), [Promise("all", 0.1)])
    assert (each.questions, each.full_questions) == (0, 0)
