"""Gaussian-process calibration: a smooth curve over logits, learnt from labels and refuted guesses.

If z is the logit a predictor gives an item, let f(z) be the logit it should have given:

    f(z) = z + d(z),   d a Gaussian process with mean 0 and covariance
    shift^2 + slope^2 z z' + [z and z' on one side of 0] (own^2 z z' + bend^2 min(|z|, |z'|)).

The terms are a shift and a temperature for all, a temperature of its own for each guessed
label, and a Brownian bend that grows away from z = 0. How large they may be nobody knows
before, so the fit is made for several priors, which are averaged by their evidence. Most of them
believe the predictor, on five scales. Some predictors are timid (forests, logistic models with
a penalty): z is replaced by 2 z or 3 z, with a large shift. The few errors among sure items do
not teach such a slope but can tell it from 1; and a slope so free that it could be learnt might
also be negative, and then nothing would be sure at first. Some predictors are sound but for a share
of errors however sure they are (neighbours that all agree, counts of words): a temperature learnt
where they are sure would make them vague everywhere. So z is also replaced by

    z' = logit((1 - 2 floor) P + floor),   P = sigmoid(z), for a few floors

with so small a prior share that it counts only where the answers plainly say so. The likelihood is
that of the labels, and of each refuted guess, P(at least one wrong) (clauses that share
items count as if they did not). Items are gathered in bins of asinh z, Newton's method finds the
mode, Laplace's approximation the spread and the evidence; the answer is P(True) averaged over
that spread and, by evidence, over the priors. So it stays near z when there is
little to learn from, bends where many labels say so, and turns vague, not bold, where there are
none.

Cost: O(n) to gather and to apply, O(bins^3) in between. Rasmussen and Williams, Gaussian
Processes for Machine Learning (2006), sections 3.4 and 3.5. Not in the paper.
Used by `askless.calibration.online`; tested in tests/calibration/test_online.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause

MOST: Final = 16.1
"""Logits are taken between -MOST and MOST: an error rate below 1e-7 is never believed."""

_BINS = 97
_WIDEST = float(np.arcsinh(MOST))
_KNOTS = np.sinh(np.linspace(-_WIDEST, _WIDEST, 2 * _BINS - 1))
_STEPS = 40

Floats = NDArray[np.float64]


class _Prior(NamedTuple):
    """What z is replaced by, and how far f may be from that."""

    steepness: float
    floor: float
    shift: float
    slope: float
    own: float
    bend: float


def _sound(scale: float, floor: float = 0.0) -> _Prior:
    return _Prior(1.0, floor, 0.5 * scale, 0.3 * scale, 0.1 * scale, 0.25 * scale)


def _timid(steepness: float) -> _Prior:
    return _Prior(steepness, 0.0, shift=2.0, slope=0.1, own=0.05, bend=0.05)


_SCALES = {0.1: 0.6, 0.3: 0.25, 1.0: 0.1, 3.0: 0.04, 10.0: 0.01}
_SCALES_ON_A_FLOOR = {0.1: 0.6, 0.3: 0.3, 1.0: 0.1}
_FLOORS = (0.001, 0.004, 0.016, 0.064)
_PRIORS: Final = {
    **{_sound(scale): 0.899 * share for scale, share in _SCALES.items()},
    **{_timid(steepness): 0.05 for steepness in (2.0, 3.0)},
    **{
        _sound(scale, floor): 0.00025 * share
        for floor in _FLOORS
        for scale, share in _SCALES_ON_A_FLOOR.items()
    },
}
"""With their shares, which make 1."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What there is to learn from, bin by bin.

    Parameters
    ----------
    logits
        Mean logit of the items in each bin.
    count, positive
        How many settled labels each bin has, and how many of them are True.
    bin, sign, clause
        For every item of every open clause: its bin, +1 if the guess is True and -1 if not,
        and which clause it stands in.
    """

    logits: Floats
    count: Floats
    positive: Floats
    bin: NDArray[np.intp]
    sign: Floats
    clause: NDArray[np.intp]


def logits_of(probs: Floats) -> Floats:
    """log(p / (1 - p)), kept between -MOST and MOST."""
    with np.errstate(divide="ignore"):
        logits: Floats = np.log(probs) - np.log1p(-probs)
    return np.clip(logits, -MOST, MOST)


def gather(logits: Floats, labels: NDArray[np.int8], clauses: Sequence[Clause]) -> Evidence | None:
    """Settled labels (1 and 0 in `labels`) and open clauses, in bins; None if there are none."""
    settled = np.flatnonzero(labels >= 0)
    items = np.array([item for clause in clauses for item in clause.items], dtype=np.intp)
    used = np.concatenate([settled, items])
    if not len(used):
        return None
    sums = np.arcsinh(logits[used])
    bins = np.clip(((sums / _WIDEST + 1) * (_BINS / 2)).astype(np.intp), 0, _BINS - 1)
    members = np.bincount(bins, minlength=_BINS)
    kept = np.flatnonzero(members)
    place = np.cumsum(members > 0) - 1
    own = bins[: len(settled)]
    return Evidence(
        logits=np.bincount(bins, logits[used], _BINS)[kept] / members[kept],
        count=np.bincount(own, minlength=_BINS)[kept].astype(np.float64),
        positive=np.bincount(own[labels[settled] == 1], minlength=_BINS)[kept].astype(np.float64),
        bin=place[bins[len(settled) :]],
        sign=np.array([1.0 if g else -1.0 for clause in clauses for g in clause.guess]),
        clause=np.repeat(np.arange(len(clauses)), [len(clause) for clause in clauses]),
    )


def calibrated(logits: Floats, evidence: Evidence) -> Floats:
    """P(label is True) for items with these logits, given the evidence."""
    chances, weights = [], []
    for prior, share in _PRIORS.items():
        moved = replace(evidence, logits=_moved(evidence.logits, prior))
        chance, weight = _learn(moved, _moved(_KNOTS, prior), prior)
        chances.append(chance)
        weights.append(weight + np.log(share))
    shares = np.exp(np.array(weights) - max(weights))
    at_knots = logits_of(shares @ np.array(chances) / shares.sum())
    return _sigmoid(np.interp(logits, _KNOTS, at_knots))


def _moved(logits: Floats, prior: _Prior) -> Floats:
    """What the prior puts in the place of z."""
    steeper = prior.steepness * logits
    if prior.floor == 0.0:
        return steeper
    p = (1 - 2 * prior.floor) * _sigmoid(steeper) + prior.floor
    return np.asarray(np.log(p) - np.log1p(-p))


def _learn(evidence: Evidence, knots: Floats, prior: _Prior) -> tuple[Floats, float]:
    """P(True) at the knots, and the log evidence, for one prior."""
    mean = evidence.logits
    given = _covariance(mean[:, None], mean, prior)
    pull, f = np.zeros_like(mean), mean  # f = mean + given @ pull
    likelihood, slope, curve = _likelihood(evidence, f)
    height = likelihood
    for _ in range(_STEPS):
        root, whitened = _whitened(given, curve)
        target = curve * (f - mean) + slope
        step = target - root * np.linalg.solve(whitened, root * (given @ target)) - pull
        stride, before = 1.0, height
        while stride > 1e-3:
            pull_there = pull + stride * step
            f_there = mean + given @ pull_there
            there = _likelihood(evidence, f_there)
            height_there = there[0] - 0.5 * float(pull_there @ (f_there - mean))
            if height_there >= before:
                pull, f, height = pull_there, f_there, height_there
                _, slope, curve = there
                break
            stride /= 2
        if height - before < 1e-6:
            break
    root, whitened = _whitened(given, curve)
    factor = np.linalg.cholesky(whitened)
    across = _covariance(knots[:, None], mean, prior)
    explained = np.linalg.solve(factor, root[:, None] * across.T)
    variance = _covariance(knots, knots, prior) - np.einsum("ij,ij->j", explained, explained)
    spread = np.sqrt(np.maximum(variance, 0.0))
    points, shares = _quadrature()
    values = _sigmoid((knots + across @ pull)[:, None] + spread[:, None] * points)
    return values @ shares, height - float(np.log(np.diag(factor)).sum())


@cache
def _quadrature() -> tuple[Floats, Floats]:
    """Points and weights of Gauss-Hermite quadrature under a standard normal distribution.

    From the eigenvectors of the Jacobi matrix (Golub and Welsch 1969): numpy's own is in a package
    that takes long to load.
    """
    beside = np.sqrt(np.arange(1.0, 15.0))
    points, vectors = np.linalg.eigh(np.diag(beside, 1) + np.diag(beside, -1))
    return points, vectors[0] ** 2


def _likelihood(evidence: Evidence, f: Floats) -> tuple[float, Floats, Floats]:
    """Log likelihood at f, its gradient, and a curvature that is never too small.

    For a clause the curvature is that of its labels as if they were known (the majorant
    of expectation-maximisation), since the true one need not be positive.
    """
    p = _sigmoid(f)
    value = float(evidence.positive @ f - evidence.count @ np.logaddexp(0.0, f))
    slope = evidence.positive - evidence.count * p
    weight = evidence.count
    if len(evidence.clause):
        wrong_logit = -evidence.sign * f[evidence.bin]
        wrong = _sigmoid(wrong_logit)
        surprise = np.bincount(evidence.clause, np.logaddexp(0.0, wrong_logit))  # of all right
        surprise = np.maximum(surprise, 1e-12)
        value += float(np.log(-np.expm1(-surprise)).sum())
        given_refuted = wrong / np.expm1(np.minimum(surprise, 700.0))[evidence.clause]
        slope = slope - np.bincount(evidence.bin, evidence.sign * given_refuted, len(f))
        weight = weight + np.bincount(evidence.bin, minlength=len(f))
    return value, slope, np.maximum(weight * p * (1.0 - p), 1e-12)


def _whitened(given: Floats, curve: Floats) -> tuple[Floats, Floats]:
    """W^1/2 and I + W^1/2 K W^1/2, whose eigenvalues are 1 or more: safe to invert."""
    root: Floats = np.sqrt(curve)
    return root, np.eye(len(root)) + root[:, None] * given * root


def _covariance(z: Floats, w: Floats, prior: _Prior) -> Floats:
    """The prior covariance of f at z and at w, place by place."""
    same_side = np.sign(z) * np.sign(w) > 0
    near = np.minimum(np.abs(z), np.abs(w))
    own = same_side * (prior.own**2 * z * w + prior.bend**2 * near)
    return prior.shift**2 + prior.slope**2 * z * w + own


def _sigmoid(x: Floats) -> Floats:
    return 0.5 * (1.0 + np.tanh(0.5 * x))
