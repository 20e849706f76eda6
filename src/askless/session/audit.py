"""Questions whose answer is known, to see how well people look.

Half of the audits show a settled group again, all of it right; half of them hide one item
whose label is known to be the other one. Answers to audits are compared, never learnt from.
"""

from __future__ import annotations

from random import Random

import numpy as np

from askless.core.question import Question
from askless.core.state import State

_GROUP = 8
_FEWEST = 4


def choose_audit(
    state: State, rng: Random, max_n: int | None
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
    guess = rng.random() < 0.5
    right, wrong = np.flatnonzero(labels == guess), np.flatnonzero(labels == (not guess))
    size = _GROUP if max_n is None else min(_GROUP, max_n)
    planted = rng.random() < 0.5
    if len(right) < max(size, _FEWEST) or (planted and len(wrong) == 0):
        return None
    items = [int(right[at]) for at in rng.sample(range(len(right)), size)]
    hidden: tuple[int, ...] = ()
    if planted:
        hidden = (int(wrong[rng.randrange(len(wrong))]),)
        items[rng.randrange(size)] = hidden[0]
    return Question(tuple(items), (guess,) * size, "audit"), hidden
