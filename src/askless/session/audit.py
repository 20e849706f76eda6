"""Questions whose answer is known, to see how well people look.

Half of the audits show a settled group again, all of it right; half of them hide one item
whose label is known to be the other one. Answers to audits are compared, never learnt from.
"""

from __future__ import annotations

import numpy as np

from askless.core.question import Question
from askless.core.state import State
from askless.session.record import Record

_GROUP = 8
_FEWEST = 4


def choose_audit(
    state: State, rng: np.random.Generator, max_n: int | None
) -> tuple[Question, tuple[int, ...]] | None:
    """An audit question and the items planted in it; None while too little is settled.

    Parameters
    ----------
    state
        Its settled items are drawn from.
    rng
        Draws them.
    max_n
        The most items a question may show.
    """
    labels = state.labels()
    guess = bool(rng.random() < 0.5)
    right, wrong = np.flatnonzero(labels == guess), np.flatnonzero(labels == (not guess))
    size = _GROUP if max_n is None else min(_GROUP, max_n)
    planted = rng.random() < 0.5
    if len(right) < max(size, _FEWEST) or (planted and len(wrong) == 0):
        return None
    items = rng.choice(right, size, replace=False).tolist()
    hidden: tuple[int, ...] = ()
    if planted:
        hidden = (int(rng.choice(wrong)),)
        items[rng.integers(size)] = hidden[0]
    return Question(tuple(items), (guess,) * size, "audit"), hidden


def audit_is_due(record: Record, annotator: str, every: int) -> bool:
    """Whether the annotator was asked `every` questions since the last audit; never for 0."""
    since = 0
    for asked in reversed(record.asked.values()) if every else ():
        if asked.annotator != annotator:
            continue
        if asked.question.purpose == "audit":
            return False
        since += 1
        if since >= every:
            return True
    return False
