"""How far a session is, and how long it may still take.

Where people point at what is wrong, an answer settles whatever it shows, and what remains is the
open items at as many a question as lately.

Where they say yes or no, what remains is the entropy of the open labels, or the bound for the
most items a question may show where that is more, times two factors that the latest answers have
shown: how many questions were needed for what one could be worth (h(c) bits for a guess with
chance c, or its share of the most items), and how much more or less surprising the answers were
than the probabilities had promised. Both start at 1 with the weight of `_PRIOR` questions and look
back over `_LATEST` answers, since probabilities and planners change. The range is two standard
deviations of the code length either way, and a seventh for the factors.

Nobody needs more than one question an open item, asked alone, so neither guess nor range says more.
Time is that of the questions and of the items they will show, at the pace of the latest answers.
O(n) a call.
Tested in tests/session/test_session.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from statistics import median

import numpy as np

from askless.core.bounds import capped_bound_questions
from askless.core.entropy import binary_entropy_bits, state_entropy_bits
from askless.core.interval import Share
from askless.core.probability import Probs
from askless.seams import Planner
from askless.session.pace import BREAK_S, fit_pace
from askless.session.record import Asked, Given, Record

_PRIOR = 5.0
_LATEST = 60
_SIZES = 20
_PACES = 200
_SHOWN = 50
"""So many items weighs the belief that each is shown once."""
_GRID = 24
"""Items to a question in which people point, before there was one."""


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
        Version of the probabilities in use, as questions name it.
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


def progress_of(
    record: Record, probs: Probs, planner: Planner, version: int | None = None
) -> Progress:
    """Where the session with this record stands.

    Parameters
    ----------
    record
        What has happened.
    probs
        What is believed about the open items.
    planner
        Chooses the questions still to come.
    version
        Of `probs`; None for the highest that a question names.
    """
    state = record.state
    positives = int(np.count_nonzero(state.labels() == 1))
    answers = record.kinds()
    count = sum(answers.values())
    left = _questions_left(record, probs, planner)
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
        seconds_left=_seconds_left(record, left),
        disputes=len(record.disputes),
        agreement=record.agreement,
        probs_version=record.version if version is None else version,
    )


def _questions_left(record: Record, probs: Probs, planner: Planner) -> Range:
    state, max_n = record.state, planner.max_n
    if state.done:
        return Range(0.0, 0.0, 0.0)
    most = float(state.n_open)
    worst = float(planner.worst_case_questions(state.n_open))
    if worst <= most:  # one item a question, whatever is believed
        return Range(worst, worst, worst)
    fewest = 1.0 if max_n is None else state.n_open / max_n
    latest = _latest(record)
    pointed = getattr(planner, "answers", "") == "pointed"
    if pointed or any(given.answer.kind == "pointed" for _, given in latest):
        sizes = [len(given.answer) for _, given in latest[:_SIZES]] or [max_n or _GRID]
        middle = state.n_open / (sum(sizes) / len(sizes))
        return _range(middle, 0.3 * middle, fewest, most)
    p = probs.values[state.open_items()]
    bits = state_entropy_bits(probs.values, state)
    least = max(bits, capped_bound_questions(p, max_n) if max_n is not None else 0.0)
    worth, expected, surprise = _information(latest, max_n)
    needed = max(1.0, (len(latest) + _PRIOR) / (worth + _PRIOR))
    surprising = (surprise + _PRIOR) / (expected + _PRIOR)
    factor = needed * surprising
    middle = min(least * factor, most)
    clear = np.clip(p, 1e-9, 1 - 1e-9)
    spread = math.sqrt(float(np.sum(clear * (1 - clear) * np.log2((1 - clear) / clear) ** 2)))
    return _range(middle, 2 * spread * factor + 0.15 * middle, fewest, most)


def _range(middle: float, slack: float, fewest: float, most: float) -> Range:
    low, expected, high = (
        max(1.0, min(max(value, fewest), most))
        for value in (middle - slack, middle, middle + slack)
    )
    return Range(low, expected, high)


def _latest(record: Record) -> list[tuple[Asked, Given]]:
    """The latest answers that stand, to questions a planner chose."""
    latest: list[tuple[Asked, Given]] = []
    for number in reversed(record.given):
        given = record.given[number]
        asked = record.asked[given.question_id]
        if asked.chance is None or asked.drawn or number in record.retracted:
            continue
        latest.append((asked, given))
        if len(latest) == _LATEST:
            break
    return latest


def _information(
    latest: list[tuple[Asked, Given]], max_n: int | None
) -> tuple[float, float, float]:
    """What yes/no questions could be worth, the bits they promised, the bits they brought."""
    if not latest:
        return 0.0, 0.0, 0.0
    p = np.clip([asked.chance or 0.0 for asked, _ in latest], 1e-6, 1 - 1e-6)
    yes = np.array([given.answer.kind == "yes" for _, given in latest])
    share = np.array([len(given.answer) / max_n if max_n else 0.0 for _, given in latest])
    expected = binary_entropy_bits(p)
    worth = np.minimum(1.0, np.maximum(expected, share))
    surprise = -np.log2(np.where(yes, p, 1 - p))
    return float(np.sum(worth)), float(np.sum(expected)), float(np.sum(surprise))


def _seconds_left(record: Record, left: Range) -> Range | None:
    """What so many questions take somebody as quick as lately; None if nobody was timed.

    Later questions are smaller, so it is the items that count: each open one will be shown as often
    as the settled ones were, and pointed at as often.
    """
    timed = _timed(record)
    if not timed:
        return None
    pace = fit_pace(timed)
    rate = median(s / pace.total(1, shown, pointed) for shown, pointed, s in timed)
    state = record.state
    pointed_each = sum(pointed for _, pointed, _ in timed) / sum(shown for shown, _, _ in timed)
    again = (record.shown + _SHOWN) / (state.n_settled + _SHOWN)

    def taking(questions: float) -> float:
        items = state.n_open * max(1.0, again * questions / max(left.expected, 1.0))
        looking = questions * pace.question_s + items * pace.item_s
        return rate * (looking + items * pointed_each * pace.pointed_s)

    return Range(taking(left.low), taking(left.expected), taking(left.high))


def _timed(record: Record) -> list[tuple[int, int, float]]:
    """Of the latest answers: items shown, items pointed at, and seconds taken.

    As measured, or between two answers of one annotator. Breaks are left out, and so are clocks
    that went back.
    """
    after: dict[str, float] = {}
    timed = []
    for number in islice(reversed(record.given), _PACES):
        given = record.given[number]
        if given.seconds is not None:
            taken = given.seconds
        else:
            taken = after.get(given.annotator, -1.0) - given.at_s
        after[given.annotator] = given.at_s
        if 0 < taken <= BREAK_S:
            timed.append((len(given.answer), len(given.answer.wrong), taken))
    return timed
