"""Keeps a session's promise: freezes, draws checks, and says what comes before anything else.

`QuestionQueue` asks it before it asks the planner. In this order:

1. a draw without an outcome that no window is looking at is asked again, the items of it that are
   still unknown alone;
2. items that are open again outside the claim are asked;
3. the policy decides (`askless.certificates.policy`).

A draw is taken from all items left in the claim, whoever is looking at them and whatever clauses
hold them, and is never taken again because it is inconvenient. It is stored with the first question
that shows it, or a part of it. Checks are never planned ahead: nobody sees a draw before it is
stored. Imported by the session room alone; tested in tests/session/test_certifying.py.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from askless.certificates.policy import (
    Check,
    CheckUntilEnough,
    Decision,
    Enough,
    Freeze,
    LabelEverything,
    Learn,
    Policy,
    Settle,
)
from askless.certificates.standing import Standing, standing_of
from askless.core.claimed import freeze_guesses
from askless.core.events import Asked
from askless.core.promise import Promise
from askless.core.question import Question
from askless.core.state import State
from askless.errors import InvalidInput, Refused
from askless.history.claims import Claim, alpha_of
from askless.seams import Priority
from askless.session.current_probs import ProbsInUse
from askless.session.log import Log

_SEED_BYTES = 16


class Certifier:
    """Decides what a promise calls for.

    Parameters
    ----------
    log
        What has happened, and where it is stored.
    probs
        What is believed about the open items.
    policy
        Decides; None while nothing is promised.
    """

    def __init__(self, log: Log, probs: ProbsInUse, policy: Policy | None) -> None:
        self._log, self._history, self._probs = log, log.history, probs
        self._policy = policy
        self._decision: Decision | None = None
        self._decided_for: Claim | None = None
        self._said: tuple[int, Promise, Standing | None] | None = None

    def use_policy(self, policy: Policy) -> None:
        """Go on with another policy, and maybe another promise."""
        self._policy, self._decision = policy, None

    def promise_nothing(self) -> None:
        """See `Session.promise_nothing`."""
        claim, self._decision = self.claim, None
        self._policy = None if claim is None else LabelEverything(claim.promise)

    @property
    def claim(self) -> Claim | None:
        """The claim in force."""
        return self._history.claims.current

    @property
    def policy(self) -> Policy | None:
        """Who decides: the one given or, where a claim is in force, one that checks."""
        if self._policy is None and self.claim is not None:
            return CheckUntilEnough(self.claim.promise)
        return self._policy

    def standing(self) -> Standing | None:
        """See `Session.standing`."""
        standing = self._standing()
        if standing is not None and not standing.enough and isinstance(self._decision, Settle):
            return replace(standing, phase="settling")
        return standing

    def freeze(self, promise: Promise, wanted: Freeze) -> int:
        """Make a claim of all open items; the number of its event.

        Raises
        ------
        Refused
            No item is open, or that is no claim.
        """
        state = self._history.state
        guesses = np.asarray(wanted.guesses, bool)
        if guesses.shape != (state.n,) or not state.n_open:
            raise Refused(
                f"A claim needs open items and one guess for each of {state.n} items; "
                f"got {guesses.size} guesses, and {state.n_open} items are open."
            )
        try:
            content = freeze_guesses(
                promise,
                guesses,
                state.labels() == -1,
                wanted.seed or secrets.token_hex(_SEED_BYTES),
                alpha_of(promise, self._history.claims.made),
                tuple(map(float, wanted.expected)),
                self._probs.probs.values,
                form=wanted.form,
                strata=bool(wanted.strata),
                trust=float(wanted.trust),
            )
        except InvalidInput as error:
            raise Refused(str(error)) from None
        return self._log.commit(self._log.event(content))

    # --- what comes next ----------------------------------------------------------------------

    def waiting(self, held: Iterable[Asked]) -> Question | None:
        """What is still unknown of a draw, if none of the questions that windows hold asks it."""
        claim, state = self.claim, self._history.state
        if claim is None:
            return None
        asked = {one.check for one in held if one.claim == claim.number}
        for position in claim.look(state).pending:
            if position not in asked:
                return claim.question(claim.unknown(position, state))
        return None

    def reopened(self) -> Priority | None:
        """The items that are open outside the claim, to be asked first; None if there are none."""
        claim, state = self.claim, self._history.state
        if claim is None or not claim.look(state).reopened:
            return None
        return claim.outside(state)

    def decide(self) -> Decision:
        """What the policy wants now; a claim it wants is made."""
        policy = self.policy
        if policy is None:
            return Learn()
        if not self._stands(self._history.state):
            decision = self._ask(policy)
            if isinstance(decision, Freeze):
                self.freeze(policy.promise, decision)
                decision = self._ask(policy)
            self._decision = Learn(until=0) if isinstance(decision, Freeze) else decision
            self._decided_for = self.claim
        assert self._decision is not None
        return self._decision

    def decide_ahead(self, state: State) -> Learn | Settle | None:
        """The ordinary question to plan for a state that may come; None to plan nothing."""
        if self.policy is None:
            return Learn()
        decision, claim = self._decision, self.claim
        if claim is not None:
            look = claim.look(self._history.state)
            if look.reopened or look.pending:
                return None
        if isinstance(decision, Enough):
            return Learn()
        if isinstance(decision, (Learn, Settle)) and self._stands(state):
            return decision
        return None

    def draw(self, check: Check) -> Asked | None:
        """The next draw, ready to be stored; None if nothing is left to draw from."""
        claim, state = self.claim, self._history.state
        if claim is None:
            return None
        accepted = claim.look(state).accepted
        stratum = check.stratum if claim.strata else 0
        if not accepted[stratum]:
            stratum = 1 - stratum
        if stratum >= len(accepted) or not accepted[stratum]:
            return None
        size = max(1, min(check.size, accepted[stratum]))
        question = claim.draw(state, size, stratum)
        return Asked(question, claim=claim.number, check=len(claim.draws), draw=question.items)

    def place(self, question: Question) -> Asked | None:
        """A check that was drawn before and still waits, named; None if it is none."""
        claim = self.claim
        position = None if claim is None else claim.place_of(question, self._history.state)
        if claim is None or position is None:
            return None
        return Asked(question, claim=claim.number, check=position)

    def _standing(self) -> Standing | None:
        policy = self.policy
        if policy is None:
            return None
        if self._said is None or self._said[:2] != (self._history.last, policy.promise):
            standing = standing_of(self._history, policy.promise)
            self._said = self._history.last, policy.promise, standing
        return self._said[2]

    def _ask(self, policy: Policy) -> Decision:
        standing = self._standing()
        assert standing is not None
        return policy.decide(self._probs.probs, self._history.state, standing)

    def _stands(self, state: State) -> bool:
        decision = self._decision
        return (
            isinstance(decision, (Learn, Settle))
            and self._decided_for is self.claim
            and state.n - state.n_open < decision.until
        )
