"""How a bound has come down, draw by draw: what a person would have been told had they stopped.

    steps = steps_of(history)       # with the lock: O(n) in numpy
    reader.read(steps)              # without it: the bound after each check that counts

Each step is one check of the claim in force with what was left of the claim just before the next
draw, and of the last one what is left now; so the last bound is the one that `standing_of` says.
A check whose outcome changes (a correction, an answer retracted) changes the bounds from there on.
The reader remembers the evidence of the steps it has read: what comes new costs one look each.
Imported by whoever shows it; tested in tests/certificates/test_bounds.py.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

from askless.core.claim import Evidence, Outcome
from askless.history.claims import Claim
from askless.history.history import History
from askless.history.projections import SOURCE


class Step(NamedTuple):
    """One check that counts.

    Parameters
    ----------
    check
        As `Evidence.add` takes it.
    left, found
        For each stratum, before the next draw: items left, and wrong ones among the others.
    positives
        Items that were settled to be positive by then.
    answers
        How many answers had been given by then.
    """

    check: tuple[int, int, int, Outcome, int]
    left: tuple[int, ...]
    found: tuple[int, ...]
    positives: int
    answers: int


@dataclass(frozen=True, eq=False, slots=True)
class Steps:
    """The checks that count of the claim in force.

    Parameters
    ----------
    claim
        Its number; None if there is none, or nothing can be said now.
    steps
        In the order of the draws.
    evidence
        Of the claim before its first check.
    labels
        How many items are settled or accepted now.
    recall
        Whether its promise is one of recall.
    """

    claim: int | None
    steps: tuple[Step, ...] = ()
    evidence: Evidence | None = None
    labels: int = 0
    recall: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """What could have been said after so many answers.

    Parameters
    ----------
    answers
        How many.
    share
        The most labels that were wrong, or for recall the least that were found, as a share.
    """

    answers: list[int]
    share: list[float]


def steps_of(history: History) -> Steps:
    """The checks of the claim in force, and what was left when."""
    claim, state = history.claims.current, history.state
    if claim is None:
        return Steps(None)
    look = claim.look(state)
    if look.reopened:
        return Steps(None)
    codes, here = state.labels(), history.source.count(state)
    gone = claim.left_before(codes >= -2)
    wrong = claim.left_before(codes != claim.guess)
    true = claim.left_before(codes == 1)
    inside = claim.count_members(codes == 1)
    answers = _answers_before(history, claim)
    steps = []
    for position, check in enumerate(look.counted):
        at = position + 1
        if at < len(claim.draws):
            left = tuple(size - gone[s][at] for s, size in enumerate(claim.sizes))
            found = tuple(of[at] for of in wrong)
            positives = here.n_with[True] - inside + sum(of[at] for of in true)
        else:
            left, found, positives = look.accepted, look.found, here.n_with[True]
        steps.append(Step(check, left, found, positives, answers[at]))
    labels = here.settled + sum(look.accepted)
    recall = claim.promise.kind == "recall"
    return Steps(claim.number, tuple(steps), claim.fresh_evidence(), labels, recall)


class BoundsReader:
    """Reads the bounds off the steps; remembers how far it has come."""

    def __init__(self) -> None:
        self._begin(Steps(None))

    def _begin(self, found: Steps) -> None:
        self._claim, self._evidence = found.claim, found.evidence
        self._fed: list[Step] = []
        self._said: list[float] = []

    def read(self, found: Steps) -> Bounds:
        """The bound after each step."""
        steps, fed = found.steps, self._fed
        same = fed[:-1] == list(steps[: len(fed)])[:-1]
        if (
            found.claim != self._claim
            or len(steps) < len(fed)
            or not same
            or (fed and fed[-1].check != steps[len(fed) - 1].check)
        ):
            self._begin(found)
        if self._fed:  # more may have left since the last of them
            last = len(self._fed) - 1
            self._fed[last], self._said[last] = steps[last], self._bound(steps[last], found)
        for step in steps[len(self._fed) :]:
            assert self._evidence is not None
            self._evidence.add(*step.check)
            self._fed.append(step)
            self._said.append(self._bound(step, found))
        return Bounds([step.answers for step in steps], list(self._said))

    def _bound(self, step: Step, found: Steps) -> float:
        assert self._evidence is not None
        if found.recall:
            return self._evidence.recall_at_least(step.left, step.found, step.positives)
        return self._evidence.at_most(step.left, step.found) / max(1, found.labels)


def _answers_before(history: History, claim: Claim) -> list[int]:
    """How many answers stood before each draw; the last entry is how many stand now."""
    given = [
        number
        for number, answer in history.answers.items()
        if answer.annotator != SOURCE and history.stands(number)
    ]
    drawn_at: dict[int, int] = {}
    for asked in history.asked.values():
        if asked.claim == claim.number and asked.check is not None:
            drawn_at.setdefault(asked.check, asked.id)
    before = [bisect_left(given, drawn_at[draw]) for draw in range(len(claim.draws))]
    return [*before, len(given)]
