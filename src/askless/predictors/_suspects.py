"""Items of refuted guesses, and how far each is to be taken for wrong.

A clause says that at least one of its guesses is wrong. Given the labels of the others, what it
says about item i is: nothing if one of them is wrong, and "wrong" otherwise. With the others
independent, its likelihood is

    P(clause | label i wrong) = 1,   P(clause | label i right) = c_i = 1 - prod over j != i of p_j

for p_j the chance of guess j to be right. Items whose chance of being wrong rises most are worth
leaning on; the rest of a long clause hardly moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause

MOST: Final = 32
"""How many suspects are leant on at once."""

_LEAST_RISE: Final = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Suspects:
    """Items with the label they have if their guess is wrong.

    Parameters
    ----------
    items
        The most suspicious items, each once.
    signs
        +1 or -1, the label opposite to the guess.
    floors
        The likelihood of the clause should the guess be right: c_i.
    """

    items: NDArray[np.intp]
    signs: NDArray[np.float64]
    floors: NDArray[np.float64]


def suspects(probs: NDArray[np.float64], clauses: Sequence[Clause]) -> Suspects:
    """The items of these clauses that it is worth leaning on.

    Parameters
    ----------
    probs
        P(label is True) for every item, without the clauses.
    clauses
        The open clauses.
    """
    found: dict[int, tuple[float, float, float]] = {}
    for clause in clauses:
        items = np.array(clause.items)
        guess = np.array(clause.guess)
        right = np.clip(np.where(guess, probs[items], 1 - probs[items]), 1e-6, 1 - 1e-6)
        logs = np.log(right)
        floors = -np.expm1(logs.sum() - logs)
        rises = (1 - right) / -np.expm1(logs.sum()) - (1 - right)
        for at in np.flatnonzero(rises > _LEAST_RISE):
            item, sign = int(items[at]), -1.0 if guess[at] else 1.0
            seen = (float(rises[at]), sign, float(floors[at]))
            found[item] = max(seen, found.get(item, seen))
    kept = sorted(found, key=lambda item: (-found[item][0], item))[:MOST]
    return Suspects(
        np.array(kept, dtype=np.intp),
        np.array([found[item][1] for item in kept]),
        np.array([found[item][2] for item in kept]),
    )
