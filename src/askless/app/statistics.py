"""What people want to see, read off a session: pure functions, nothing is changed.

The curve compares answers with the labels they settled. An answer that was expected with
probability p tells h(p) bits, one at most; the bound shows when the same labels would have been
settled had every yes or no told a whole bit. Pointed answers can beat it.
Tested in tests/web/test_browsing.py.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Final

import numpy as np

from askless.core.entropy import binary_entropy_bits
from askless.core.interval import Share
from askless.core.state import State, learn
from askless.errors import Contradiction
from askless.history.history import History
from askless.history.projections import SOURCE

POINTS: Final = 500
_TELLING: Final = 10
"""Of fewer planted items, the interval of the share overlooked says nothing."""
_BREAK_S: Final = 60.0
_BREAK_MEDIANS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Curve:
    """Labels settled after so many answers, and the most that could have been."""

    answers: list[int]
    labels: list[int]
    bound: list[float]


class CurveReader:
    """Labels against answers; remembers how far it has read.

    Parameters
    ----------
    n
        Items in the pool.
    """

    def __init__(self, n: int) -> None:
        self._n = n
        self._start()

    def _start(self) -> None:
        self._state = State.blank(self._n)
        self._read: list[int] = []
        self._labels, self._bits = [0], [0.0]

    def read(self, history: History) -> Curve:
        """The curve of every answer that stands, thinned to `POINTS` points."""
        standing = [
            number
            for number, given in history.answers.items()
            if history.stands(number) and given.annotator != SOURCE
        ]
        if standing[: len(self._read)] != self._read:
            self._start()
        for number in standing[len(self._read) :]:
            given = history.answers[number]
            with contextlib.suppress(Contradiction):  # evidence in a dispute settles nothing
                self._state = learn(self._state, given.answer)
            chance = history.asked[given.question_id].chance
            told = 1.0 if chance is None else float(binary_entropy_bits(np.array(chance)))
            self._read.append(number)
            self._labels.append(self._state.n_settled)
            self._bits.append(self._bits[-1] + told)
        return self._thinned()

    def _thinned(self) -> Curve:
        count = len(self._labels) - 1
        picked = np.unique(np.linspace(0, count, min(POINTS, count + 1)).round().astype(int))
        bits, labels = np.array(self._bits), np.array(self._labels)
        reached = np.searchsorted(bits, picked, side="right") - 1
        bound = np.maximum.accumulate(np.maximum(labels[reached], labels[picked]))
        return Curve(picked.tolist(), labels[picked].tolist(), bound.astype(float).tolist())


@dataclass(frozen=True, slots=True)
class Audits:
    """How audits were answered.

    Parameters
    ----------
    asked, missed
        How many, and how many were not answered as the labels say.
    planted, overlooked
        Wrong items hidden in them, and how many of these were overlooked.
    low, high
        The 95 % interval of the share overlooked; None while that says nothing.
    """

    asked: int
    missed: int
    planted: int
    overlooked: int
    low: float | None
    high: float | None


def audits(history: History) -> Audits:
    """How the audits so far were answered."""
    right = history.audits.agreement
    planted, overlooked = history.audits.errors()
    low = high = None
    if planted >= _TELLING:
        low, high = Share(overlooked, planted).interval
    return Audits(right.trials, right.trials - right.hits, planted, overlooked, low, high)


def seconds_per_label(history: History, settled: int) -> float | None:
    """Seconds the person looked for each label settled; None where nobody measured."""
    timed, seconds = history.tally.looked_s(_BREAK_S, _BREAK_MEDIANS)
    settled -= history.tally.of(SOURCE)[1]
    if not timed or settled <= 0:
        return None
    share = timed / max(1, history.tally.answers)
    return seconds / (settled * share)
