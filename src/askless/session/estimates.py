"""How many questions may still come and how long they may take.

Where people point at what is wrong, an answer settles whatever it shows, and what remains is the
open items at as many a question as lately.

Where they say yes or no, what remains is the entropy of the open labels, or the bound for the
most items a question may show where that is more, times two factors that the latest answers have
shown. The first is the ratio of questions asked to the information they could have carried,
where a question with P(yes) = c carries h(c) bits or len/max_n of a full question, whichever is
larger. The second is how much more surprising the answers were than the probabilities had
promised. Both start at 1 with the weight of `_PRIOR` questions and look back over `_LATEST`
answers, since probabilities and planners change. The range is two standard deviations of the code
length either way, and a seventh for the factors.

Nobody needs more than one question an open item, asked alone, so neither guess nor range says more.
Time is that of the questions and of the items they will show, at the pace of the latest answers.

A call costs O(1). Sums over the open items are kept for slices of the pool, and a call renews one
slice. A pool of up to `_SLICE` items has one slice, so its sums are exact after every answer. In a
larger pool each slice is a systematic sample of it; what was not renewed yet counts at the mean of
what was. Imported by `askless.session.progress` alone; tested in tests/session/test_progress.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askless.core.annotation_cost import AnnotationCost
from askless.core.bounds import capped_bound_from_sums
from askless.core.clause import components
from askless.core.entropy import binary_entropy_bits, tied_entropy_bits
from askless.core.events import Answered, Asked
from askless.core.probability import Probs
from askless.core.question import GRID
from askless.core.state import State
from askless.seams import Planner
from askless.session.history import History
from askless.session.pace import BREAK_S, fit_pace

_SLICE: Final = 16_384
_CLAUSES: Final = 256
"""The newest clauses are weighed, up to this many; the others count at their mean."""
_PRIOR: Final = 5.0
_LATEST: Final = 60
_SIZES: Final = 20
_PACES: Final = 200
_RENEW_PACE: Final = 0.05
"""The pace is fitted again when the number of answers has changed by this share."""
_SHOWN: Final = 50
"""The belief that each item is shown once weighs as much as this many items."""


@dataclass(frozen=True, slots=True)
class Range:
    """A guess and how far off it may be."""

    low: float
    expected: float
    high: float


class _Rate(NamedTuple):
    """How quick the latest answers were."""

    pace: AnnotationCost
    scale: float
    pointed_each: float


class OpenSums:
    """Sums over the open items, renewed slice by slice.

    Parameters
    ----------
    n
        Number of items of the pool.
    """

    def __init__(self, n: int) -> None:
        self._stride = max(1, -(-n // _SLICE))
        self._sums = np.zeros((self._stride, 4))
        self._next = 0
        self._renewed = 0
        self._at: tuple[int, int] | None = None

    @property
    def complete(self) -> bool:
        """Whether every slice was renewed since anything changed."""
        return self._renewed >= self._stride

    def renew(self, probs: Probs, state: State, *, whole: bool = False) -> None:
        """Renew the next slice, or all of them; none if nothing has changed since."""
        if self._at != (at := (state.key, probs.version)):
            self._at, self._renewed = at, 0
        while not self.complete:
            slice_ = slice(self._next, None, self._stride)
            self._sums[self._next] = _sums(probs.values[slice_], state.labels_at(slice_))
            self._next = (self._next + 1) % self._stride
            self._renewed += 1
            if not whole:
                break

    def scaled(self, n_open: int) -> tuple[float, float, float]:
        """Entropy, expected wrong guesses and variance of the code length of the open items."""
        seen, *sums = self._sums.sum(axis=0).tolist()
        bits, wrong, variance = (value * n_open / max(seen, 1.0) for value in sums)
        return bits, wrong, variance


class Estimates:
    """What is left to do in a session, renewed at a cost that does not grow with it.

    Parameters
    ----------
    n
        Number of items of the pool.
    """

    def __init__(self, n: int) -> None:
        self.sums = OpenSums(n)
        self._rate: _Rate | None = None
        self._rated = -1

    def questions_left(
        self, history: History, probs: Probs, planner: Planner, *, whole: bool = False
    ) -> Range:
        """How many questions may still come.

        Parameters
        ----------
        history
            What has happened.
        probs
            What is believed about the open items.
        planner
            Chooses the questions still to come.
        whole
            Whether to renew the sums over all of the pool, which costs O(n).
        """
        state, max_n = history.state, planner.max_n
        if state.done:
            return Range(0.0, 0.0, 0.0)
        most = float(state.n_open)
        worst = float(planner.worst_case_questions(state.n_open))
        if worst <= most:  # one item a question, whatever is believed
            return Range(worst, worst, worst)
        fewest = 1.0 if max_n is None else state.n_open / max_n
        latest = _latest(history)
        pointed = planner.describe(state.n).answers == "pointed"
        if pointed or any(given.answer.kind == "pointed" for _, given in latest):
            sizes = [len(given.answer) for _, given in latest[:_SIZES]] or [max_n or GRID]
            middle = state.n_open / (sum(sizes) / len(sizes))
            return _range(middle, 0.3 * middle, fewest, most)
        self.sums.renew(probs, state, whole=whole)
        bits, wrong, variance = self.sums.scaled(state.n_open)
        least = max(0.0, bits - _saved_by_clauses(probs, state))
        if max_n is not None:
            least = max(least, capped_bound_from_sums(bits, wrong, state.n_open, max_n))
        worth, expected, surprise = _information(latest, max_n)
        needed = max(1.0, (len(latest) + _PRIOR) / (worth + _PRIOR))
        surprising = (surprise + _PRIOR) / (expected + _PRIOR)
        factor = needed * surprising
        middle = min(least * factor, most)
        return _range(middle, 2 * math.sqrt(variance) * factor + 0.15 * middle, fewest, most)

    def seconds_left(self, history: History, left: Range) -> Range | None:
        """What this many questions take somebody as quick as lately; None if nobody was timed.

        Later questions are smaller, so it is the items that count: each open one will be shown as
        often as the settled ones were, and pointed at as often.
        """
        count = len(history.answers)
        if self._rate is None or abs(count - self._rated) > _RENEW_PACE * self._rated:
            self._rate, self._rated = _rate(history), count
        if self._rate is None:
            return None
        pace, scale, pointed_each = self._rate
        state = history.state
        again = (history.tally.shown + _SHOWN) / (state.n_settled + _SHOWN)

        def taking(questions: float) -> float:
            items = state.n_open * max(1.0, again * questions / max(left.expected, 1.0))
            looking = questions * pace.question_s + items * pace.item_s
            return scale * (looking + items * pointed_each * pace.pointed_s)

        return Range(taking(left.low), taking(left.expected), taking(left.high))


def _sums(p: NDArray[np.float64], labels: NDArray[np.int8]) -> tuple[float, float, float, float]:
    """Of the open items among these: their number, entropy, wrong guesses, and variance."""
    p = p[labels == -1]
    clear = np.clip(p, 1e-9, 1 - 1e-9)
    variance = np.sum(clear * (1 - clear) * np.log2((1 - clear) / clear) ** 2)
    return (
        len(p),
        float(np.sum(binary_entropy_bits(p))),
        float(np.sum(np.minimum(p, 1 - p))),
        variance,
    )


def _saved_by_clauses(probs: Probs, state: State) -> float:
    """How much less the entropy is because the clauses are known to hold."""
    clauses = state.clauses[-_CLAUSES:]
    if not clauses:
        return 0.0
    items = sorted({item for clause in clauses for item in clause.items})
    alone = float(np.sum(binary_entropy_bits(probs.values[items])))
    tied = sum(tied_entropy_bits(probs.values, group) for group in components(clauses))
    return (alone - tied) * len(state.clauses) / len(clauses)


def _range(middle: float, slack: float, fewest: float, most: float) -> Range:
    low, expected, high = (
        max(1.0, min(max(value, fewest), most))
        for value in (middle - slack, middle, middle + slack)
    )
    return Range(low, expected, high)


def _latest(history: History) -> list[tuple[Asked, Answered]]:
    """The latest answers that stand, to questions a planner chose."""
    latest: list[tuple[Asked, Answered]] = []
    for number in islice(reversed(history.answers), 10 * _LATEST):
        given = history.answers[number]
        asked = history.asked[given.question_id]
        if asked.chance is None or asked.in_test_sample or not history.stands(number):
            continue
        latest.append((asked, given))
        if len(latest) == _LATEST:
            break
    return latest


def _information(
    latest: list[tuple[Asked, Answered]], max_n: int | None
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


def _rate(history: History) -> _Rate | None:
    timed = _timed(history)
    if not timed:
        return None
    pace = fit_pace(timed)
    scale = median(s / pace.total(1, shown, pointed) for shown, pointed, s in timed)
    pointed_each = sum(pointed for _, pointed, _ in timed) / sum(shown for shown, _, _ in timed)
    return _Rate(pace, scale, pointed_each)


def _timed(history: History) -> list[tuple[int, int, float]]:
    """Of the latest answers: items shown, items pointed at, and seconds taken.

    As measured, or between two answers of one annotator. Breaks are left out, and so are clocks
    that went back.
    """
    after: dict[str, float] = {}
    timed = []
    for number in islice(reversed(history.answers), _PACES):
        given = history.answers[number]
        if given.seconds is not None:
            taken = given.seconds
        else:
            taken = after.get(given.annotator, -1.0) - given.at_s
        after[given.annotator] = given.at_s
        if 0 < taken <= BREAK_S:
            timed.append((len(given.answer), len(given.answer.wrong), taken))
    return timed
