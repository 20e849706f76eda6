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

_FEWEST = 4
"""With fewer settled items of one label, everybody would remember them."""


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
        How many items to show, if there are as many. As many as in a usual question, so that an
        audit looks like one.
    leased
        Items that somebody else is looking at.
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
