"""Questions whose answer is known, to see how well people look.

Some audits show settled items again, all of them right; the others hide one item whose label is
known to be the other one, two of three until `_KNOWN` were hidden and one of two from then on. The
hidden one is taken from the confusable side, the quarter of its label that the model finds likest
to the other items: what people overlook in earnest is like that. Answers to audits are compared,
never learnt from. Tested in tests/session/test_audit.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State

_FEWEST = 4
"""With fewer settled items of one label, everybody would remember them."""
_KNOWN = 10
_CONFUSABLE = 0.25


def choose_audit(
    state: State,
    probs: Probs,
    rng: np.random.Generator,
    size: int,
    leased: AbstractSet[int] = frozenset(),
    planted_so_far: int = _KNOWN,
) -> Question | None:
    """An audit question, with something wrong planted or not.

    None while too little is settled.

    Parameters
    ----------
    state
        Its settled items are drawn from.
    probs
        Say which of them can be taken for the other label.
    rng
        Draws them.
    size
        How many items to show, if there are as many. As many as in a usual question, so that an
        audit looks like one.
    leased
        Items that somebody else is looking at.
    planted_so_far
        How many wrong items this person was shown in audits.
    """
    labels = state.labels()
    labels[list(leased)] = -1
    guess = bool(rng.random() < 0.5)
    right, wrong = np.flatnonzero(labels == guess), np.flatnonzero(labels == (not guess))
    planted = rng.random() < (0.5 if planted_so_far >= _KNOWN else 2 / 3)
    if len(right) < _FEWEST or (planted and len(wrong) == 0):
        return None
    size = min(size, len(right))
    items = rng.choice(right, size, replace=False).tolist()
    if planted:
        items[rng.integers(size)] = int(rng.choice(_confusable(wrong, probs, guess)))
    return Question(tuple(items), (guess,) * size, "audit")


def _confusable(items: NDArray[np.intp], probs: Probs, guess: bool) -> NDArray[np.intp]:
    """Those of the items that are likeliest to be taken for `guess`, four at least if there are."""
    likely = probs.values[items] if guess else 1.0 - probs.values[items]
    count = max(_FEWEST, round(_CONFUSABLE * len(items)))
    return items[np.argsort(-likely, kind="stable")[:count]]
