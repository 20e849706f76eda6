"""What a session does about its promise next: the decisions, and who takes them.

    session = Session(..., policy=policy)       # or session.use(policy=policy)
    session.standing()                          # how far it is from policy.promise

`Policy.decide` is asked for a decision when a question is wanted, and a decision stands until it
says. Whatever it decides can only be more or less useful: what is certified depends on the draws
alone. A check that waits for its answer, and items open again outside the claim, come first; the
policy is not asked then. `CheckUntilEnough` decides nothing but to check, once `Session.freeze` was
called, and `LabelEverything` not even that. The policy for a promise is in
`askless.certificates.enough`. Imported by the session room and by whoever makes a policy; tested in
tests/session/test_certifying.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from askless.certificates.standing import Standing
from askless.core.claim import Form
from askless.core.claimed import Mask
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import GRID
from askless.core.state import State
from askless.seams import Priority


@dataclass(frozen=True, eq=False, slots=True)
class Learn:
    """Ask an ordinary question.

    Parameters
    ----------
    priority
        The items to ask about first; None for those of the session's schedule.
    until
        The decision stands while fewer items than this are closed, that is, settled or unsure.
        Only while it stands are questions planned ahead.
    """

    priority: Priority | None = None
    until: float = math.inf


@dataclass(frozen=True, eq=False, slots=True)
class Settle:
    """Ask about these items first, because their guesses are doubtful; otherwise as `Learn`."""

    priority: Priority
    until: float


@dataclass(frozen=True, eq=False, slots=True)
class Freeze:
    """Make a claim of all open items; the next decision is taken at once.

    Parameters
    ----------
    guesses
        The label to claim for each item of the pool; only those of open items matter.
    expected
        How many of them are expected to be wrong: in all or, with strata, among the items guessed
        False and among those guessed True.
    form, strata, trust
        As in `askless.core.claimed.Claimed`.
    seed
        Of the draws, in hexadecimal digits; None for the operating system's entropy. Anything else
        belongs into the lab.
    """

    guesses: Mask
    expected: tuple[float, ...]
    form: Form = "yes-no"
    strata: bool = False
    trust: float = 0.75
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Draw a check.

    Parameters
    ----------
    size
        How many items; no more than there are.
    stratum
        Of which guess, where the claim has strata: the label as a number.
    """

    size: int
    stratum: int = 0


@dataclass(frozen=True, slots=True)
class Enough:
    """The promise holds; who goes on all the same is asked ordinary questions."""


Decision = Learn | Settle | Freeze | Check | Enough


class Policy(Protocol):
    """Decides when to learn, settle, freeze and check."""

    @property
    def promise(self) -> Promise:
        """What is to hold."""
        ...

    def decide(self, probs: Probs, state: State, standing: Standing) -> Decision:
        """What to do now.

        Parameters
        ----------
        probs
            What is believed about the open items.
        state
            What is known.
        standing
            How far it is from the promise; also says what the checks have shown.
        """
        ...


@dataclass(frozen=True, slots=True)
class LabelEverything:
    """Asks ordinary questions alone, where something was claimed and is no longer wanted.

    Parameters
    ----------
    promise
        What the claim in force was made for; `Session.standing` goes on to say how far it is.
    """

    promise: Promise

    def decide(self, probs: Probs, state: State, standing: Standing) -> Decision:
        """See `Policy`."""
        return Enough() if standing.enough else Learn()


@dataclass(frozen=True, slots=True)
class CheckUntilEnough:
    """Labels as if nothing were promised until somebody freezes; then checks until it is enough.

    Parameters
    ----------
    promise
        What is to hold.
    size
        The most items a check shows.
    """

    promise: Promise
    size: int = GRID

    def decide(self, probs: Probs, state: State, standing: Standing) -> Decision:
        """See `Policy`."""
        if standing.enough:
            return Enough()
        if standing.claim is None:
            return Learn()
        if not standing.strata:
            return Check(self.size)
        shares = [one.checked / max(1, one.accepted) for one in standing.strata]
        return Check(self.size, int(shares[1] < shares[0]))
