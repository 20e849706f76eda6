"""Sampling schedules: which items to ask about first, so that the answers are a random sample.

The surest items teach a predictor least, and whole clusters of wrong guesses hide among them, so
labels that come in the planner's order say too little about the rest. A schedule marks some items
as priority, as a mask; the planner groups among them as it likes.

| schedule | priority items |
|---|---|
| planner-order | none: the planner chooses among all items from the first question on |
| random-rounds | random rounds through the whole pool, each half as large again as all before |
| random-rounds-then-planner-order | such rounds through three per cent of the pool |

With all of the pool in rounds the fewest questions are needed; three per cent give the first
labels soonest. This is simple random sampling in growing batches; it is not active learning, which
picks the items a model would learn most from. The measured comparison is in experiments/scratch,
where uncertainty sampling and variance sampling were never best.

`choose_schedule` is the schedule of a session, which may have to do with two kinds of
probabilities, given ones and learnt ones. Cost: O(n) when a round ends, O(1) otherwise. A schedule
that chooses among all is None. Tested in tests/planners/test_schedule.py.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.core.state import State
from askless.errors import InvalidInput, UnknownPart
from askless.seams import Priority, Schedule

ScheduleName = Literal["planner-order", "random-rounds", "random-rounds-then-planner-order"]
DEFAULT_SCHEDULE: Final[dict[str, ScheduleName]] = {
    "questions": "random-rounds",
    "labels": "random-rounds-then-planner-order",
    "seconds": "random-rounds-then-planner-order",
}
"""The best schedule for each objective, while a predictor learns."""

_EARLIER_NAMES: Final[dict[str, ScheduleName]] = {
    "easy": "planner-order",
    "rounds": "random-rounds",
    "rounds-then-easy": "random-rounds-then-planner-order",
    "uncertain": "random-rounds",
    "variance": "random-rounds",
    "variance-then-easy": "random-rounds-then-planner-order",
}
"""Names that stored sessions may have; the last three are of schedules that are gone."""

_WARMUP_SHARE: Final = 0.03
_FIRST_ROUND: Final = 16
_FIRST_ROUND_OF_GIVEN: Final = 32
"""Recalibration needs more labels than learning before it may be trusted."""
_LAST_ROUND_OF_GIVEN: Final = 0.9
_GROWTH: Final = 1.5
_LEFT_OPEN: Final = 0.1
"""The share of a round that may still be open when the next begins: nobody waits for the last."""


def schedule_names() -> tuple[str, ...]:
    """Every name `make_schedule` accepts."""
    return get_args(ScheduleName)


def present_name(name: str) -> str:
    """The schedule's name today, for one that a stored session may give by an earlier name."""
    return _EARLIER_NAMES.get(name, name)


def random_order(n: int, seed: int) -> NDArray[np.intp]:
    """The items in the random order that rounds with this seed follow."""
    return np.random.default_rng(seed).permutation(n)


def make_schedule(name: str, n: int, *, seed: int = 0) -> Schedule | None:
    """The schedule called `name` for a pool of `n` items; None if it has no priority items.

    Raises
    ------
    UnknownPart
        No schedule has that name.
    """
    if name not in schedule_names():
        raise UnknownPart("schedule", name, schedule_names())
    if name == "planner-order":
        return None
    return RandomRounds(n, share=1.0 if name == "random-rounds" else _WARMUP_SHARE, seed=seed)


