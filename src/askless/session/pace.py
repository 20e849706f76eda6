"""How quick a person is, learnt from the answers given so far.

    seconds = a + b * items shown + c * items pointed at + d * hundreds of characters read

Without texts the last term is nothing. Fitted by least squares in which an answer that took much
longer than the others pulls no harder than a moderately slow one (Huber 1964), after breaks have
been left out. A usual pace stands in for what has not been seen: it weighs as much as `_PRIOR`
answers, so the first answers move it a little and hundreds replace it. No coefficient is below a
small positive number. O(1): only the latest answers count. Tested in tests/session/test_pace.py.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np

from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.events import Answered
from askless.history.history import History

BREAK_S: Final = 120.0
"""Whoever took longer was doing something else."""

READING_S: Final = 2.0
"""Seconds to read a hundred characters, for somebody about whom nothing is known.

Adults read 238 words of English a minute (Brysbaert 2019, a review of 190 studies), which is 4.4
seconds a hundred characters; a label is often clear before the end, hence half of it."""

_LEAST: Final = (0.05, 0.01, 0.05, 0.02)
_PRIOR: Final = 10.0
_HUBER: Final = 1.5
_ROUNDS: Final = 12
_RECENT: Final = 300


class Timed(NamedTuple):
    """One answer: how many items it showed and pointed at, its seconds, the characters read."""

    shown: int
    pointed: int
    seconds: float
    characters: int = 0


class Pace(NamedTuple):
    """What a person takes: seconds that do not depend on reading, and those that do."""

    cost: AnnotationCost = DEFAULT_COST
    reading_s: float = READING_S
    """For a hundred characters."""

    def item_s(self, characters: float) -> float:
        """To look at one item whose text is so long."""
        return self.cost.item_s + self.reading_s * characters / 100

    def cost_at(self, characters: float) -> AnnotationCost:
        """The cost of answers about items whose texts are so long."""
        return self.cost._replace(item_s=round(self.item_s(characters), 4))


def fit_pace(seen: Iterable[Timed]) -> Pace:
    """The pace of whoever gave these answers."""
    known = [
        (1.0, one.shown, one.pointed, one.characters / 100, one.seconds)
        for one in seen
        if 0 < one.seconds <= BREAK_S
    ]
    if not known:
        return Pace()
    table = np.array(known[-_RECENT:], dtype=float)
    x, taken = table[:, :4], table[:, 4]
    usual = np.array([*DEFAULT_COST, READING_S])
    # Somebody slow is slow at everything, so the usual pace is first scaled to the person.
    scale = float(np.median(taken) / np.median(x @ usual))
    prior = usual * (scale * len(taken) + _PRIOR) / (len(taken) + _PRIOR)
    # One usual answer shows some eight items, points at one and reads a hundred characters of
    # each: what each coefficient is worth.
    strength = _PRIOR * np.array([1.0, 64.0, 1.0, 64.0])
    pace = prior
    for _ in range(_ROUNDS):
        off = np.abs(taken - x @ pace)
        spread = max(1.4826 * float(np.median(off)), 0.05)
        weight = np.minimum(1.0, _HUBER * spread / np.maximum(off, 1e-9))
        left = (x * weight[:, None]).T @ x + np.diag(strength)
        right = (x * weight[:, None]).T @ taken + strength * prior
        pace = np.maximum(np.linalg.solve(left, right), _LEAST)
    a, b, c, d = (round(float(value), 4) for value in pace)
    return Pace(AnnotationCost(a, b, c), d)


def no_text(item: int) -> int:
    """No characters, as in a picture."""
    return 0


def pace_of(history: History, annotator: str, characters: Callable[[int], int] = no_text) -> Pace:
    """How quick this annotator has been in this session.

    Measured seconds are taken where there are some; otherwise the time between two answers, if it
    went forward.

    Parameters
    ----------
    history
        What has happened.
    annotator
        Whose pace it is.
    characters
        How long the text of an item is.
    """
    seen: list[Timed] = []
    after: Answered | None = None
    # From the newest back, as far as `fit_pace` looks.
    for number in heapq.merge(
        reversed(history.answers), reversed(history.audits.answers), reverse=True
    ):
        given = history.answer(number)
        if given is None or given.annotator != annotator or given.corrects is not None:
            continue
        _time(after, given.at_s, characters, seen)
        after = given
        if len(seen) == _RECENT:
            break
    else:
        _time(after, None, characters, seen)
    return fit_pace(reversed(seen))


def _time(
    given: Answered | None,
    before_s: float | None,
    characters: Callable[[int], int],
    seen: list[Timed],
) -> None:
    """Add what an answer took, if that is known and no break; the one before came at `before_s`."""
    if given is None:
        return
    seconds = given.seconds
    if seconds is None and before_s is not None:
        seconds = given.at_s - before_s
    if seconds is not None and 0 < seconds <= BREAK_S:
        read = sum(characters(item) for item in given.answer.question.items)
        seen.append(Timed(len(given.answer), len(given.answer.wrong), seconds, read))
