"""The likelihood and its derivatives are those that docs/theory.md states."""

from __future__ import annotations

import numpy as np
import pytest

from askless.calibration._gp_calibration import (
    _PRIORS,
    Floats,
    _covariance,
    _likelihood,
    gather,
    logits_of,
)
from askless.core.clause import Clause

LOGITS = logits_of(np.array([0.9, 0.2, 0.7, 0.05, 0.6, 0.97, 0.4]))
LABELS = np.array([1, 0, 0, -1, -1, -1, -1], np.int8)
CLAUSES = [Clause((3, 4), (False, True), 0), Clause((5, 6, 4), (True, False, True), 1)]


def _by_hand(f: Floats, order: Floats) -> float:
    """The log likelihood, item by item; `f` belongs to the bins, which `order` lists by logit."""

    def right(item: int, label: bool) -> float:
        value = float(f[int(np.argmin(np.abs(order - LOGITS[item])))])
        return float(1 / (1 + np.exp(-value if label else value)))

    settled = [
        np.log(right(item, bool(LABELS[item]))) for item in np.flatnonzero(LABELS >= 0).tolist()
    ]
    refuted = [
        np.log1p(-np.prod([right(i, g == 1) for i, g in zip(c.items, c.guess, strict=True)]))
        for c in CLAUSES
    ]
    return float(np.sum(settled) + np.sum(refuted))


def test_likelihood_counts_settled_labels_and_every_open_clause() -> None:
    evidence = gather(LOGITS, LABELS, CLAUSES)
    assert evidence is not None
    assert len(evidence.logits) == len(LOGITS)  # each item has a bin to itself
    f = evidence.logits + np.linspace(-0.5, 0.7, len(evidence.logits))
    assert _likelihood(evidence, f)[0] == pytest.approx(_by_hand(f, evidence.logits))


def test_gradient_is_that_of_the_likelihood_and_the_curvature_is_large_enough() -> None:
    evidence = gather(LOGITS, LABELS, CLAUSES)
    assert evidence is not None
    f = evidence.logits + np.linspace(-0.5, 0.7, len(evidence.logits))
    _, slope, curve = _likelihood(evidence, f)
    step = 1e-4
    for at in range(len(f)):
        moved = np.zeros(len(f))
        moved[at] = step
        above, here, below = (_likelihood(evidence, f + k * moved)[0] for k in (1, 0, -1))
        assert slope[at] == pytest.approx((above - below) / (2 * step), abs=1e-6)
        assert curve[at] >= -(above - 2 * here + below) / step**2 - 1e-5


def test_the_priors_are_nineteen_covariances_whose_shares_make_one() -> None:
    assert len(_PRIORS) == 19
    assert sum(_PRIORS.values()) == pytest.approx(1.0)
    z = np.linspace(-6, 6, 25)
    for prior in _PRIORS:
        covariance = _covariance(z[:, None], z, prior)
        np.testing.assert_allclose(np.diag(covariance), _covariance(z, z, prior))
        assert np.linalg.eigvalsh(covariance).min() > -1e-9
