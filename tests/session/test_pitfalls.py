"""What would make a certificate false without anybody noticing: each of twelve has its test.

 1  a draw avoids nothing: test_certifying (leased items), here (items in clauses)
 2  pending checks, parts, skips, cannot tell: test_certifying, test_claims
 3  m and F are those at the draw: core/test_claim (by enumeration), test_claims (by a recount)
 4  deductions leave, and no outcome counts twice: test_claims
 5  retracting, correcting, reopening, a new definition, new items: test_standing, test_claims
 6  exact duplicates: test_certificate
 7  prior and alpha are fixed at the freeze: test_claims, here
 8  nothing but a draw is a check: here
 9  a bound never rises by itself: core/test_claim, test_standing
10  floating point: core/test_claim (a million items)
11  two windows: test_certifying, experiments/certificates (through the real session)
12  an unlucky no settles a batch, not thousands: here
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from askless.certificates.enough import PromisePolicy
from askless.certificates.policy import Check, CheckUntilEnough, Decision, Freeze, Learn, Settle
from askless.certificates.standing import Checks, Standing
from askless.core.event import Event
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import Question
from askless.core.state import State, learn
from askless.errors import Damaged
from askless.history.claims import alpha_of
from askless.history.history import History
from askless.planners import make_planner
from askless.session.options import SessionOptions
from askless.session.session import Session
from tests.session.checking import SEED, Checked, recount
from tests.session.making import HandClock
from tests.stores.memory_store import MemoryStore

TWO = Promise("count", 2)


def test_items_in_open_clauses_are_drawn_as_often_as_all_others() -> None:
    """Over many seeds, since one draw says nothing: 10 of 40 items are in a clause."""
    drawn = np.zeros(40, int)
    for seed in range(400):
        checked = Checked(n=40, size=4, promise=TWO, freeze=False)
        refuted = Question(tuple(range(10)), tuple(map(bool, checked.guess[:10])))
        checked.session.tell(None, refuted.no(), "no", "ann")
        checked.freeze(seed=f"{seed:032x}")
        asked = checked.check()
        drawn[list(asked.question.items)] += 1
    share = drawn[:10].sum() / drawn.sum()
    assert share == pytest.approx(0.25, abs=4 * np.sqrt(0.25 * 0.75 / 1600))


def test_the_no_of_a_draw_that_holds_a_clause_already_counts_once_each() -> None:
    checked = Checked(n=12, wrong=[0], size=12, promise=TWO)
    checked.answer()
    assert checked.look().counted == ((12, 0, 12, "no", 0),)
    checked.session.use(policy=CheckUntilEnough(TWO, 3))
    checked.answer(2)
    assert list(checked.look().counted) == recount(checked.session, checked.store.read())
    assert checked.look().counted[0] == (12, 0, 12, "no", 0)


def _events_with(checked: Checked, kind: str, **fields: Any) -> list[Event]:
    """The events, the last one of that kind with other fields."""
    events = list(checked.store.read())
    at = max(event.number for event in events if event.kind == kind)
    payload = {**events[at].payload, **fields}
    events[at] = Event(events[at].kind, events[at].annotator, payload, number=at)
    return events


def test_freezing_again_pays_with_alpha_and_no_event_can_take_the_first_share_twice() -> None:
    checked = Checked(n=40, promise=TWO)
    checked.answer(2)
    checked.freeze()
    assert checked.claim().alpha == pytest.approx(alpha_of(TWO, 1))
    assert checked.look().counted == ()  # what was checked before says nothing about these guesses
    with pytest.raises(Damaged, match=r"Claim 2 of a session gets 0\.008"):
        History.of(40, _events_with(checked, "claimed", alpha=alpha_of(TWO, 0)))


def test_a_claim_given_up_does_not_give_its_share_back() -> None:
    checked = Checked(n=40, promise=TWO)
    for number in range(1, 4):
        checked.session.define(f"Definition {number}.")
        checked.freeze()
    assert checked.session.history.claims.made == 4
    spent = sum(alpha_of(TWO, number) for number in range(4))
    assert checked.session.history.claims.spent == pytest.approx(spent)
    assert spent < TWO.alpha


def test_the_prior_is_that_of_the_freeze_whatever_is_believed_later() -> None:
    checked = Checked(n=60, promise=TWO)
    checked.answer(3)
    before = checked.standing()
    checked.session.use(planner=make_planner("nested", max_n=4))
    checked.guess[:] = ~checked.guess  # what is believed at the next opening
    checked.open()
    assert checked.standing() == before
    forged = History.of(60, _events_with(checked, "claimed", expected=[50.0]))
    claim = forged.claims.current
    assert claim is not None
    other = claim.evidence(claim.look(forged.state)).log_mean
    assert other < checked.claim().evidence(checked.look()).log_mean  # it is the prior that differs


def test_nothing_but_a_draw_counts_as_a_check() -> None:
    """The test sample is random too, but its labels taught the predictor."""
    truth = np.arange(30) % 2 == 0
    session = Session(
        MemoryStore(), {"n": 30}, make_planner("nested", max_n=4),
        Probs(np.where(truth, 0.9, 0.1)), HandClock(), options=SessionOptions(test_sample=6),
        policy=CheckUntilEnough(TWO, 3),
    )  # fmt: skip
    session.freeze(TWO, Freeze(truth, (1.0,), seed=SEED))
    for turn in range(9):
        asked = session.ask("ann")
        assert asked is not None
        right = all(truth[list(asked.question.items)] == asked.question.guess)
        answer = asked.question.yes() if right else asked.question.no()
        session.tell(asked.id, answer, f"k{turn}")
        assert asked.in_test_sample is (turn < 6)
    session.tell(None, Question((28, 29), (True, False)).yes(), "ordinary", "ann")
    claim = session.history.claims.current
    assert claim is not None
    look = claim.look(session.state)
    assert len(look.counted) == len(claim.draws) == 3
    assert look.counted[0][:2] == (24, 0)  # six had left, by the test sample


def test_an_unlucky_no_settles_nothing_and_several_a_batch_with_three_checks_in_between() -> None:
    """Of 6000 items a greedy policy once settled 5223 after one no."""
    policy = PromisePolicy(Promise("all", 0.01), max_n=8, same_guess=False)
    values = np.full(6000, 0.004)
    state = learn(State.blank(6000), Question(tuple(range(400)), (False,) * 400).yes(), 0)

    def decide(yes: int, no: int) -> Decision:
        said = Standing(
            "checking", policy.promise, 3, 9, 1e-6, 6000, 400, 5600, allowed=60,
            checks=Checks(yes + no, yes, no, 0, 8 * (yes + no)),
            at_most=5600, guesses=np.zeros(6000, bool),
        )  # fmt: skip
        return policy.decide(Probs(values), state, said)

    assert isinstance(decide(0, 0), Check)
    assert isinstance(decide(0, 1), Check)
    settled_at, yes, no = [], 2, 1
    for _ in range(40):
        decision = decide(yes, no)
        if isinstance(decision, Settle | Learn):
            settled_at.append(yes + no)
            assert decision.until <= 400 + 0.05 * 5600
        no += 1
    assert all(later - sooner >= 3 for sooner, later in itertools.pairwise(settled_at))
    assert settled_at
