"""Claims and checks, for the machine of machine.py."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from askless.certificates.policy import CheckUntilEnough, Freeze
from askless.core.claim import Form
from askless.core.promise import Promise
from askless.errors import Refused
from askless.history.claims import Claim
from tests.session.step_machine import Steps

PROMISES = [Promise("count", 0, 0.5), Promise("all", 0.2, 0.8), Promise("accepted", 0.1)]


class Claiming(Steps):
    """Deeds and steps, and claims among them."""

    claim: Claim | None = None
    inside: frozenset[int] = frozenset()  # of the claim, after the step before

    @rule(
        seed=st.integers(0, 999),
        form=st.sampled_from(["yes-no", "pointed"]),
        strata=st.booleans(),
        size=st.integers(1, 5),
        promise=st.sampled_from(PROMISES),
    )
    def freeze(self, seed: int, form: Form, strata: bool, size: int, promise: Promise) -> None:
        """Claim what is mostly right, and check it from now on."""
        if self.session.state.n_open == 0:
            return
        rng = np.random.default_rng(seed)
        guesses = self.truth ^ (rng.random(self.n) < 0.2)
        expected = (1.0, 1.0) if strata else (1.0,)
        wanted = Freeze(guesses, expected, form, strata, seed=f"{seed:032x}")
        self.session.freeze(promise, wanted)
        self.session.use(policy=CheckUntilEnough(promise, size))

    @rule(
        seed=st.integers(0, 999), annotator=st.sampled_from(["ann", "bob"]), every=st.integers(1, 3)
    )
    def ask_again(self, seed: int, annotator: str, every: int) -> None:
        """Have somebody asked about their labels again, if they gave enough."""
        with suppress(Refused):
            self.session.reask.want(annotator, 3, every, f"{seed:032x}")

    @invariant()
    def what_is_said_to_be_consistent_holds_together(self) -> None:
        for annotator in ("ann", "bob"):
            found = self.session.reask.consistency(annotator)
            if found is not None:
                assert 0 <= found.same <= found.asked <= found.labels
                assert 0 <= found.at_most <= found.labels - found.changed
                assert found.at_most >= found.asked - found.same - found.changed

    @rule(tab=st.sampled_from(["", "2"]))
    def show_only_two(self, tab: str) -> None:
        """A window that is too small for what it is asked."""
        self.session.use(
            fit=lambda question, where: (
                question.about(question.items[:2])
                if where == tab and len(question) > 2
                else question
            )
        )

    @invariant()
    def no_item_enters_a_claim(self) -> None:
        claim = self.session.history.claims.current
        if claim is None:
            return
        inside = frozenset(np.flatnonzero(claim._inside).tolist())
        if self.claim is claim:
            assert inside <= self.inside
        self.claim, self.inside = claim, inside
