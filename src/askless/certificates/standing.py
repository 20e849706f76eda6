"""How far a session is from its promise: what `Session.standing` says.

    standing_of(history)                # by what the method, or else the claim in force, promises
    standing_of(history, promise)       # by another; None without any

It follows from the events alone, so a replay says the same. All of it may be read off one claim:
another share or count than the claim was made for, but no higher confidence.
Cost: that of one look at the claim, O(n), and nothing while the state is the same.
Tested in tests/certificates/test_standing.py.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Final, Literal

from askless.core.claimed import Mask
from askless.core.promise import Promise, share_text
from askless.history.claims import Claim, Look, alpha_of
from askless.history.history import History

LEAST_PRECISION: Final = 0.5
"""Of the labels positive, so many must be proved right before recall is enough: whoever says
positive to everything finds all positives, and has found out nothing."""
Phase = Literal["learning", "settling", "checking", "enough"]


@dataclass(frozen=True, slots=True)
class Checks:
    """Checks of the claim in force.

    Parameters
    ----------
    asked
        How many were drawn.
    yes, no, pointed
        How many of them count so far as all right, as something wrong, and with so many pointed at.
    items
        Items drawn, over all of them.
    """

    asked: int = 0
    yes: int = 0
    no: int = 0
    pointed: int = 0
    items: int = 0


@dataclass(frozen=True, slots=True)
class Stratum:
    """One of two strata of a claim: the items guessed False, and those guessed True.

    Parameters
    ----------
    accepted, found, checked
        Items of it that are open; wrong guesses among the others; items drawn from it.
    """

    accepted: int
    found: int
    checked: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a session is from its promise.

    Parameters
    ----------
    phase
        ``learning`` without a claim; ``settling`` doubtful items, with or without one;
        ``checking``; ``enough`` while the promise holds.
    promise
        What is to hold.
    claim, claims
        Number of the event that made the claim in force, None for none; how many were made.
    alpha
        The share of alpha of the claim in force, or of the next one.
    items, settled
        How many are in the source now, and have a certain label.
    accepted
        Open items of the claim: their labels are the frozen guesses.
    reopened
        Open items that are not in the claim; nothing is certified before they are settled.
    allowed
        How many accepted labels may be wrong; None for recall.
    at_most
        The most that can be; None while there is no bound.
    recall_at_least, precision_at_least
        The least recall, and the least share of the labels positive that are right, where the claim
        has strata; None while there is no bound.
    missing_nats
        How much evidence is still missing, for planning; None for recall and while there is no
        bound.
    found
        Wrong guesses among the items that have left the claim.
    checks, pending
        Checks of the claim, and how many still wait for an answer.
    strata
        For items guessed False and True, where checks are about one guess alone.
    guesses
        The frozen guess of each item of the pool; None without a claim.
    """

    phase: Phase
    promise: Promise
    claim: int | None
    claims: int
    alpha: float
    items: int
    settled: int
    accepted: int = 0
    reopened: int = 0
    allowed: int | None = None
    at_most: int | None = None
    recall_at_least: float | None = None
    precision_at_least: float | None = None
    found: int = 0
    checks: Checks = Checks()
    pending: int = 0
    strata: tuple[Stratum, ...] = ()
    guesses: Mask | None = field(default=None, compare=False, repr=False)
    missing_nats: float | None = field(default=None, compare=False, repr=False)

    @property
    def enough(self) -> bool:
        """Whether the promise holds now."""
        return self.phase == "enough"

    def plain(self) -> dict[str, Any]:
        """The certificate, or what there is of it, in JSON values.

        The names are those of a certificate in a file (docs/certificates.md), which has more.
        """
        promise = self.promise
        return {
            "says": str(self),
            "holds": self.enough,
            "kind": promise.kind,
            "rate": None if promise.kind == "count" else promise.value,
            "allowed": self.allowed,
            "confidence": promise.confidence,
            "items": self.items,
            "settled": self.settled,
            "accepted": self.accepted,
            "left_at_most": self.at_most,
            "recall_at_least": self.recall_at_least,
            "precision_at_least": self.precision_at_least,
            "found": self.found,
            "alpha": self.alpha,
            "claims": self.claims,
            "checks": asdict(self.checks),
        }

    @property
    def share_at_most(self) -> Fraction | None:
        """The most accepted labels that can be wrong, as a share of all labels, or of these.

        Of these alone where the promise is: that share may rise while more items are labelled.
        """
        whole = self.accepted if self.promise.kind == "accepted" else self.settled + self.accepted
        whole = max(1, whole)
        return None if self.at_most is None else Fraction(self.at_most, whole)

    def __str__(self) -> str:
        sure = f"{100 * self.promise.confidence:g} % sure"
        if self.claim is None and not self.enough:
            return f"No bound yet: nothing has been claimed ({_wanted(self.promise)}, {sure})."
        if self.reopened:
            waiting = "1 item is" if self.reopened == 1 else f"{self.reopened:,} items are"
            return f"No bound now: {waiting} open again and must be labelled first."
        if self.at_most is None:
            return f"No bound yet: {self.checks.asked} checks drawn, {self.pending} to be answered."
        share = share_text(self.share_at_most or 0.0, up=True)
        whole = f" of all {self.settled + self.accepted:,}"
        bound = (
            f"at most {self.at_most:,} of the {self.accepted:,} labels that are the model's "
            f"are wrong, {share}{'' if self.promise.kind == 'accepted' else whole}"
        )
        if self.promise.kind == "recall":
            share = share_text(self.recall_at_least or 0.0, up=False)
            right = share_text(self.precision_at_least or 0.0, up=False)
            bound = (
                f"at least {share} of all positives are labelled positive, at least {right} of the "
                f"labels positive are right, and {bound}"
            )
        said = f"Enough: {bound}" if self.enough else f"Not enough yet: {bound}"
        return f"{said}; {sure}, by your own judgement ({_wanted(self.promise)} is wanted)."


