"""Drawn items, audits that look like questions, and what a question says by itself."""

from __future__ import annotations

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.planners import make_planner
from askless.session.session import SessionOptions
from tests.session.making import ask, audited, make_session, truthful

N = 40
TRUTH = [bool(i % 3) for i in range(N)]


def test_the_test_sample_comes_first_and_alone_and_are_a_seeded_sample() -> None:
    session, store, _ = make_session(N, options=SessionOptions(test_sample=7, seed=5))
    order = []
    for k in range(12):
        asked = ask(session)
        assert asked.in_test_sample == (k < 7)
        if asked.in_test_sample:
            assert len(asked.question) == 1
            order.append(asked.question.items[0])
        session.tell(asked.id, truthful(asked.question, TRUTH), f"k{k}")
    assert order == np.random.default_rng(5).permutation(N)[:7].tolist()
    sampled = {entry.item for entry in session.labels() if entry.in_test_sample}
    assert sampled == set(order)
    again, _, _ = make_session(N, store=store)
    assert again.history.test_sample == set(order)


def test_two_people_draw_different_items_and_go_on_when_the_rest_is_taken() -> None:
    session, _, clock = make_session(N, options=SessionOptions(test_sample=2))
    first, second = ask(session, "ann"), ask(session, "bob")
    assert first.in_test_sample
    assert second.in_test_sample
    assert first.question != second.question
    third = ask(session, "carl")
    assert not third.in_test_sample
    clock.now += 601
    session.tell(third.id, third.question.no(), "k", "carl")
    assert ask(session, "carl").question == first.question  # abandoned, so asked again


def test_questions_planned_ahead_are_of_the_test_sample_too() -> None:
    session, _, _ = make_session(N, options=SessionOptions(test_sample=3))
    for k in range(3):
        asked = ask(session)
        assert asked.in_test_sample
        ahead = session.queue.plan_ahead(asked.id)
        assert len(ahead) == 2
        session.tell(asked.id, truthful(asked.question, TRUTH), str(k))
        assert ask(session).question in ahead.values()
    assert not ask(session).in_test_sample


def test_items_that_are_asked_alone_are_not_audited() -> None:
    planner = make_planner("one-by-one")
    session, _, _ = make_session(N, planner=planner, options=SessionOptions(audit_every=5))
    while not session.state.done:
        asked = ask(session)
        session.tell(asked.id, truthful(asked.question, TRUTH), f"k{asked.id}")
    assert not list(audited(session))


def test_an_audit_can_be_planned_ahead_and_has_something_planted_now_and_then() -> None:
    session, _, _ = make_session(N, options=SessionOptions(audit_every=2, seed=2))
    planned = 0
    while not session.state.done:
        asked = ask(session)
        ahead = session.queue.plan_ahead(asked.id)
        session.tell(asked.id, truthful(asked.question, TRUTH), f"k{asked.id}")
        following = session.ask("ann")
        if following is not None and following.question.purpose == "audit":
            planned += following.question in ahead.values()
    assert planned > 2
    assert {bool(asked.planted) for asked in audited(session)} == {False, True}
    assert session.progress().agreement.hits == session.progress().agreement.trials


def test_pointing_at_a_right_item_in_an_audit_is_no_agreement() -> None:
    session, _, _ = make_session(N, options=SessionOptions(audit_every=2, seed=2))
    planted = 0
    while (asked := session.ask("ann")) is not None:
        answer = truthful(asked.question, TRUTH)
        right = next((item for item in asked.question.items if item not in asked.planted), None)
        if asked.question.purpose == "audit" and asked.planted and right is not None:
            planted += 1
            answer = asked.question.pointed([right], rest_right=True)
        session.tell(asked.id, answer, f"k{asked.id}")
    agreement = session.progress().agreement
    assert planted > 0
    assert agreement.hits == agreement.trials - planted


def test_options_are_checked_at_the_door() -> None:
    with pytest.raises(InvalidInput, match="test_sample is a whole number"):
        SessionOptions(test_sample=-1)
    with pytest.raises(InvalidInput, match="lease"):
        SessionOptions(lease_s=0)
