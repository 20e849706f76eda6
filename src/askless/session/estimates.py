"""How many answers may still come and how long they may take: the forecast.

No forecast is made while the test sample is drawn, nor before `_FEW` questions that a planner chose
are answered and it is known how the person says no, nor while its ends would be a factor of
`_VAGUE` apart or more: it would be a guess about a guess. Where that goes on for `_LATEST` answers
the open items are shared out as lately, and of the last `_NEAR` items it is always said how many
answers they may take, from all in one question to each alone and asked about again.

What is expected depends on how the session goes on.

- ``pointed``: the person points, so an answer settles whatever it shows. The open items, as many an
  answer as lately.
- ``growing``: the same while questions are still small because the model is new. They will grow, so
  `GRID` items an answer; nobody can tell where they take so long to read that they will not.
- ``fixed``: yes or no with given probabilities. B, the entropy of the open labels or the bound for
  the most items a question may show where that is more, times the ratio of questions asked
  lately to the information they could have carried, where one with P(yes) = c carries h(c) bits or
  len/max_n of a full question, whichever is larger.
- ``learning``: yes or no with a model that goes on learning, so mostly fewer than B:
  B r^(c1 open/n) (m/n)^c2 for m labels of n, where r is the answers a label took so far over the
  B / open that it should take from now on. Where labels cost no more than the model now promises,
  it has little to learn; the fewer labels it has, the more.

Around that lies a range that held what came in nineteen of twenty simulated runs each way; its
ends are factors (`FACTORS`), by kind and by the share of all answers that seems to be given
already. They and c1, c2 were fitted by experiments/forecast, which says how well the range holds on
pools it was not fitted to.

Time is that of the questions and of the items they will show, at the pace of the latest answers,
with factors of its own. Ends are rounded outwards to two figures, in whole answers and minutes.

All of it follows from the events and the newest probabilities, so whoever reads the session says
the same. Sums over the open items are taken over a systematic sample of `_SAMPLE` items, over all
that are open once those are few. Imported by `askless.session.progress`; tested in
tests/session/test_estimates.py.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.bounds import capped_bound_from_sums
from askless.core.clause import components
from askless.core.entropy import binary_entropy_bits, tied_entropy_bits
from askless.core.events import Answered, Asked
from askless.core.probability import Probs
from askless.core.question import GRID
from askless.core.state import State
from askless.history.history import History
from askless.history.projections import SOURCE
from askless.seams import Planner
from askless.session.pace import BREAK_S, Timed, fit_pace

Kind = Literal["pointed", "growing", "fixed", "learning"]

_SAMPLE: Final = 16_384
_FEW_SAMPLED: Final = 1_000
_CLAUSES: Final = 256
"""The newest clauses are weighed, up to this many; the others count at their mean."""
_PRIOR: Final = 5.0
_LATEST: Final = 60
_SIZES: Final = 20
_FEW: Final = 5
_MANY: Final = 10
"""After this many groups without a no it hardly matters how the person says it."""
_TRUSTED: Final = 170
"""After this many labels the questions of a new model have grown."""
_LONGEST: Final = 20
"""No question is larger than what takes so many times as long to look at as to ask."""
_PACES: Final = 200
MINUTE_S: Final = 60.0
_SHOWN: Final = 50
"""The belief that each item is shown once weighs as much as this many items."""
MOST: Final = 1.25
"""No more answers an open item are ever forecast: with audits there may be more than one."""
_VAGUE: Final = 6.0
_NEAR: Final = 12
_ONE_BY_ONE: Final = (0.8, 1.0, 1.25)
_AS_LATELY: Final = (0.5, 1.0, MOST)
_PAID: Final = 0.6
_LEARNT: Final = 0.28

_AMID: Final = 0.5
DONE: Final = (0.1, 0.2, 0.6)
"""Where the share that seems to be done ends one row of factors and begins the next."""
Factors = tuple[tuple[float, float, float], ...]
FACTORS: Final[Mapping[Kind, Factors]] = {
    "pointed": ((0.98, 1.01, 1.06), (0.92, 1.02, 1.06), (0.69, 1.04, 1.08), (1.02, 1.08, 1.42)),
    "growing": ((1.07, 3.15, 3.23), (1.07, 3.15, 3.23), (1.07, 3.15, 3.23), (1.07, 3.15, 3.23)),
    "fixed": ((0.14, 0.97, 1.66), (0.49, 1.01, 1.23), (0.8, 1.01, 1.34), (0.81, 1.01, 1.24)),
    "learning": ((0.09, 0.63, 1.94), (0.24, 1.0, 2.19), (0.4, 1.22, 1.76), (0.57, 1.06, 1.54)),
}
TIME_FACTORS: Final[Mapping[Kind, Factors]] = {
    "pointed": ((0.79, 1.0, 1.3), (0.84, 1.0, 1.31), (0.95, 1.13, 1.4), (1.02, 1.25, 1.89)),
    "growing": ((0.9, 1.32, 1.69), (0.9, 1.32, 1.69), (0.9, 1.32, 1.69), (0.9, 1.32, 1.69)),
    "fixed": ((0.41, 1.07, 1.61), (0.83, 1.07, 1.49), (0.78, 1.09, 1.27), (0.75, 1.02, 1.31)),
    "learning": ((0.65, 1.22, 1.87), (0.78, 1.15, 1.7), (0.71, 1.12, 1.55), (0.68, 1.02, 1.46)),
}


@dataclass(frozen=True, slots=True)
class Range:
    """What is expected, and between what it lies nine times in ten."""

    low: float
    expected: float
    high: float


class Outlook(NamedTuple):
    """What is expected before it is made a range.

    Parameters
    ----------
    kind
        How the session goes on.
    answers
        How many answers are expected.
    seconds
        How long they take; None if nobody was timed.
    done
        The share of all answers that would then be given already; no more than a half while the
        sizes of questions are little known.
    """

    kind: Kind
    answers: float
    seconds: float | None
    done: float


class _Rate(NamedTuple):
    """How quick the latest answers were."""

    pace: AnnotationCost
    scale: float
    pointed_each: float


class Estimates:
    """Forecasts of one session; remembers the pace it has fitted."""

    def __init__(self) -> None:
        self._rate: tuple[int, _Rate | None] = (0, None)

    def forecast(
        self, history: History, probs: Probs, planner: Planner
    ) -> tuple[Range | None, Range | None]:
        """How many answers may still come, and their seconds; None where nobody can tell yet.

        Parameters
        ----------
        history
            What has happened; its test sample is drawn.
        probs
            What is believed about the open items.
        planner
            Chooses the questions still to come.
        """
        state = history.state
        if state.done:
            return Range(0.0, 0.0, 0.0), Range(0.0, 0.0, 0.0)
        if _one_by_one(history, planner):
            answers = Range(*(float(state.n_open),) * 3)  # no audits come between
            seconds = self._seconds(history, answers.expected)
            return answers, None if seconds is None else spread(seconds, _ONE_BY_ONE, MINUTE_S)
        found = self.outlook(history, probs, planner)
        row = 0 if found is None else bisect_right(DONE, found.done)
        if found is None or is_vague(FACTORS[found.kind][row]):
            return self._as_lately(history, planner)
        answers = spread(found.answers, FACTORS[found.kind][row], 1.0, MOST * state.n_open)
        if found.seconds is None:
            return answers, None
        return answers, spread(found.seconds, TIME_FACTORS[found.kind][row], MINUTE_S)

    def outlook(self, history: History, probs: Probs, planner: Planner) -> Outlook | None:
        """What is expected before it is made a range; None where nobody can tell yet."""
        state, info, latest = history.state, planner.describe(history.state.n), _latest(history)
        groups = [given for _, given in latest if len(given.answer) > 1]
        refuted = [given.answer.kind for given in groups if given.answer.kind != "yes"]
        points = info.answers == "pointed" or "pointed" in refuted
        if len(latest) < _FEW or not (points or refuted or len(groups) >= _MANY):
            return None
        shown = sum(len(given.answer) for _, given in latest)
        small = info.options.get("objective") == "seconds" and planner.max_n in (4, 8, 16)
        growing = small and len(latest) < _LATEST and shown < _TRUSTED
        pace = AnnotationCost.of(info.options.get("seconds") or DEFAULT_COST)
        if growing and GRID * pace.item_s > _LONGEST * pace.question_s:
            return None  # items take so long that questions will not grow to `GRID`
        given = history.tally.of(SOURCE)[1]
        answers, settled = max(1, history.tally.answers), max(1, state.n_settled - given)
        kind: Kind
        if points:
            kind = "growing" if growing else "pointed"
            sizes = [len(given.answer) for _, given in latest[:_SIZES]]
            expected = state.n_open / (GRID if growing else sum(sizes) / len(sizes))
        else:
            cap = GRID if growing else planner.max_n
            bits, wrong = open_sums(probs, state)
            bound = max(1.0, bits - _saved_by_clauses(probs, state))
            if cap is not None:
                bound = max(bound, capped_bound_from_sums(bits, wrong, state.n_open, cap))
            if history.checkpoint:
                kind, n = "learning", settled + state.n_open
                ratio = (answers / settled) / (bound / state.n_open)
                expected = bound * ratio ** (_PAID * state.n_open / n) * (settled / n) ** _LEARNT
            else:
                kind, expected = "fixed", bound * _needed(latest, cap)
        expected = max(1.0, expected)
        seconds = self._seconds(history, expected)
        done = answers / (answers + expected)
        if kind == "pointed" and len(latest) < 2 * _SIZES:
            done = min(done, _AMID)  # the latest sizes are those of questions that were growing
        return Outlook(kind, expected, seconds, done)

    def _as_lately(self, history: History, planner: Planner) -> tuple[Range | None, Range | None]:
        """The open items shared out as lately, where nothing better is known."""
        n_open, latest = history.state.n_open, _latest(history)
        if n_open > _NEAR and len(latest) < _LATEST:
            return None, None
        sizes = [len(given.answer) for _, given in latest[:_SIZES]]
        each = min(n_open, sum(sizes) / max(1, len(sizes)) or 1.0)
        factors, expected = _AS_LATELY, n_open / each
        if n_open <= _NEAR:
            factors = (each / min(n_open, planner.max_n or n_open), 1.0, MOST * each)
        answers = spread(expected, factors, 1.0, math.ceil(MOST * n_open))
        seconds = self._seconds(history, expected)
        return answers, None if seconds is None else spread(seconds, factors, MINUTE_S)

    def _seconds(self, history: History, questions: float) -> float | None:
        """What this many questions take somebody as quick as lately; None if nobody was timed.

        Later questions are smaller, so it is the items that count: each open one will be shown as
        often as the settled ones were, and pointed at as often.
        """
        count = len(history.answers)
        step = 1 << max(0, (count // 16).bit_length() - 1)
        upto = count - count % step  # fitted again after a tenth more answers or so
        if self._rate[0] != upto or self._rate[1] is None:
            self._rate = upto, _rate(history, count - upto)
        rate, state = self._rate[1], history.state
        if rate is None:
            return None
        shown = history.tally.shown + history.tally.of(SOURCE)[1]
        again = (shown + _SHOWN) / (state.n_settled + _SHOWN)
        items = state.n_open * max(1.0, again)
        looking = questions * rate.pace.question_s + items * rate.pace.item_s
        return rate.scale * (looking + items * rate.pointed_each * rate.pace.pointed_s)


def _one_by_one(history: History, planner: Planner) -> bool:
    """Whether every item will be asked alone, whatever is believed.

    A planner that saves seconds may ask so for a while; then it takes some answers to be sure.
    """
    if planner.worst_case_questions(history.state.n_open) > history.state.n_open:
        return False
    if (
        planner.max_n == 1
        or planner.describe(history.state.n).options.get("objective") != "seconds"
    ):
        return True
    lately = [len(given.answer) for _, given in _latest(history)[:_SIZES]]
    return len(lately) == _SIZES and max(lately) == 1


def is_vague(factors: tuple[float, float, float]) -> bool:
    """Whether a range with these factors would be too wide to be worth saying."""
    return factors[2] > _VAGUE * factors[0]


def spread(
    expected: float, factors: tuple[float, float, float], unit: float, most: float = math.inf
) -> Range:
    """The range around what is expected, its ends moved outwards to two figures of a unit."""
    low, middle, high = (expected * factor / unit for factor in factors)
    figures = 10.0 ** max(0, math.floor(math.log10(max(high, 1.0))) - 1)
    low = max(unit, min(unit * figures * math.floor(low / figures), most))
    high = max(unit, min(unit * figures * math.ceil(high / figures), most))
    return Range(low, min(max(unit * middle, low), high), high)


def open_sums(probs: Probs, state: State) -> tuple[float, float]:
    """Entropy and expected wrong guesses of the open items, over a sample of them if many."""
    stride = max(1, state.n // _SAMPLE)
    if stride > 1 and state.n_open < _FEW_SAMPLED * stride:
        p, labels = probs.values[state.open_items()], np.full(state.n_open, -1, np.int8)
    else:
        part = slice(stride // 2, None, stride)
        p, labels = probs.values[part], state.labels(part)
    seen, bits, wrong = _sums(p, labels)
    scale = state.n_open / max(seen, 1)
    return bits * scale, wrong * scale


def _sums(p: NDArray[np.float64], labels: NDArray[np.int8]) -> tuple[int, float, float]:
    """Of the open items among these: their number, entropy and wrong guesses."""
    p = p[labels == -1]
    return len(p), float(np.sum(binary_entropy_bits(p))), float(np.sum(np.minimum(p, 1 - p)))


def _saved_by_clauses(probs: Probs, state: State) -> float:
    """How much less the entropy is because the clauses are known to hold."""
    clauses = state.clauses[-_CLAUSES:]
    if not clauses:
        return 0.0
    items = sorted({item for clause in clauses for item in clause.items})
    alone = float(np.sum(binary_entropy_bits(probs.values[items])))
    tied = sum(tied_entropy_bits(probs.values, group) for group in components(clauses))
    return (alone - tied) * len(state.clauses) / len(clauses)


def _latest(history: History) -> list[tuple[Asked, Answered]]:
    """The latest answers of people that stand, to questions a planner chose."""
    latest: list[tuple[Asked, Answered]] = []
    for number in islice(reversed(history.answers), 10 * _LATEST):
        given = history.answers[number]
        asked = history.asked[given.question_id]
        chosen = asked.chance is not None and asked.check is None and not asked.in_test_sample
        if not chosen or not history.stands(number):
            continue
        if given.annotator == SOURCE:
            continue
        latest.append((asked, given))
        if len(latest) == _LATEST:
            break
    return latest


def _needed(latest: list[tuple[Asked, Answered]], max_n: int | None) -> float:
    """Questions asked for each that would have sufficed had they told all they could."""
    p = np.array([asked.chance or 0.0 for asked, _ in latest])
    share = np.array([len(given.answer) / max_n if max_n else 0.0 for _, given in latest])
    worth = float(np.sum(np.minimum(1.0, np.maximum(binary_entropy_bits(p), share))))
    return max(1.0, (len(latest) + _PRIOR) / (worth + _PRIOR))


def _rate(history: History, skipped: int) -> _Rate | None:
    timed = _timed(history, skipped)
    if not timed:
        return None
    pace = fit_pace(timed).cost
    scale = median(one.seconds / pace.total(1, one.shown, one.pointed) for one in timed)
    pointed_each = sum(one.pointed for one in timed) / sum(one.shown for one in timed)
    return _Rate(pace, scale, pointed_each)


def _timed(history: History, skipped: int) -> list[Timed]:
    """Of the latest answers but the last few: items shown, items pointed at, and seconds taken.

    As measured, or between two answers of one annotator. Breaks are left out, and so are clocks
    that went back.
    """
    after: dict[str, float] = {}
    timed = []
    for number in islice(reversed(history.answers), skipped, skipped + _PACES):
        given = history.answers[number]
        if given.seconds is not None:
            taken = given.seconds
        else:
            taken = after.get(given.annotator, -1.0) - given.at_s
        after[given.annotator] = given.at_s
        if 0 < taken <= BREAK_S:
            timed.append(Timed(len(given.answer), len(given.answer.wrong), taken))
    return timed
