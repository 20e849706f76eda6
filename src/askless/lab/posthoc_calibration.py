"""How few bits the labels could have been worth, had the probs been calibrated.

Platt scaling fitted to the truth itself, apart for each guessed label:

    logit P(the guess is wrong) = s_g + t_g * logit e,    e = min(p, 1 - p),  g = [p >= 1/2]

and the code length of the labels under the result. Probabilities nearer to 0 or 1 than
`SMALLEST_CHANCE` are taken as that near, before and after the fit. Since s = 0, t = 1
changes nothing, the result is never above the raw code length (but for that clipping).
It is a fair mark for a planner that recalibrates as it goes and no limit: a more flexible
curve may still do better.

Newton's method with halved steps, O(n) each, a dozen at most. numpy alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.bounds import SMALLEST_CHANCE
from askless.lab.known_pool import KnownPool

_MOST_STEPS: Final = 100
_RIDGE: Final = 1e-6  # a guess that is never wrong must not send the fit to infinity


def calibrated_bits(pool: KnownPool) -> float:
    """The code length of the pool's labels after calibration in hindsight."""
    p = np.clip(pool.probs.values, SMALLEST_CHANCE, 1.0 - SMALLEST_CHANCE)
    guess = p >= 0.5
    wrong = guess != pool.labels
    logit = -np.abs(np.log(p) - np.log1p(-p))
    return sum(_fitted_bits(logit[guess == label], wrong[guess == label]) for label in (0, 1))


def _fitted_bits(logit: NDArray[np.float64], wrong: NDArray[np.bool_]) -> float:
    """The least code length of `wrong` over lines in the logit."""
    columns = np.stack([np.ones_like(logit), logit])
    line = np.array([0.0, 1.0])
    loss = _loss(columns, line, wrong)
    for _ in range(_MOST_STEPS):
        chance = 0.5 * (1.0 + np.tanh(0.5 * (line @ columns)))
        slope = columns @ (chance - wrong)
        bend = (columns * (chance * (1.0 - chance))) @ columns.T + _RIDGE * np.eye(2)
        step = np.linalg.solve(bend, slope)
        while (after := _loss(columns, line - step, wrong)) > loss and np.any(step):
            step = step / 2
        line = line - step
        if loss - after < 1e-9 * (1.0 + loss):
            break
        loss = after
    least = np.log(SMALLEST_CHANCE) - np.log1p(-SMALLEST_CHANCE)
    kept = np.clip(line @ columns, least, -least)
    return float(np.sum(np.logaddexp(0.0, np.where(wrong, -kept, kept))) / np.log(2.0))


def _loss(
    columns: NDArray[np.float64], line: NDArray[np.float64], wrong: NDArray[np.bool_]
) -> float:
    logit = line @ columns
    return float(np.sum(np.logaddexp(0.0, np.where(wrong, -logit, logit))))
