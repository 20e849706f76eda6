"""Tests that look right and are not, beside the same thing done properly; for `coverage`.

Each is tried where one more label is wrong than is allowed, so that whatever is certified is false:

- a test for one look, exact or not, looked at after every group of eight;
- alpha again for every claim, where each is given up after thirty checks;
- the evidence fed with groups that a planner chose because their guesses are sure;
- answers by pointing where one guess is wrong and by a bare no where more are;
- what a person overlooks, ignored: false relative to the truth.

Those that draw groups are followed for sixty checks, in a twentieth of the runs, with the usual
prior of a predictor that expects a quarter of what is allowed.
Tested in tests/experiments/test_coverage.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.claim import Evidence, Outcome, log_prior
from askless.core.overlooked import SHARES, overlooked_at_most, wrong_at_most
from experiments.certificates.claim_adversaries import ALPHA

N: Final = 1000
ALLOWED: Final = 20
GROUP: Final = 8
ONE_LOOK: Final = 296
MISSED: Final = 0.14
PLANTED: Final = 60
_LARGE: Final = 64
_CHECKS: Final = 60
_CHECKED: Final = 24
_FEWER: Final = 20
_LOG_RARE: Final = -math.log(ALPHA)

Counts = NDArray[np.int64]


class Mixing(Evidence):
    """Evidence that takes either kind of answer, as it comes: what the library refuses."""

    def _wrong(self, outcome: Outcome, drawn: int) -> int:
        return outcome if isinstance(outcome, int) else 0 if outcome == "yes" else -1


def measure(runs: int, seed: int = 0) -> dict[str, dict[str, Any]]:
    """False shares of each naive way, and of the right way where it is not among the adversaries.

    Parameters
    ----------
    runs
        Of each.
    seed
        Fixes all that is drawn.
    """
    rng = np.random.default_rng([seed, N])
    found = dict(_looks(rng, runs))
    runs = max(1, runs // _FEWER)
    found["planner's surest groups"] = surest_groups(rng, runs)
    for name, answer in ANSWERS.items():
        found[name] = answered(rng, runs, answer)
    found["overlooks 14 %, ignored"] = overlooked(rng, runs, fold=False)
    found["overlooks 14 %, folded in"] = overlooked(rng, runs, fold=True)
    for name, one in found.items():
        share = one["false"] / one["runs"]
        error = math.sqrt(share * (1 - share) / one["runs"])
        found[name] = one | {"share": round(share, 5), "standard_error": round(error, 5)}
        print(f"{name:48} false {share:.4f} +- {error:.4f}", flush=True)
    return found


# One test, many looks


def _looks(rng: np.random.Generator, runs: int) -> Iterator[tuple[str, dict[str, Any]]]:
    from scipy.stats import binom, hypergeom

    at = np.arange(GROUP, N + 1, GROUP)
    seen = _seen(rng, runs, at)
    most = np.arange(ALLOWED + 2)[:, np.newaxis]  # a test rejects at so many seen, or fewer
    exact = seen < np.sum(hypergeom.cdf(most, N, ALLOWED + 1, at) <= ALPHA, axis=0)
    binomial = seen < np.sum(binom.cdf(most, at, ALLOWED / N) <= ALPHA, axis=0)
    (one,) = np.flatnonzero(at == ONE_LOOK)
    for name, rejects in (("hypergeometric test", exact), ("Clopper-Pearson bound", binomial)):
        yield f"{name}, at every look", _counted(rejects.any(axis=1))
        yield f"{name}, at one look", _counted(rejects[:, one])


def _seen(rng: np.random.Generator, runs: int, at: Counts) -> Counts:
    """For each run, how many of the wrong labels are among the first items, in random order."""
    seen = np.empty((runs, len(at)), np.int64)
    for run in range(runs):
        places = np.sort(rng.choice(N, ALLOWED + 1, replace=False))
        seen[run] = np.searchsorted(places, at)
    return seen


def _counted(false: NDArray[np.bool_]) -> dict[str, Any]:
    return {"runs": len(false), "false": int(false.sum())}


# Groups that a planner chose


def surest_groups(rng: np.random.Generator, runs: int) -> dict[str, Any]:
    """Twice as many wrong as allowed; the surest groups come first, and are fed as if drawn."""
    false = checks = 0
    for _ in range(runs):
        doubt = 0.5 * rng.random(N) ** 4
        chosen = rng.choice(N, 2 * ALLOWED, replace=False, p=doubt / doubt.sum())
        wrong = np.isin(np.argsort(doubt), chosen)
        evidence, left = _before(ALPHA), N
        for start in range(0, N - GROUP, GROUP):
            no = bool(wrong[start : start + GROUP].any())
            evidence.add(left, 0, GROUP, "no" if no else "yes")
            checks += 1
            left -= 0 if no else GROUP
            if evidence.at_most((left,), (0,)) <= ALLOWED:
                false += 1
                break
    return {"runs": runs, "false": false, "checks": round(checks / runs, 1)}


# The form of the answer


def _mixed(seen: int) -> Outcome:
    return "yes" if not seen else 1 if seen == 1 else "no"


ANSWERS: Final[dict[str, Callable[[int], Outcome]]] = {
    "points at one, says no to more": _mixed,
    "always points": lambda seen: seen,
    "always says yes or no": lambda seen: "no" if seen else "yes",
}


def answered(
    rng: np.random.Generator, runs: int, answer: Callable[[int], Outcome]
) -> dict[str, Any]:
    """How often the true number is ever rejected, whatever is left, in groups of 64."""
    kappa, false = ALLOWED + 1, 0
    for _ in range(runs):
        evidence, left, wrong = _before(ALPHA, Mixing), N, kappa
        for _ in range(_CHECKS):
            size = min(_LARGE, left)
            if not size:
                break
            seen = int(rng.hypergeometric(wrong, left - wrong, size))
            outcome = answer(seen)
            evidence.add(left, kappa - wrong, size, outcome)
            values = evidence.log_likelihood()
            if len(values) <= kappa or evidence.log_mean - values[kappa] >= _LOG_RARE:
                false += 1
                break
            if outcome != "no":
                left, wrong = left - size, wrong - seen
    return {"runs": runs, "false": false}


# What is overlooked


def overlooked(rng: np.random.Generator, runs: int, *, fold: bool) -> dict[str, Any]:
    """A person who overlooks 14 %, anew at each look; planted errors say how often."""
    checks = ALPHA * SHARES.checks if fold else ALPHA
    false, rates = 0, []
    for _ in range(runs):
        missed = int(rng.binomial(PLANTED, MISSED))
        rate = overlooked_at_most(missed, PLANTED, SHARES.audits * ALPHA) if fold else 0.0
        rates.append(rate)
        evidence, left, wrong = _before(checks), N, ALLOWED + 1
        for _ in range(_CHECKS):
            size = min(_CHECKED, left)
            if not size:
                break
            there = int(rng.hypergeometric(wrong, left - wrong, size))
            no = bool(rng.random(there).max(initial=0.0) >= MISSED)
            evidence.add(left, 0, size, "no" if no else "yes")
            if not no:  # what was overlooked keeps its wrong label
                left, wrong = left - size, wrong - there
            bound = evidence.at_most((left,), (0,))
            if fold:
                bound = wrong_at_most(bound, rate, left, SHARES.visible * ALPHA)
            if bound <= ALLOWED:
                false += 1
                break
    mean = round(float(np.mean(rates)), 4)
    return {"runs": runs, "false": false, "planted": PLANTED, "rate_at_most": mean}


def _before(alpha: float, kind: type[Evidence] = Evidence) -> Evidence:
    """A claim before its first check."""
    return kind(alpha, "yes-no", [log_prior(N, ALLOWED / 4, ALLOWED)])
