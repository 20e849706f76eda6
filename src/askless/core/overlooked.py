"""How many wrong labels are left, where people overlook some of those they are shown in groups.

A certificate is about what people would say of a group, so a wrong item that they overlook does
not count in it. Let every wrong item be overlooked with chance mu, independently, whenever it is
shown in a group. Then what is certified is the number of *visible* wrong items that are left, at
most U, and of K wrong items that are left, the visible ones are as binomial(K, 1 - mu) or more,
whenever one looks: what was answered about items that are still there can only have been that one
of them is visible. So

    K <= max{K : P(binomial(K, 1 - mu) <= U) > alpha}

mu is not known. Errors planted in audits show it: a mixture over Beta(1, 9) of what `missed` of
`planted` would be is, divided by what it is under the true mu, a martingale that starts at 1, so
the numbers that it has not refuted by a factor of 1 / alpha hold the true one at all times at once.
The three chances to be wrong (U, mu, and the binomial) add up; `SHARES` says how alpha is split.
Both bounds are exact but for rounding, which is upwards. The proof is in docs/certificates.md.
Imported by `askless.certificates.certificate`; tested in tests/core/test_overlooked.py.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from askless.errors import InvalidInput

FEWEST_PLANTED: Final = 20
"""Of fewer planted errors nothing is said."""
_PRIOR: Final = (1.0, 9.0)
_STEPS: Final = 60
_ROUNDING: Final = 1e-9


class Shares(NamedTuple):
    """How alpha is split: what the checks get of it, the audits, and the binomial."""

    checks: float = 0.7
    audits: float = 0.2
    visible: float = 0.1


SHARES: Final = Shares()


def overlooked_at_most(missed: int, planted: int, alpha: float) -> float:
    """The largest chance to overlook a wrong item, at all times at once.

    Parameters
    ----------
    missed, planted
        How many of the errors planted so far were overlooked.
    alpha
        The chance, at most, that it is ever larger than this.
    """
    if not 0 <= missed <= planted or not 0 < alpha < 1:
        raise InvalidInput(
            "Of the planted errors none to all are overlooked, and alpha is between 0 and 1; got "
            f"{missed} of {planted}, and {alpha}."
        )
    if missed == planted:
        return 1.0
    a, b = _PRIOR
    found = planted - missed
    mixture = _log_beta(a + missed, b + found) - _log_beta(a, b)
    low, high = missed / planted, 1.0
    for _ in range(_STEPS):  # from the share seen on, larger ones are ever less likely
        middle = (low + high) / 2
        if middle >= 1:
            break
        likely = (missed * math.log(middle) if missed else 0.0) + found * math.log1p(-middle)
        if mixture - likely >= -math.log(alpha):
            high = middle
        else:
            low = middle
    return high


def wrong_at_most(visible: int, overlooked: float, left: int, alpha: float) -> int:
    """The most wrong items that are left, seen or overlooked.

    Parameters
    ----------
    visible
        At most so many are left that would be seen.
    overlooked
        The chance that a wrong one is overlooked.
    left
        How many items are left.
    alpha
        The chance, at most, that there are more.
    """
    if visible < 0 or not 0 <= overlooked <= 1 or not 0 < alpha < 1:
        raise InvalidInput(
            "A number of wrong items is at least 0, a chance to overlook from 0 to 1 and alpha "
            f"between these; got {visible}, {overlooked} and {alpha}."
        )
    if visible >= left or overlooked >= 1:
        return left
    if overlooked == 0:
        return visible
    # The overlooked ones before the next visible one after `visible`: negative binomial.
    more = np.arange(1.0, left - visible)
    steps = np.log((visible + more) / more) + math.log(overlooked)
    log_chance = (visible + 1) * math.log1p(-overlooked) + np.concatenate([[0.0], np.cumsum(steps)])
    beyond = 1 - np.cumsum(np.exp(log_chance))  # P(more than 0, 1, ... of them)
    return visible + int(np.count_nonzero(beyond > alpha * (1 - _ROUNDING) - _ROUNDING))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
