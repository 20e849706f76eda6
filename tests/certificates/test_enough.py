"""The policy for a promise: it ends, keeps what it says, and is not dearer than everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.assemble import Method, open_session
from askless.certificates.enough import PromisePolicy
from askless.certificates.policy import Check, Enough, Freeze, Learn, Settle
from askless.certificates.standing import Checks, Standing
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.lab.simulate import Run, simulate
from askless.lab.truthful import TruthfulAnnotator
from tests.session.checking import Checked


def pool(n: int, seed: int, *, ratio: float = 1.0, spread: float = 0.1) -> tuple[Probs, Any]:
    """Probabilities that undercount their errors so many times, and labels."""
    rng = np.random.default_rng(seed)
    wrong = np.minimum(rng.beta(spread, 3, n), 0.5)
    guess = rng.random(n) < 0.3
    labels = guess ^ (rng.random(n) < np.minimum(ratio * wrong, 0.5))
    return Probs(np.clip(np.where(guess, 1 - wrong, wrong), 1e-4, 1 - 1e-4)), labels


def run(probs: Probs, labels: Any, promise: str | None, **more: Any) -> tuple[Run, Standing | None]:
    method = Method(promise=None if promise is None else Promise.parse(promise), **more)
    with open_session(probs, method) as opened:
        opened.fix_draws(method.seed)
        annotator = TruthfulAnnotator(labels, pointing=method.channel == "pointed")
        done = simulate(opened.session, labels, annotator=annotator)
        standing = opened.session.standing()
        claim = opened.session.history.claims.current
        if standing is not None and claim is not None and standing.accepted:
            assert not opened.session.state.done
    return done, standing


@pytest.mark.parametrize("channel", ["yes-no", "pointed"])
@pytest.mark.parametrize("objective", ["questions", "seconds"])
@pytest.mark.parametrize("promise", ["5%", "accepted:5%", "count:30", "recall:90%"])
def test_every_promise_is_kept_in_every_way_of_answering(
    promise: str, objective: str, channel: str
) -> None:
    probs, labels = pool(300, 1)
    _, standing = run(probs, labels, promise, objective=objective, channel=channel)
    assert standing is not None
    assert standing.enough


@pytest.mark.parametrize("max_n", [1, 8, 24, None])
@pytest.mark.parametrize("same_guess", [True, False])
def test_a_promise_that_is_easily_kept_costs_far_less_than_every_label(
    max_n: int | None, same_guess: bool
) -> None:
    probs, labels = pool(1200, 2, spread=0.02)
    full, _ = run(probs, labels, None, max_n=max_n, same_guess=same_guess)
    done, standing = run(probs, labels, "5%", max_n=max_n, same_guess=same_guess)
    assert standing is not None
    assert standing.enough
    assert standing.accepted > 500
    assert done.questions < 0.75 * full.questions


@settings(max_examples=6, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    ratio=st.sampled_from([0.5, 1.0, 3.0]),
    spread=st.sampled_from([0.05, 0.3, 1.0]),
    promise=st.sampled_from(["10%", "2%", "0.5%"]),
    channel=st.sampled_from(["yes-no", "pointed"]),
)
def test_it_ends_and_is_never_much_dearer_than_every_label(
    seed: int, ratio: float, spread: float, promise: str, channel: str
) -> None:
    probs, labels = pool(300, seed, ratio=ratio, spread=spread)
    more: dict[str, Any] = {"channel": channel, "seed": seed % 7}
    full, _ = run(probs, labels, None, **more)
    done, standing = run(probs, labels, promise, **more)
    assert standing is not None
    assert standing.enough
    assert done.questions <= 1.25 * full.questions + 12


def test_the_same_seed_decides_the_same() -> None:
    probs, labels = pool(400, 3)
    one, again = (run(probs, labels, "3%", seed=4)[0] for _ in range(2))
    assert one.trace == again.trace


def standing(**more: Any) -> Standing:
    values: dict[str, Any] = {
        "phase": "learning", "promise": Promise("all", 0.05), "claim": None, "claims": 0,
        "alpha": 0.04, "items": 1000, "settled": 200,
    }  # fmt: skip
    values["at_most"] = more.get("accepted")
    return Standing(**{**values, **more})


def state_of(n: int, settled: int) -> Any:
    from askless.core.question import Question
    from askless.core.state import State, learn

    state = State.blank(n)
    question = Question(tuple(range(settled)), (False,) * settled)
    return learn(state, question.yes(), 0)


def test_enough_is_decided_where_the_promise_holds_and_nowhere_else() -> None:
    policy = PromisePolicy(Promise("all", 0.05))
    probs, state = Probs(np.full(1000, 0.001)), state_of(1000, 200)
    assert isinstance(policy.decide(probs, state, standing(phase="enough")), Enough)
    assert not isinstance(policy.decide(probs, state, standing()), Enough)


def test_sure_guesses_are_frozen_and_then_checked() -> None:
    policy = PromisePolicy(Promise("all", 0.05), same_guess=False)
    probs, state = Probs(np.full(1000, 0.001)), state_of(1000, 200)
    frozen = policy.decide(probs, state, standing())
    assert isinstance(frozen, Freeze)
    assert not frozen.guesses.any()
    claimed = standing(
        phase="checking", claim=3, claims=1, accepted=800, allowed=50, guesses=frozen.guesses
    )
    checked = policy.decide(probs, state, claimed)
    assert isinstance(checked, Check)
    assert 8 <= checked.size <= 24


def test_nothing_is_frozen_before_a_few_items_were_labelled_at_random() -> None:
    policy = PromisePolicy(Promise("all", 0.05))
    decided = policy.decide(Probs(np.full(1000, 0.001)), state_of(1000, 10), standing(settled=10))
    assert isinstance(decided, Learn)
    assert decided.priority is not None


def test_doubtful_items_are_settled_before_the_freeze_where_that_is_cheaper() -> None:
    policy = PromisePolicy(Promise("all", 0.02), max_n=8)
    policy.record.curve = [(float(np.log(x)), -2.0) for x in range(100, 200, 10)]
    values = np.full(1000, 0.001)
    values[900:] = 0.45
    decided = policy.decide(Probs(values), state_of(1000, 200), standing())
    assert isinstance(decided, Settle)
    assert decided.priority[900:].sum() > 10


def test_a_claim_is_given_up_where_a_new_one_is_cheaper_in_spite_of_its_alpha() -> None:
    policy = PromisePolicy(Promise("all", 0.05), max_n=8)
    policy.record.claim, policy.record.wanted = 3, True
    values = np.full(1000, 0.001)
    values[300:900] = 0.999
    claimed = standing(
        phase="checking", claim=3, claims=1, accepted=800, allowed=50,
        checks=Checks(5, 4, 1, 0, 40),
        guesses=np.zeros(1000, bool),
    )  # fmt: skip
    decided = policy.decide(Probs(values), state_of(1000, 200), claimed)
    assert isinstance(decided, Freeze)
    assert decided.guesses[300:900].all()
    assert sum(decided.expected) < 5


def test_items_whose_prediction_has_changed_since_the_freeze_are_settled_first() -> None:
    policy = PromisePolicy(Promise("all", 0.05), same_guess=False)
    policy.record.claim, policy.record.wanted = 3, True
    values = np.full(1000, 0.001)
    values[300:400] = 0.99
    claimed = standing(
        phase="checking", claim=3, claims=9, accepted=800, allowed=50,
        checks=Checks(5, 4, 1, 0, 40),
        guesses=np.zeros(1000, bool),
    )  # fmt: skip
    decided = policy.decide(Probs(values), state_of(1000, 200), claimed)
    assert isinstance(decided, Settle)
    assert decided.priority[300:400].sum() == decided.priority.sum()


@pytest.mark.parametrize("promise", [Promise("recall", 0.9), Promise("count", 4, 0.99)])
def test_a_claim_that_can_never_prove_the_promise_is_followed_by_one_that_can(
    promise: Promise,
) -> None:
    checked = Checked(n=200, promise=Promise("all", 0.05), size=8)
    checked.answer(2)
    checked.session.use(policy=PromisePolicy(promise, same_guess=False))
    while not checked.standing().enough:
        checked.answer()
    assert checked.standing().claims == 2
    assert checked.standing().accepted
