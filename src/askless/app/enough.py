"""What the page is told about a promise: how far it is, what can be promised, and what that costs.

    bound_of(service)       # where the session stands; None where nothing is promised or claimed
    offers_of(service)      # what may be promised, each with what it takes
    wants_marks(service, question)      # whether a no alone says nothing more

All of it is read off the session; nothing is changed. All but `offers_of` are called with the
service's lock.
Imported by `web`; tested in tests/web/test_enough.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.app.promised import say, wanted
from askless.app.service import LabellingService
from askless.certificates.promise_cost import OFFERED, Projection, project
from askless.certificates.standing import Phase
from askless.core.promise import Promise
from askless.core.question import Question
from askless.history.labels import given_here
from askless.history.projections import SOURCE

RECALL: Final = Promise("recall", 0.95)
_RARE: Final = 0.1
"""Recall is offered while fewer than this share of the labels so far are positive."""
_KNOWN: Final = 30
"""Of fewer labels nobody knows how rare positives are."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How far a session is from its promise.

    Parameters
    ----------
    promise, wanted
        What is to hold: as text for requests, and as one says it.
    phase, holds
        What is being done about it, and whether it holds now.
    claim
        The claim in force, by its event; None for none.
    accepted
        How many labels are the model's.
    share, limit
        The bound and what is wanted, as shares of all labels; None where there is none.
    recall
        Whether that is the least to be found, and not the most to be wrong.
    says, short, meaning
        In words, as `askless.app.promised.Said`.
    """

    promise: str
    wanted: str
    phase: Phase
    holds: bool
    claim: int | None
    accepted: int
    share: float | None
    limit: float | None
    recall: bool
    says: str
    short: str
    meaning: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be promised.

    Parameters
    ----------
    promise
        As text for requests; None for labelling everything.
    title
        As one says it.
    cost
        What it takes, in words; empty while nobody knows.
    """

    promise: str | None
    title: str
    cost: str


@dataclass(frozen=True, slots=True)
class Offers:
    """What can be promised.

    Parameters
    ----------
    promise
        What is now; None for nothing.
    offers
        Labelling everything first.
    note
        What there is to say about all of them.
    """

    promise: str | None
    offers: tuple[Offer, ...]
    note: str


def bound_of(service: LabellingService) -> Bound | None:
    """How far the session is from what is promised; None if nothing is."""
    standing = service.session.standing()
    if standing is None:
        return None
    history, promise = service.session.history, standing.promise
    you = service.annotator
    others = [name for name in history.tally.annotators if name not in (you, SOURCE)]
    said = say(standing, service.names, given_here(history), (*others, "you"))
    return Bound(
        promise=promise.text,
        wanted=wanted(promise, service.names),
        phase=standing.phase,
        holds=standing.enough,
        claim=standing.claim,
        accepted=standing.accepted,
        share=said.share,
        limit=_limit(promise, standing.settled + standing.accepted),
        recall=promise.kind == "recall",
        says=said.now,
        short=said.short,
        meaning=said.meaning,
    )


def offers_of(service: LabellingService, costs: bool = False) -> Offers:
    """What can be promised about this pool; with `costs` also what it takes from here.

    Takes the service's lock for a moment: what it takes is worked out without it.
    """
    with service.lock:
        session, now, names = service.session, service.method.promise, service.names
        found = [*OFFERED]
        if _positives_are_rare(service):
            found.append(RECALL)
        if now is not None and now not in found:
            found.append(now)
        policy = service.method.replace(promise=found[0]).make_policy()
        probs, known = session.probs, _Known(session.state.labels())
    projected: dict[Promise, Projection] = {}
    if costs and policy is not None and known.n_open:
        projected = {one.promise: one for one in project(policy, probs, known, found)}
    everything = Offer(None, "every label, from your answers", _cost_of_everything(projected))
    offers = (Offer(one.text, wanted(one, names), _cost(projected.get(one))) for one in found)
    note = _note([projected[one] for one in found if one in projected])
    if not known.n_open:
        note = "Nothing is left to ask: every label is certain, or was set aside."
    return Offers(None if now is None else now.text, (everything, *offers), note)


@dataclass(frozen=True, eq=False)
class _Known:
    """What was known at one moment."""

    codes: NDArray[np.int8]

    @property
    def n(self) -> int:
        return len(self.codes)

    @property
    def n_open(self) -> int:
        return int(np.count_nonzero(self.codes == -1))

    def labels(self) -> NDArray[np.int8]:
        return self.codes


def _cost(found: Projection | None) -> str:
    """What a promise takes, in words; empty if nobody knows."""
    if found is None:
        return ""
    if not found.worthwhile:
        return "takes about as long as every label"
    return _about(found.questions, found.seconds)


def _cost_of_everything(known: Mapping[Promise, Projection]) -> str:
    found = next(iter(known.values()), None)
    return "" if found is None else _about(found.full_questions, found.full_seconds)


def _about(questions: float, seconds: float) -> str:
    answers, minutes = _rounded(questions), seconds / 60
    time = f"{_rounded(minutes):,} min" if minutes < 90 else f"{_rounded(minutes / 60):,} h"
    return f"about {time}, {answers:,} {'answer' if answers == 1 else 'answers'}"


def _rounded(number: float) -> int:
    """To two digits, and at least 1: it is a guess."""
    whole = max(1, round(number))
    return int(round(whole, -max(0, len(str(whole)) - 2)))


def _note(known: Sequence[Projection]) -> str:
    """What is to be said about all of them."""
    how = (
        "askless stops asking once random checks prove it, 95 % sure; the labels you have not "
        "looked at are then the model's."
    )
    if known and not any(one.worthwhile for one in known):
        return (
            f"{how} Nothing is to be gained here, as it looks now: too many items are doubtful, "
            "and each choice takes about as long as looking at everything."
        )
    if not known:
        return how
    if any(one.typical for one in known):
        return f"{how} Minutes are typical ones; your own pool may differ."
    return f"{how} Minutes are from here, at your pace."


def wants_marks(service: LabellingService, question: Question) -> bool:
    """Whether a bare no was said to this check, or to more of its draw, and marks must follow."""
    claim, state = service.session.history.claims.current, service.session.state
    if question.purpose != "check" or claim is None or claim.form != "pointed":
        return False
    position = claim.place_of(question, state)
    if position is None:
        return False
    drawn = set(claim.draws[position].items.tolist())
    clauses = (clause for item in question.items for clause in state.clauses_of(item))
    return any(drawn.issuperset(clause.items) for clause in clauses)


def _positives_are_rare(service: LabellingService) -> bool:
    history = service.session.history
    here = history.source.count(history.state)
    return here.settled >= _KNOWN and here.n_with[True] < _RARE * here.settled


def _limit(promise: Promise, labels: int) -> float | None:
    if promise.kind == "count":
        return promise.value / max(1, labels)
    return None if promise.kind == "accepted" else promise.value
