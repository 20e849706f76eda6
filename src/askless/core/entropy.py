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

from askless.core.clause import Clause
from askless.core.probability import weigh
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


def _minus_p_log2_p(p: NDArray[np.float64]) -> NDArray[np.float64]:
    # log2 of 1 where p is 0: the product is then 0, which is the limit; + 0.0 turns -0 into 0.
    return np.asarray(-p * np.log2(np.where(p > 0, p, 1.0)) + 0.0)
