"""How far a session is, and how long it may still take.

What remains is the entropy of the open labels, times two factors that the session
itself has shown: how many questions were needed for a bit of expected information, and how
much more surprising the answers were than the probabilities had promised. Both
start at 1 with the weight of `_PRIOR` questions. The range is two standard deviations of the
code length either way, and a tenth for the factors. O(n) a call.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

import numpy as np

from askless.core.bounds import capped_bound_questions
from askless.core.entropy import binary_entropy_bits, state_entropy_bits
from askless.core.interval import Share
from askless.core.probability import Probs
from askless.seams import Planner
from askless.session.record import Record

_PRIOR = 5.0
_PAUSE_S = 120.0
"""A longer gap between two answers is a break, not a question's time."""


@dataclass(frozen=True, slots=True)
class Range:
    """A guess and how far off it may be."""

    low: float
    expected: float
    high: float


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a session stands.

    Parameters
    ----------
    items, settled, open, unsure
        How many there are of each.
    positives, negatives
        How many settled labels are True, and False.
    answers
        How many answers stand, by kind.
    labels_per_answer
        Labels settled for each of them; None before the first.
    questions_left
        How many questions may still come.
    seconds_left
        How long they may take at the pace so far; None before there is one.
    disputes
        How many sets of answers contradict one another.
    agreement
        How many audits were answered as the labels would have it.
    probs_version
        Which probabilities are in use.
    """

    items: int
    settled: int
    open: int
    unsure: int
    positives: int
    negatives: int
    answers: dict[str, int]
    labels_per_answer: float | None
    questions_left: Range
    seconds_left: Range | None
    disputes: int
    agreement: Share
    probs_version: int


def progress_of(record: Record, probs: Probs, planner: Planner) -> Progress:
    """Where the session with this record stands.

    Parameters
    ----------
    record
        What has happened.
    probs
        What is believed about the open items.
    planner
        Chooses the questions still to come.
    """
    state = record.state
    positives = int(np.count_nonzero(state.labels() == 1))
    answers = record.kinds()
    count = sum(answers.values())
    left = _questions_left(record, probs, planner)
    pace_s = _pace_s(record)
    seconds = None
    if pace_s is not None:
        seconds = Range(left.low * pace_s, left.expected * pace_s, left.high * pace_s)
    return Progress(
        items=state.n,
        settled=state.n_settled,
        open=state.n_open,
        unsure=state.n_unsure,
        positives=positives,
        negatives=state.n_settled - positives,
        answers=dict(answers),
        labels_per_answer=state.n_settled / count if count else None,
        questions_left=left,
        seconds_left=seconds,
        disputes=len(record.disputes),
        agreement=record.agreement,
        probs_version=probs.version,
    )


def _questions_left(record: Record, probs: Probs, planner: Planner) -> Range:
    state, max_n = record.state, planner.max_n
    if state.done:
        return Range(0.0, 0.0, 0.0)
    most = float(planner.worst_case_questions(state.n_open))
    if most <= state.n_open:  # one item a question, whatever is believed
        return Range(most, most, most)
    p = probs.values[state.open_items()]
    bits = state_entropy_bits(probs.values, state)
    least = max(bits, capped_bound_questions(p, max_n) if max_n is not None else 0.0)
    asked, expected, surprise = _information(record)
    needed = (asked + _PRIOR) / (expected + _PRIOR)
    surprising = (surprise + _PRIOR) / (expected + _PRIOR)
    middle = min(least * max(1.0, needed) * surprising, most, float(2 * state.n_open))
    clear = np.clip(p, 1e-9, 1 - 1e-9)
    spread = math.sqrt(float(np.sum(clear * (1 - clear) * np.log2((1 - clear) / clear) ** 2)))
    slack = 2 * spread + 0.1 * middle
    high = max(1.0, min(middle + slack, most))
    return Range(max(1.0, middle - slack), max(1.0, middle), high)


def _information(record: Record) -> tuple[int, float, float]:
    """Questions answered, the bits they promised, and the bits their answers brought."""
    chances = []
    for number, given in record.given.items():
        chance = record.asked[given.question_id].chance
        if chance is not None and number not in record.retracted:
            chances.append((chance, given.answer.kind == "yes"))
    if not chances:
        return 0, 0.0, 0.0
    p, yes = (np.array(column, dtype=float) for column in zip(*chances, strict=True))
    p = np.clip(p, 1e-6, 1 - 1e-6)
    surprise = -np.log2(np.where(yes > 0, p, 1 - p))
    return len(p), float(np.sum(binary_entropy_bits(p))), float(np.sum(surprise))


def _pace_s(record: Record) -> float | None:
    """The typical time between two answers of one annotator, breaks left out."""
    last: dict[str, float] = {}
    gaps = []
    for given in record.given.values():
        before = last.get(given.annotator)
        if before is not None and 0 < given.at_s - before < _PAUSE_S:
            gaps.append(given.at_s - before)
        last[given.annotator] = given.at_s
    return median(gaps[-200:]) if gaps else None
