"""How many bits a label is worth before anybody is asked.

A yes/no answer carries at most one bit, so the entropy of the labels is the
smallest number of questions any procedure can need on average (Shannon; Sec. 3
of the paper). Labels are taken as independent given the probs:

    H(Y) = sum_i h(p_i),    h(p) = -p log2 p - (1 - p) log2 (1 - p)

O(n). Not a limit when the probs are not calibrated or the labels hang together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

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


def _minus_p_log2_p(p: NDArray[np.float64]) -> NDArray[np.float64]:
    # log2 of 1 where p is 0: the product is then 0, which is the limit; + 0.0 turns -0 into 0.
    return np.asarray(-p * np.log2(np.where(p > 0, p, 1.0)) + 0.0)
