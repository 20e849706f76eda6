"""Questions whose answer is known, to see how well people look.

Half of the audits show a settled group again, all of it right; half of them hide one item
whose label is known to be the other one. Answers to audits are compared, never learnt from.
Tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import numpy as np

from askless.core.question import Question
from askless.core.state import State
from askless.session.record import Record

_FEWEST = 4
"""So many settled items of one label there must be, or everybody remembers them."""


def choose_audit(
    state: State,
    rng: np.random.Generator,
    size: int,
    leased: AbstractSet[int] = frozenset(),
) -> Question | None:
    """An audit question, something wrong planted in every other one.

    None while too little is settled.

    Parameters
    ----------
    state
        Its settled items are drawn from.
    rng
        Draws them.
    size
        How many items to show, if there are as many: those of a usual question, so that an audit
        looks like one.
    leased
        Items that stand in somebody else's live question.
    """
    labels = state.labels()
    labels[list(leased)] = -1
    guess = bool(rng.random() < 0.5)
    right, wrong = np.flatnonzero(labels == guess), np.flatnonzero(labels == (not guess))
    planted = rng.random() < 0.5
    if len(right) < _FEWEST or (planted and len(wrong) == 0):
        return None
    size = min(size, len(right))
    items = rng.choice(right, size, replace=False).tolist()
    if planted:
        items[rng.integers(size)] = int(rng.choice(wrong))
    return Question(tuple(items), (guess,) * size, "audit")


def audit_is_due(record: Record, annotator: str, every: int) -> int:
    """How many items an audit should show now; 0 if none is due.

    One is due when the annotator was asked `every` questions since the last one; never for 0.
    """
    count, size = record.since_audit.get(annotator, (0, 0))
    return size if every and count >= every else 0
