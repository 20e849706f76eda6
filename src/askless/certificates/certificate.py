"""A certificate: what the checks of a claim prove about the accepted labels, to be shown to others.

    certificate = certificate_of(history, names=("ann",))
    certificate.to_json()       # every number that it rests on
    certificate.methods()       # a sentence or four for a methods section

It is a value that follows from the events alone; ``askless verify`` computes it again. It says what
the checks prove whether or not that is what was promised (`Certificate.holds`), and what it is
relative to: the judgement of those who answered the checks; what they overlook, where audits have
shown how much (`askless.core.overlooked`); how far they agree with themselves, where they were
asked again. Imported by exports, the folder, the app and the commands.
Tested in tests/certificates/test_certificate.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from askless.certificates.self_agreement import consistencies
from askless.certificates.standing import Standing, standing_of
from askless.core.claimed import Mask
from askless.core.overlooked import FEWEST_PLANTED, SHARES, overlooked_at_most, wrong_at_most
from askless.core.promise import Promise, share_text
from askless.history.claims import Claim
from askless.history.history import History
from askless.history.labels import accepted_of
from askless.history.projections import SOURCE

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Overlooked:
    """What is left if that is counted which people overlook.

    Parameters
    ----------
    planted, missed
        Errors planted in audits of groups at least as large as the largest check, and how many of
        them were overlooked.
    upper
        The largest chance to overlook one.
    left_at_most
        The most accepted labels that can be wrong, those included that would be overlooked.
    """

    planted: int
    missed: int
    upper: float
    left_at_most: int


@dataclass(frozen=True, slots=True)
class InRows:
    """The same counted in rows of the source, in which an item may stand several times.

    Parameters
    ----------
    rows, accepted
        All of them, and those whose label is accepted.
    left_at_most
        The most of these that can be wrong: as many items as can be, with the most copies.
    """

    rows: int
    accepted: int
    left_at_most: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """What the checks of a claim prove.

    Parameters
    ----------
    standing
        How far the session is from its promise.
    claim
        Which claim it rests on.
    alpha_spent
        The shares of alpha of all claims of the session together.
    annotators
        Who answered the checks: whose judgement it is relative to.
    events
        How many events it was computed from.
    suspect
        Accepted items among which some are known to be wrong.
    overlooked
        None unless audits have shown how much is overlooked.
    consistency
        What asking again has shown, as `askless.history.consistency.Consistency.to_json` has it.
    in_rows
        None if nobody said which items have copies.
    """

    standing: Standing
    claim: Claim
    alpha_spent: float
    annotators: tuple[str, ...]
    events: int
    suspect: int
    overlooked: Overlooked | None = None
    consistency: tuple[Mapping[str, Any], ...] = ()
    in_rows: InRows | None = None

    @property
    def holds(self) -> bool:
        """Whether what was promised is proved."""
        return self.standing.enough

    def says(self) -> str:
        """What is proved, in one sentence."""
        now, sure = self.standing, f"{100 * self.standing.promise.confidence:g} % sure"
        if now.promise.kind == "recall":
            least = share_text(now.recall_at_least or 0.0, up=False)
            right = share_text(now.precision_at_least or 0.0, up=False)
            return (
                f"At least {least} of all positives are labelled positive, and at least {right} of "
                f"the labels positive are right, {sure}."
            )
        share = share_text(now.share_at_most or 0.0, up=True)
        whole = "" if now.promise.kind == "accepted" else f" of all {now.settled + now.accepted:,}"
        return (
            f"At most {now.at_most:,} of {_count(now.accepted, 'accepted label')} are wrong "
            f"({share}{whole}), {sure}."
        )

    def methods(self) -> str:
        """The same for a methods section, with how it was found and what it is relative to."""
        now, checks = self.standing, self.standing.checks
        who = _listed(self.annotators) or "the annotator"
        form = (
            "by pointing at every wrong item" if self.claim.form == "pointed" else "with yes or no"
        )
        labels = (
            f"Of {_count(now.items, 'item')}, {now.settled:,} have a label that follows from "
            f"answers, and {now.accepted:,} have one that a model predicted and that was frozen "
            "before it was checked"
        )
        aside = now.items - now.settled - now.accepted
        labels += f"; {aside:,} set aside as undecidable." if aside else "."
        drawn = (
            f"Groups of these predictions, {_count(checks.items, 'item')} in "
            f"{_count(checks.asked, 'group')}, were drawn uniformly at random without replacement "
            f"and checked {form}: {checks.yes:,} all right, {checks.no + checks.pointed:,} with "
            "something wrong."
        )
        proved = (
            f"{self.says()[:-1]}, at any stopping time (confidence sequence for sampling without "
            "replacement by the prior-posterior-ratio martingale, Waudby-Smith and Ramdas 2020)."
        )
        relative = f"Wrong means that {who}, shown the item in such a group, would say otherwise."
        parts = [labels, drawn, proved, relative]
        if not checks.asked:
            parts = [labels, "None was checked, since none had to be.", self.says(), relative]
        if self.overlooked is not None:
            slips = self.overlooked
            parts.append(
                f"Of {slips.planted:,} planted errors {slips.missed:,} were overlooked; counting "
                f"what may be (at most {share_text(slips.upper, up=True)}), at most "
                f"{slips.left_at_most:,} labels are wrong."
            )
        return " ".join(parts)

    def to_json(self, **more: Any) -> dict[str, Any]:
        """All of it in plain JSON values; `more` is added."""
        content, plain = self.claim.content, self.standing.plain()
        return {
            "format": FORMAT,
            **plain,
            "says": self.says(),
            "methods": self.methods(),
            "suspect": self.suspect,
            "alpha_spent": self.alpha_spent,
            "checks": {**plain["checks"], "form": self.claim.form, "strata": self.claim.strata},
            "prior": {"expected": list(content.expected), "trust": content.trust},
            "relative_to": list(self.annotators),
            "overlooked": None if self.overlooked is None else asdict(self.overlooked),
            "consistency": [dict(one) for one in self.consistency],
            "in_rows": None if self.in_rows is None else asdict(self.in_rows),
            "claim": self.claim.number,
            "claim_sha256": content.checksum,
            "seed": self.claim.seed,
            "events": self.events,
            **more,
        }


def certificate_of(
    history: History,
    promise: Promise | None = None,
    copies: Mapping[int, Sequence[str]] | None = None,
) -> Certificate | None:
    """What the checks prove now; None while that is nothing.

    Parameters
    ----------
    history
        What has happened.
    promise
        What is to hold; None for `askless.certificates.standing.promise_of`.
    copies
        By item, its exact duplicates in the source; None if nobody knows.
    """
    claim, standing = history.claims.current, standing_of(history, promise)
    if claim is None or standing is None or standing.at_most is None:
        return None
    counted = claim.look(history.state).counted
    if standing.accepted and not counted and not standing.enough:
        return None
    accepted, annotators = accepted_of(history), _judges(history, claim)
    assert accepted is not None
    return Certificate(
        standing,
        claim,
        history.claims.spent,
        annotators,
        history.last + 1,
        len(accepted.suspect),
        _overlooked(history, claim, standing, annotators),
        tuple(one.to_json() for one in consistencies(history)),
        None if copies is None else _in_rows(history, standing, accepted.items, copies),
    )


def _judges(history: History, claim: Claim) -> tuple[str, ...]:
    """Who answered the checks of a claim, or settled items of them otherwise."""
    drawn = [item for one in claim.draws for item in one.items.tolist()]
    settled_by = np.unique(history.state.settled_by()[drawn]).tolist() if drawn else []
    found = {history.answers[number].annotator for number in settled_by if number >= 0}
    found.discard(SOURCE)
    for asked in history.asked.values():
        if asked.claim == claim.number:
            number = history.answer_to(asked.id)
            given = None if number is None else history.answer(number)
            if given is not None and given.annotator != SOURCE:
                found.add(given.annotator)
    return tuple(sorted(found))


def _overlooked(
    history: History, claim: Claim, standing: Standing, annotators: tuple[str, ...]
) -> Overlooked | None:
    """With one person alone, of whom enough is known."""
    if len(annotators) != 1 or not claim.draws:
        return None
    largest = max(len(drawn.items) for drawn in claim.draws)
    counts = history.audits.misses(annotators[0]).items()
    planted = sum(shown for size, (shown, _) in counts if size >= largest)
    missed = sum(unseen for size, (_, unseen) in counts if size >= largest)
    if planted < FEWEST_PLANTED:
        return None
    alpha = claim.promise.alpha
    upper = overlooked_at_most(missed, planted, SHARES.audits * alpha)
    look, evidence = claim.look(history.state), claim.fresh_evidence(SHARES.checks * claim.alpha)
    for check in look.counted:
        evidence.add(*check)
    seen = evidence.at_most(look.accepted, look.found)
    left = wrong_at_most(seen, upper, standing.accepted, SHARES.visible * alpha)
    return Overlooked(planted, missed, upper, left)


def _in_rows(
    history: History, standing: Standing, accepted: Mask, copies: Mapping[int, Sequence[str]]
) -> InRows:
    rows = np.ones(history.state.n, np.int64)
    for item, others in copies.items():
        rows[item] += len(others)
    here = np.ones(history.state.n, bool)
    here[sorted(history.source.gone)] = False
    most = np.sort(rows[accepted])[::-1][: standing.at_most]
    return InRows(int(rows[here].sum()), int(rows[accepted].sum()), int(most.sum()))


def _listed(names: Sequence[str]) -> str:
    *first, last = names or ("",)
    return f"{', '.join(first)} or {last}" if first else last


def _count(number: int, one: str) -> str:
    return f"{number:,} {one if number == 1 else one + 's'}"
