"""How many bits a label is worth before anybody is asked.

A yes/no answer carries at most one bit, so the entropy of the labels is the
smallest number of questions any procedure can need on average (Shannon; Sec. 3
of the paper). Labels are taken as independent given the probs:

    H(Y) = sum_i h(p_i),    h(p) = -p log2 p - (1 - p) log2 (1 - p)

Refuted guesses tie labels together. Given clauses that hold with probability Z,

    H(Y | clauses) = log2 Z + E[-log2 P(Y) | clauses]

and both terms are sums over the connected components. One clause whose guess has
entropy h and probability P of being right gives the closed form
(h + P log2 P) / (1 - P) + log2(1 - P). The log-size is the same with every
label a coin toss: the base-2 logarithm of the number of labellings left.

O(n) plus the clauses (`askless.core.probability.weigh`). Not a limit when the probs are not
calibrated or the labels hang together. Tested in tests/core/test_entropy.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.clause import Clause, components
from askless.core.probability import weigh
from askless.core.state import State
from askless.errors import InvalidInput


def binary_entropy_bits(p: ArrayLike) -> NDArray[np.float64]:
    """Entropy of a label that is True with probability `p`, element by element.

    Parameters
    ----------
    p
        Probabilities, of any shape. The entropy at 0 and at 1 is 0.
    """
    chances = np.asarray(p, dtype=np.float64)
    if not np.all((chances >= 0) & (chances <= 1)):  # NaN fails both comparisons
        raise InvalidInput(
            "Probabilities lie between 0 and 1; "
            f"got values from {np.min(chances)} to {np.max(chances)}."
        )
    return np.asarray(_minus_p_log2_p(chances) + _minus_p_log2_p(1 - chances))


def independent_entropy_bits(probs: ArrayLike) -> float:
    """Entropy of a whole labelling whose labels are independent, H(Y).

    Parameters
    ----------
    probs
        P(label is True) for every item.
    """
    return float(np.sum(binary_entropy_bits(probs)))


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


def tied_entropy_bits(probs: NDArray[np.float64], clauses: list[Clause]) -> float:
    """Entropy of the labels that one connected component of clauses ties together.

    Parameters
    ----------
    probs
        P(label is True) for every item of the pool.
    clauses
        From `askless.core.clause.components`.
    """
    weight = weigh(probs, clauses)
    if weight.chance <= 0.0:
        return 0.0
    return max(0.0, float(np.log2(weight.chance)) + weight.surprise_bits)


def _items_of(clauses: tuple[Clause, ...]) -> list[int]:
    return sorted({item for clause in clauses for item in clause.items})


def _still_open(state: State) -> NDArray[np.bool_]:
    return np.asarray(state.labels() == -1)


def _minus_p_log2_p(p: NDArray[np.float64]) -> NDArray[np.float64]:
    # log2 of 1 where p is 0: the product is then 0, which is the limit; + 0.0 turns -0 into 0.
    return np.asarray(-p * np.log2(np.where(p > 0, p, 1.0)) + 0.0)
