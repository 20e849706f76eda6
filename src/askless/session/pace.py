"""How quick a person is, learnt from the answers given so far.

    seconds = a + b * items shown + c * items pointed at

Fitted by least squares in which an answer that took much longer than the others pulls no
harder than a moderately slow one (Huber 1964), after breaks have been left out. A usual
pace stands in for what has not been seen: it weighs as much as `_PRIOR` answers, so the first
answers move it a little and hundreds replace it. No coefficient is below a small
positive number. O(1): only the latest answers count. Tested in tests/session/test_pace.py.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import Final

import numpy as np

from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.events import Answered
from askless.session.history import History

BREAK_S: Final = 120.0
"""Whoever took longer was doing something else."""

_LEAST: Final = (0.05, 0.01, 0.05)
_PRIOR: Final = 10.0
_HUBER: Final = 1.5
_ROUNDS: Final = 12
_RECENT: Final = 300


def fit_pace(seen: Iterable[tuple[int, int, float]]) -> AnnotationCost:
    """The pace of whoever gave these answers.

    Parameters
    ----------
    seen
        For each answer: items shown, items pointed at, seconds taken.
    """
    known = [(1.0, shown, pointed, s) for shown, pointed, s in seen if 0 < s <= BREAK_S]
    if not known:
        return DEFAULT_COST
    table = np.array(known[-_RECENT:], dtype=float)
    x, taken = table[:, :3], table[:, 3]
    usual = np.array(DEFAULT_COST)
    # Somebody slow is slow at everything, so the usual pace is first scaled to the person.
    scale = float(np.median(taken) / np.median(x @ usual))
    prior = usual * (scale * len(taken) + _PRIOR) / (len(taken) + _PRIOR)
    # One usual answer shows some eight items and points at one: what each coefficient is worth.
    strength = _PRIOR * np.array([1.0, 64.0, 1.0])
    pace = prior
    for _ in range(_ROUNDS):
        off = np.abs(taken - x @ pace)
        spread = max(1.4826 * float(np.median(off)), 0.05)
        weight = np.minimum(1.0, _HUBER * spread / np.maximum(off, 1e-9))
        left = (x * weight[:, None]).T @ x + np.diag(strength)
        right = (x * weight[:, None]).T @ taken + strength * prior
        pace = np.maximum(np.linalg.solve(left, right), _LEAST)
    return AnnotationCost(*(round(float(value), 4) for value in pace))


def pace_of(history: History, annotator: str) -> AnnotationCost:
    """How quick this annotator has been in this session.

    Measured seconds are taken where there are some; otherwise the time between two answers, if it
    went forward.

    Parameters
    ----------
    history
        What has happened.
    annotator
        Whose pace it is.
    """
    seen: list[tuple[int, int, float]] = []
    after: Answered | None = None
    # From the newest back, as far as `fit_pace` looks.
    for number in heapq.merge(
        reversed(history.answers), reversed(history.audits.answers), reverse=True
    ):
        given = history.answer(number)
        if given is None or given.annotator != annotator or given.corrects is not None:
            continue
        _time(after, given.at_s, seen)
        after = given
        if len(seen) == _RECENT:
            break
    else:
        _time(after, None, seen)
    return fit_pace(reversed(seen))


def _time(
    given: Answered | None, before_s: float | None, seen: list[tuple[int, int, float]]
) -> None:
    """Add what an answer took, if that is known and no break; the one before came at `before_s`."""
    if given is None:
        return
    seconds = given.seconds
    if seconds is None and before_s is not None:
        seconds = given.at_s - before_s
    if seconds is not None and 0 < seconds <= BREAK_S:
        seen.append((len(given.answer), len(given.answer.wrong), seconds))
