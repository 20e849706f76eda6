"""How often a person overlooks a wrong guess in a group, by how many items the group shows.

    logit m(g) = level + slope log(g / 24)    for g > 1,    slope >= 0,    m(1) = 0

Somebody who is asked about one item looks at it; in a group wrong guesses are overlooked, in a
larger one rather more (`askless.lab.habits.Slips` names who found that). Level and slope are
estimated from planted errors: how many were shown in groups of each size, and how many were
overlooked. Their prior is normal: about 8 % at 24 items, between 1 and 38 % with 95 %, and a slope
of 0.5 with a deviation of 0.5, cut at 0. The estimate is the mean of the posterior, on a grid of
some two thousand points, so a few audits move it a little, many decide it, and it never falls as
groups grow. O(sizes) for a few milliseconds.

Imported by projections, planners and whoever ranks labels. Tested in tests/core/test_misses.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.question import GRID
from askless.errors import InvalidInput

_PRIOR_LEVEL: Final = (math.log(0.08 / 0.92), 1.0)
_PRIOR_SLOPE: Final = (0.5, 0.5)
_COMPARED: Final = (4, GRID)
_MATTERS: Final = 0.2
_STEEPEST: Final = 100.0
_LEVELS: Final = np.linspace(-7.0, 4.0, 111)[:, np.newaxis]
_SLOPES: Final = np.linspace(0.0, 2.0, 21)[np.newaxis, :]
_LOG_PRIOR: Final = (
    -0.5 * ((_LEVELS - _PRIOR_LEVEL[0]) / _PRIOR_LEVEL[1]) ** 2
    - 0.5 * ((_SLOPES - _PRIOR_SLOPE[0]) / _PRIOR_SLOPE[1]) ** 2
)


class MissRate(NamedTuple):
    """The chance to overlook a wrong guess, by size of the group.

    Parameters
    ----------
    level
        Logit of the chance in a group of 24.
    slope
        By how much the logit grows as the size grows by a factor of e; 0 or more.
    """

    level: float
    slope: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """The rate with this level and slope, if they make sense."""
        try:
            given = tuple(map(float, values))
        except (TypeError, ValueError, OverflowError):
            given = ()
        if len(given) != 2 or not (abs(given[0]) <= _STEEPEST and 0.0 <= given[1] <= _STEEPEST):
            raise InvalidInput(
                "misses are two numbers, the logit of the chance in a group of 24 and how it "
                f"grows with the logarithm of the size, 0 or more, each {_STEEPEST:g} at most; got "
                f"{values!r:.80}."
            )
        return cls(*given)

    def chances(self, sizes: ArrayLike) -> NDArray[np.float64]:
        """m(g) for each of these sizes."""
        g = np.asarray(sizes, dtype=np.float64)
        logit = self.level + self.slope * np.log(np.maximum(g, 1.0) / GRID)
        return np.where(g > 1.0, 1.0 / (1.0 + np.exp(-logit)), 0.0)

    def chance(self, size: int) -> float:
        """m(g) for one size."""
        return float(self.chances(size))


class SlipCost(NamedTuple):
    """What overlooking costs, in seconds.

    Parameters
    ----------
    wrong_label_s
        The price of a wrong label.
    misses
        How often one comes about.
    """

    wrong_label_s: float
    misses: MissRate

    def seconds(self, sizes: ArrayLike) -> NDArray[np.float64]:
        """To be expected for each wrong guess in a group, for each of these sizes."""
        return self.wrong_label_s * self.misses.chances(sizes)


def misses_to_plan_with(
    by_size: Mapping[int, tuple[int, int]], before: MissRate | None
) -> MissRate | None:
    """What questions are to be planned with: None until a planted error has been overlooked.

    Parameters
    ----------
    by_size
        As for `estimate_misses`.
    before
        What they are planned with so far. It stays as long as it is off by less than a fifth.
    """
    if not any(missed for _, missed in by_size.values()):
        return None
    now = estimate_misses(by_size)
    if before is None:
        return now
    was, now_is = before.chances(_COMPARED), now.chances(_COMPARED)
    return now if np.any(np.abs(now_is - was) > _MATTERS * was) else before


def estimate_misses(by_size: Mapping[int, tuple[int, int]]) -> MissRate:
    """The mean of the posterior.

    Parameters
    ----------
    by_size
        For each size of a group, how many errors were planted in groups of that size and how many
        of them were overlooked; nothing at all gives the prior's. Groups of one tell nothing.
    """
    log_weight = _LOG_PRIOR.copy()
    for size, (planted, missed) in by_size.items():
        if size > 1:
            logit = _LEVELS + _SLOPES * math.log(size / GRID)
            # log m = -log(1 + exp(-logit)), log(1 - m) = -log(1 + exp(logit))
            log_weight -= missed * np.logaddexp(0.0, -logit)
            log_weight -= (planted - missed) * np.logaddexp(0.0, logit)
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    return MissRate(float((weight * _LEVELS).sum()), float((weight * _SLOPES).sum()))
