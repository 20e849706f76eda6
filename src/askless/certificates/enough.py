"""The policy for a promise: when to learn, settle, freeze and check.

    session = Session(..., policy=PromisePolicy(Promise.parse("1%")))

1. **Learn** from items drawn at random while that makes what is left to do cheaper by more than it
   costs. What is left is priced by `askless.certificates.price`, after the labels that are to come
   have made the predictor better at the pace seen so far.
2. **Settle** the most doubtful items while settling is cheaper than checking them, and with them
   some at random, so that the predictor's count of its own errors stays fair. Doubtful items
   teach too: once they are settled, none are drawn to learn from alone.
3. **Freeze** the guesses once nothing is worth settling first.
4. **Check**. Where the checks show more wrong labels than expected, settle again, the items whose
   prediction has changed since first; where a new claim is cheaper in spite of its smaller share of
   alpha, freeze again; where nothing is to be gained any more, label the rest.

Every chance of an error is corrected by what random items have shown
(`askless.certificates.record`). Whatever is decided can only make the certificate later, never
false (`askless.certificates.policy`).
Cost: O(n log n) a decision. Imported by `askless.assemble.method`; tested in
tests/certificates/test_enough.py. Reasons and what was tried: docs/decisions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.certificates.policy import Check, Decision, Enough, Freeze, Learn, Settle
from askless.certificates.price import (
    Course,
    Prices,
    cheapest,
    check_size,
    nats_needed,
    reduced,
)
from askless.certificates.record import Record
from askless.certificates.standing import Standing
from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.claim import Form
from askless.core.claimed import Mask
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import GRID
from askless.core.state import State
from askless.history.claims import alpha_of
from askless.seams import Objective

Floats = NDArray[np.float64]

LEAST: Final = 0.03
"""Nothing is frozen before this share of the pool is labelled, and `_FIRST` items."""
_FIRST: Final = 32
_GROWTH: Final = 0.12
"""A batch of random items holds so many for each label known."""
_BATCH: Final = 0.05
"""The share of the accepted items that is settled between checks."""
_RANDOM_SHARE: Final = 0.2
"""Of a batch of doubtful items before the freeze."""
_BETWEEN: Final = 3
"""Checks between two batches, so that one unlucky no does not settle the pool."""
WORTH: Final = 0.95
"""A promise is kept by checks if that costs less than this share of labelling everything."""
_CLOSE: Final = 1.1
"""Checking at once may cost so many times what the best course costs."""
MORE_LABELS: Final = (1.0, 1.06, 1.12, 1.25, 1.5, 1.8, 2.2, 3.0, 4.0, 6.0, 9.0, 14.0, 24.0)
_CLAIMS: Final = 3
"""So many are made at most."""
_LEAST_NATS: Final = 0.05


@dataclass(frozen=True)
class PromisePolicy:
    """Keeps a promise with few questions, or in little time.

    Parameters
    ----------
    promise
        What is to hold.
    form
        How checks are answered.
    max_n
        The most items a check shows; None for no cap.
    same_guess
        Whether a question guesses one label alone, so that checks do too.
    objective
        What to save.
    pace
        What a question, an item shown and an item pointed at take.
    seed
        Fixes the order in which items are drawn to learn from.
    draw_seed
        Fixes the draws of checks, in the lab alone; None for the operating system's entropy.
    record
        What was seen so far; for speed alone.
    """

    promise: Promise
    form: Form = "yes-no"
    max_n: int | None = GRID
    same_guess: bool = True
    objective: Objective = "questions"
    pace: AnnotationCost = DEFAULT_COST
    seed: int = 0
    draw_seed: int | None = None
    record: Record = field(default_factory=Record, compare=False, repr=False)

    @property
    def prices(self) -> Prices:
        """What answers cost."""
        return Prices(self.form, self.max_n, self.objective, self.pace)

    def decide(self, probs: Probs, state: State, standing: Standing) -> Decision:
        """See `Policy`."""
        if standing.enough:
            return Enough()
        can_be_proved = self._can_be_proved(standing)
        if standing.claim is not None and can_be_proved and not self._is_due(probs, standing):
            return self._check(standing)
        view = View.of(probs, state, standing, self.promise)
        self._look(view)
        self.record.weighed_with = probs, _noes(standing)
        if standing.claim is not None and not can_be_proved:
            return self._freeze(view)
        return (self._before_the_freeze if standing.claim is None else self._under_a_claim)(view)

    def _look(self, view: View) -> None:
        """Correct the chances of errors by what random items have shown."""
        record, standing = self.record, view.standing
        record.note(view.labels, view.said_of_those, standing.claim)
        record.look(view.cut(), standing.checks.yes, _noes(standing))
        view.ratio = record.ratio
        record.allowed = view.allowed
        record.said = view.said_on_average()

    def _can_be_proved(self, standing: Standing) -> bool:
        """Whether the claim can prove this promise: it may be of mixed checks, or less sure."""
        recall = self.promise.kind == "recall"
        return standing.at_most is not None and (not recall or bool(standing.strata))

    def _is_due(self, probs: Probs, standing: Standing) -> bool:
        """Whether to weigh what to do under a claim, or just to check: that is quick.

        A yes speaks for checking, so it is weighed after a no, or when the predictor has learnt.
        """
        record, checks = self.record, standing.checks
        if standing.claim != record.claim:
            return True
        before, noes = record.weighed_with
        if probs is before and noes == _noes(standing):
            return False
        return checks.asked >= record.settled_at + _BETWEEN and (
            checks.asked >= record.weighed_at + _BETWEEN or not checks.asked
        )

    # --- before the freeze --------------------------------------------------------------------

    def _before_the_freeze(self, view: View) -> Decision:
        closed, n = view.closed, len(view.labels)
        if closed < max(LEAST * n, min(_FIRST, n / 4)):
            return self._learn(view, max(self._least, math.ceil(0.25 * closed)))
        nats = nats_needed(view.standing.alpha)
        courses = self._courses(view, nats)
        if not courses:
            return self._freeze(view)
        best = min(range(len(courses)), key=lambda at: courses[at][0])
        now = courses[0][1]
        if courses[best][0] > WORTH * now.everything:
            return Learn(until=closed + max(8, math.ceil(_GROWTH * closed)))
        if best and self.record.learning:
            return self._learn(view, max(self._least, math.ceil(_GROWTH * closed)))
        if now.at_once <= _CLOSE * now.cost:
            return self._freeze(view)
        count = min(now.settle, max(16, math.ceil(_GROWTH * closed)))
        return self._settle(view, count, max(1, math.ceil(_RANDOM_SHARE * count)))

    @property
    def _least(self) -> int:
        """Of random items: by pointing a grid of each guess, since others would fill it up."""
        return 2 * min(GRID, self.prices.grid) if self.form == "pointed" else 8

    def _courses(self, view: View, nats: float) -> list[tuple[float, Course]]:
        """For each number of labels to learn from first: what it costs in all, and then."""
        slope, closed = self.record.slope(), max(1, view.closed)
        wrong, weight = view.falling()
        total, each = len(wrong) * weight, self.prices.settling(wrong)
        found = []
        for more in MORE_LABELS:
            added = (more - 1) * closed
            if added >= total:
                break
            less, left = more**-slope, weight * (1 - added / total)
            course = cheapest(self.prices, wrong * less, view.allowed, nats, left)
            found.append((added * float(each.mean()) * (1 + less) / 2 + course.cost, course))
        return found

    def _learn(self, view: View, count: int) -> Learn:
        items = view.at_random(count, self.seed)
        self.record.draw(items, view.said, view.guess)
        return Learn(view.mask(items), view.closed + math.ceil(0.9 * len(items)))

    def _freeze(self, view: View) -> Freeze:
        guesses = view.latest
        strata = self.same_guess or self.promise.kind == "recall"
        parts = [view.is_open & ~guesses, view.is_open & guesses] if strata else [view.is_open]
        doubt = view.wrong()
        wrong = np.minimum(doubt, 1 - doubt)  # of the likelier label
        expected = tuple(float(wrong[part].sum()) for part in parts)
        claims = view.standing.claims
        seed = None if self.draw_seed is None else f"{self.draw_seed:016x}{claims:08x}"
        return Freeze(guesses, expected, self.form, strata, seed=seed)

    # --- under a claim ------------------------------------------------------------------------

    def _under_a_claim(self, view: View) -> Decision:
        standing, record = view.standing, self.record
        record.weighed_at = standing.checks.asked
        wrong, weight = view.falling()
        course = cheapest(self.prices, wrong, view.allowed, self._nats(standing), weight)
        wanted, record.wanted = record.wanted, course.at_once > _CLOSE * course.cost
        if not (wanted and record.wanted) or standing.checks.asked < _BETWEEN:
            return self._check(standing)  # one surprise is not enough to settle hundreds
        if standing.claims < _CLAIMS and course.cost > self._of_a_new_claim(view) / 0.8:
            return self._freeze(view)
        record.settled_at, record.wanted = standing.checks.asked, False
        if course.settle >= np.count_nonzero(view.counts):
            return Learn(until=view.closed + max(8, math.ceil(_BATCH * standing.accepted)))
        count = min(course.settle, max(8, math.ceil(_BATCH * standing.accepted)))
        return self._settle(view, count, 0)

    def _nats(self, standing: Standing) -> float:
        """The evidence that is still missing."""
        if standing.missing_nats is None or not standing.checks.asked:
            return nats_needed(standing.alpha)
        return max(_LEAST_NATS, standing.missing_nats)

    def _of_a_new_claim(self, view: View) -> float:
        """What the rest would cost with the guesses of now and the next share of alpha."""
        wrong, weight = view.falling()
        fresh = np.minimum(wrong, 1 - wrong)
        nats = nats_needed(alpha_of(self.promise, view.standing.claims))
        return cheapest(self.prices, fresh, view.allowed, nats, weight).cost

    def _settle(self, view: View, doubtful: int, at_random: int) -> Settle:
        self.record.learning = False
        chosen = view.most_doubtful(doubtful)
        if at_random:
            items = view.at_random(at_random, self.seed)
            self.record.draw(items, view.said, view.guess)
            chosen = np.union1d(chosen, items)
        return Settle(view.mask(chosen), view.closed + math.ceil(0.9 * len(chosen)))

    def _check(self, standing: Standing) -> Check:
        record, stratum, left = self.record, 0, max(1, standing.accepted)
        allowed = record.allowed if standing.allowed is None else float(standing.allowed)
        if standing.strata:
            stratum = self._stratum(standing)
            left = max(1, standing.strata[stratum].accepted)
            if stratum and self.promise.kind == "recall":
                allowed = float(left)
        rate, nats = record.said[stratum], self._nats(standing)
        expected = min(record.ratio * rate, 0.5) * left
        size = check_size(self.prices, left, expected, allowed, nats)
        items = size.items
        if size.nats_per_cost <= 0:  # what would tell most if fewer were wrong than seems
            items = math.ceil(1.6 * left / (allowed + 1))
            items = max(1, min(items, self.max_n or items))
        record.rates.append((rate, items))
        return Check(items, stratum)

    def _stratum(self, standing: Standing) -> int:
        """Of which the smaller share has been checked; for recall few positives are enough."""
        recall = self.promise.kind == "recall"
        if recall and (standing.recall_at_least or 0.0) >= self.promise.value:
            return 1  # the labels positive have to be right, too: `LEAST_PRECISION`
        shares = [one.checked / max(1, one.accepted) for one in standing.strata]
        stratum = int(shares[1] < (self.promise.missed_per_found if recall else 1.0) * shares[0])
        return stratum if standing.strata[stratum].accepted else 1 - stratum


@dataclass
class View:
    """What a decision is about."""

    standing: Standing
    promise: Promise
    labels: NDArray[np.int8]
    is_open: Mask
    latest: Mask
    """The likelier label of each item."""
    guess: Mask
    """The frozen guess where there is a claim, else the likelier label."""
    said: Floats
    """The chance that the guess is wrong, as the predictor says."""
    counts: Mask
    """The open items whose guess matters to the promise."""
    positives: float
    """For recall alone: how many there are expected to be."""

    @classmethod
    def of(cls, probs: Probs, state: State, standing: Standing, promise: Promise) -> View:
        """The situation now."""
        labels, values = state.labels(), probs.values
        is_open, latest = labels == -1, values >= 0.5
        guess = latest if standing.guesses is None else standing.guesses
        wrong = np.subtract(guess, values)
        said = _given_clauses(np.abs(wrong, out=wrong), guess, state)
        counts, positives = is_open, 0.0
        if promise.kind == "recall":
            counts = is_open & ~guess
            positives = float(np.count_nonzero(labels == 1) + values[is_open & guess].sum())
        return cls(standing, promise, labels, is_open, latest, guess, said, counts, positives)

    def __post_init__(self) -> None:
        self.closed = len(self.labels) - int(np.count_nonzero(self.is_open))
        self.ratio = 1.0
        """How many times as many guesses are wrong as the predictor says."""
        self.allowed = float(self._allowed())
        """How many of the guesses that count may be wrong."""
        self.said_of_those = self.said[self.counts]
        """The chance that the guess is wrong, of those that count alone."""
        self._said_falling, self._weight = reduced(self.said_of_those)

    def wrong(self) -> Floats:
        """The chance that each guess is wrong, corrected."""
        return _corrected(self.said, self.ratio)

    def falling(self) -> tuple[Floats, float]:
        """The same of the items that count, as `askless.certificates.price.reduced` has it."""
        return _corrected(self._said_falling, self.ratio), self._weight

    def said_on_average(self) -> list[float]:
        """The mean chance that a guess is wrong: of all open items, or of each stratum."""
        if not self.standing.strata:
            return [_mean(self.said[self.is_open])]
        return [_mean(self.said[self.is_open & part]) for part in (~self.guess, self.guess)]

    def cut(self) -> float:
        """No surer item than this needs settling first, more or less."""
        rising = self._said_falling[::-1]
        rest = np.searchsorted(np.cumsum(rising) * self._weight, self.allowed / 2)
        return 0.5 if rest >= len(rising) else float(max(rising[rest], 1e-3))

    def at_random(self, count: int, seed: int) -> NDArray[np.intp]:
        """The next open items in an order that is fixed and random."""
        order = np.random.default_rng(seed).permutation(len(self.labels))
        return order[self.is_open[order]][:count]

    def most_doubtful(self, count: int) -> NDArray[np.intp]:
        """The items that count, likeliest wrong first."""
        items = np.flatnonzero(self.counts)
        return items[np.argsort(-self.wrong()[items], kind="stable")[:count]]

    def mask(self, items: NDArray[np.intp]) -> Mask:
        """These items, marked."""
        mask = np.zeros(len(self.labels), dtype=np.bool_)
        mask[items] = True
        return mask

    def _allowed(self) -> float:
        if self.standing.allowed is not None:
            return self.standing.allowed
        if self.promise.kind == "recall":
            return self.promise.missed_per_found * self.positives
        n_open = int(np.count_nonzero(self.is_open))
        return self.promise.allowed(self.standing.settled + n_open, n_open)


def _corrected(said: Floats, ratio: float) -> Floats:
    """Chances of being wrong, so many times what was said; their order stays."""
    if ratio < 1:
        return np.where(said < 0.5, ratio * said, said)
    return np.maximum(said, np.minimum(ratio * said, 0.5))


def _given_clauses(wrong: Floats, guess: Mask, state: State) -> Floats:
    """The chances that guesses are wrong, given that each refuted group holds a wrong one."""
    raised = wrong.copy() if state.clauses else wrong
    for clause in state.clauses:
        items = np.array([item for item, label in clause.pairs if guess[item] == label])
        if len(items) == len(clause.pairs):
            chance = -np.expm1(np.log1p(-np.minimum(wrong[items], 1 - 1e-9)).sum())
            given = np.minimum(wrong[items] / max(chance, 1e-12), 1.0)
            raised[items] = np.maximum(raised[items], given)
    return raised


def _mean(chances: Floats) -> float:
    return float(chances.mean()) if len(chances) else 0.0


def _noes(standing: Standing) -> int:
    """Checks that found something wrong."""
    return standing.checks.no + standing.checks.pointed