def promise_of(history: History) -> Promise | None:
    """What is promised: by the method, else by the claim in force; None for nothing.

    Raises
    ------
    InvalidInput
        The method promises something that is no promise.
    """
    stored = (history.method or {}).get("promise")
    if stored is not None:
        return Promise.of(stored)
    claim = history.claims.current
    return None if claim is None else claim.promise


def standing_of(history: History, promise: Promise | None = None) -> Standing | None:
    """Where the session with this history stands; None if nothing is promised.

    Parameters
    ----------
    history
        What has happened.
    promise
        What is to hold; None for `promise_of`.
    """
    claim = history.claims.current
    promise = promise_of(history) if promise is None else promise
    if promise is None:
        return None
    here, state = history.source.count(history.state), history.state
    made = history.claims.made
    if claim is None:
        phase: Phase = "enough" if state.done else "learning"
        done = 0 if state.done else None
        return Standing(
            phase, promise, None, made, alpha_of(promise, made), here.items, here.settled,
            at_most=done, recall_at_least=1.0 if state.done else None,
            precision_at_least=1.0 if state.done else None,
        )  # fmt: skip
    look = claim.look(state)
    accepted = sum(look.accepted)
    allowed = None
    if promise.kind != "recall":
        allowed = promise.allowed(here.settled + accepted, accepted)
    at_most = recall = precision = missing = None
    if not look.reopened:
        evidence = claim.evidence(look)
        at_most = evidence.at_most(look.accepted, look.found)
        if allowed is not None:
            missing = evidence.missing_nats(look.found, allowed)
        if not accepted:
            recall = precision = 1.0
        elif claim.strata:
            positives = here.n_with[True]
            recall = evidence.recall_at_least(look.accepted, look.found, positives)
            precision = evidence.precision_at_least(look.accepted, look.found, positives)
    if accepted and claim.promise.confidence < promise.confidence:
        at_most = recall = precision = None  # nothing is proved as surely as that
    if allowed is None:
        holds = (recall or 0.0) >= promise.value and (precision or 0.0) >= LEAST_PRECISION
    else:
        holds = at_most is not None and at_most <= allowed
    return Standing(
        "enough" if holds else "checking",
        promise,
        claim.number,
        made,
        claim.alpha,
        here.items,
        here.settled,
        accepted,
        look.reopened,
        allowed,
        at_most,
        recall,
        precision,
        sum(look.found),
        _checks(claim, look),
        len(look.pending),
        _strata(claim, look),
        claim.guess,
        missing,
    )


def _checks(claim: Claim, look: Look) -> Checks:
    counted = Counter(
        outcome if isinstance(outcome, str) else "pointed" if outcome else "yes"
        for *_, outcome, _ in look.counted
    )
    items = sum(len(drawn.items) for drawn in claim.draws)
    return Checks(len(claim.draws), counted["yes"], counted["no"], counted["pointed"], items)


def _strata(claim: Claim, look: Look) -> tuple[Stratum, ...]:
    if not claim.strata:
        return ()
    checked = Counter[int]()
    for drawn in claim.draws:
        checked[drawn.stratum] += len(drawn.items)
    return tuple(Stratum(look.accepted[s], look.found[s], checked[s]) for s in (0, 1))


def _wanted(promise: Promise) -> str:
    if promise.kind == "count":
        return f"at most {int(promise.value)} wrong labels"
    if promise.kind == "recall":
        return f"recall of at least {100 * promise.value:g} %"
    whole = "all labels" if promise.kind == "all" else "the accepted labels"
    return f"at most {100 * promise.value:g} % of {whole} wrong"