def choose_schedule(
    given: Probs,
    *,
    recalibrate: bool = True,
    sample: float = 1.0,
    schedule: str = DEFAULT_SCHEDULE["seconds"],
    seed: int = 0,
) -> Schedule | None:
    """The schedule of a session.

    Parameters
    ----------
    given
        What the session is opened with. One half for all items stands for nothing known, and
        then the planner chooses until a predictor has learnt something.
    recalibrate
        Whether given probabilities are recalibrated, and need a random sample for it.
    sample
        The share of the pool asked in random rounds for that: 1 for the fewest questions, 0.01 or
        so for many labels soon, 0 for no rounds. Below 1 they begin with the first wrong guess.
    schedule
        The name of the schedule while a predictor learns.
    seed
        Fixes the rounds.
    """
    if not 0.0 <= sample <= 1.0:
        raise InvalidInput(f"sample is a share of the pool, from 0 to 1; got {sample}.")
    n, first = len(given), None
    large = n >= 2 * _FIRST_ROUND_OF_GIVEN
    if large and recalibrate and sample > 0.0 and not np.all(given.values == 0.5):
        share = min(max(sample, _FIRST_ROUND_OF_GIVEN / n), _LAST_ROUND_OF_GIVEN)
        rounds = RandomRounds(n, share=share, first_round=_FIRST_ROUND_OF_GIVEN, seed=seed)
        first = rounds if sample == 1.0 else OnceRefuted(rounds)
    later = make_schedule(schedule, n, seed=seed)
    return None if first is None and later is None else GivenThenLearnt(given, first, later)


class RandomRounds:
    """Random rounds, each with all items of those before it and half as many again.

    Parameters
    ----------
    n
        How many items the pool has.
    share
        How much of the pool the rounds go through.
    first_round
        How many items are in the first.
    seed
        Fixes the random order.
    """

    def __init__(
        self, n: int, *, share: float = 1.0, first_round: int = _FIRST_ROUND, seed: int = 0
    ) -> None:
        self._order = random_order(n, seed)
        self._ends: list[int] = []
        size = float(first_round)
        while size <= share * n:
            self._ends.append(int(size))
            size *= _GROWTH
        self._end = 0
        self._priority: Priority | None = None
        # While the number of open items is in this range, the round cannot have changed.
        self._above, self._most = 0.0, -1

    def __call__(self, probs: object, state: State) -> Priority | None:
        """The items of the round that is on, whatever the probs; None when all rounds are over."""
        if self._above < state.n_open <= self._most:
            return self._priority
        still_open = np.cumsum(state.labels()[self._order] == -1)
        excess = {end: float(still_open[end - 1]) - _LEFT_OPEN * end for end in self._ends}
        end = next((end for end in self._ends if excess[end] > 0.0), 0)
        self._above = state.n_open - excess[end] if end else -1.0
        self._most = state.n_open
        if end != self._end:
            self._end, self._priority = end, self._mask(end) if end else None
        return self._priority

    def _mask(self, end: int) -> Priority:
        mask = np.zeros(len(self._order), dtype=np.bool_)
        mask[self._order[:end]] = True
        mask.flags.writeable = False
        return mask


class OnceRefuted:
    """Another schedule, from the first wrong guess on; until then there is nothing to correct.

    Parameters
    ----------
    schedule
        The other one.
    """

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule

    def __call__(self, probs: Probs, state: State) -> Priority | None:
        """What the other says, unless every label so far is as guessed."""
        if not state.clauses:
            labels = state.labels()
            settled = labels >= 0
            if np.array_equal(labels[settled] == 1, probs.values[settled] >= 0.5):
                return None
        return self._schedule(probs, state)


class GivenThenLearnt:
    """One schedule for the probabilities a session was opened with, another for learnt ones.

    Parameters
    ----------
    given
        What the session was opened with; told from others by its values.
    first, later
        The schedule for these, and for any other probabilities; None to let the planner choose.
    """

    def __init__(self, given: Probs, first: Schedule | None, later: Schedule | None) -> None:
        self._given, self._first, self._later = given, first, later
        self._probs: Probs | None = None
        self._now: Schedule | None = None

    def __call__(self, probs: Probs, state: State) -> Priority | None:
        """The priority items of the schedule for these probabilities."""
        if probs is not self._probs:
            self._probs = probs
            is_given = np.array_equal(probs.values, self._given.values)
            self._now = self._first if is_given else self._later
        return None if self._now is None else self._now(probs, state)
