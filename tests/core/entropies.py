"""Entropies of whole states, to test against: planners and progress compute them piece by piece."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.clause import Clause, components
from askless.core.entropy import independent_entropy_bits, tied_entropy_bits
from askless.core.state import State


def state_entropy_bits(probs: ArrayLike, state: State) -> float:
    """Entropy of the labels still open, given everything that is known.

    Parameters
    ----------
    probs
        P(label is True) for every item of the pool.
    state
        Its open items and its clauses count.
    """
    values = np.asarray(probs, dtype=np.float64)
    free = np.ones(state.n, dtype=bool)
    bound = _items_of(state.clauses)
    free[bound] = False
    alone = independent_entropy_bits(values[_still_open(state) & free])
    return alone + sum(tied_entropy_bits(values, group) for group in components(state.clauses))


def log_size_bits(state: State) -> float:
    """Base-2 logarithm of the number of labellings of the open items that are still possible."""
    bound = _items_of(state.clauses)
    fair = {item: at for at, item in enumerate(bound)}
    coins = np.full(len(bound), 0.5)
    tied = 0.0
    for group in components(state.clauses):
        local = [
            Clause(tuple([fair[i] for i in clause.items]), clause.guess, clause.answer)
            for clause in group
        ]
        tied += tied_entropy_bits(coins, local)
    return state.n_open - len(bound) + tied


def refuted_entropy_bits(entropy_bits: float, right: float) -> float:
    """Entropy of labels of which it is known that one guess about all of them is wrong.

    Parameters
    ----------
    entropy_bits
        Their entropy before.
    right
        The probability, before, that the guess was right.
    """
    if right >= 1.0:
        return 0.0
    surprise = entropy_bits + (right * float(np.log2(right)) if right > 0 else 0.0)
    return surprise / (1.0 - right) + float(np.log1p(-right)) / float(np.log(2.0))


def _items_of(clauses: tuple[Clause, ...]) -> list[int]:
    return sorted({item for clause in clauses for item in clause.items})


def _still_open(state: State) -> NDArray[np.bool_]:
    return np.asarray(state.labels() == -1)
