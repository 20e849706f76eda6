"""Assumed density filtering matches the moments of the exact posterior, in chunks as one by one."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from askless.predictors._adf_probit import WeightPosterior


def test_one_label_gives_the_moments_of_the_exact_posterior() -> None:
    columns = np.array([[0.8], [-0.5]], np.float32)
    posterior = WeightPosterior.from_prior(columns, np.zeros(1), np.array([4.0]))
    posterior.learn(columns, np.array([0]), np.array([1.0]))
    weight = np.linspace(-20, 20, 20_001)
    density = np.exp(-(weight**2) / 8) * (0.001 + 0.998 * ndtr(0.8 * weight))
    density /= density.sum()
    mean = density @ weight
    assert np.isclose(posterior.mean[0], mean, atol=1e-3)
    assert np.isclose(posterior.cov[0, 0], density @ (weight - mean) ** 2, atol=1e-3)
    assert np.isclose(posterior.score_mean[1], -0.5 * mean, atol=1e-3)
    assert np.isclose(posterior.score_variance[1], 0.25 * posterior.cov[0, 0], atol=1e-3)


def test_many_labels_in_one_chunk_equal_the_same_one_by_one() -> None:
    rng = np.random.default_rng(3)
    columns = rng.standard_normal((30, 6)).astype(np.float32)
    signs = rng.choice([-1.0, 1.0], 10)
    together = WeightPosterior.from_prior(columns, np.zeros(6), np.ones(6))
    single = WeightPosterior.from_prior(columns, np.zeros(6), np.ones(6))
    margins = together.learn(columns, np.arange(10), signs)
    apart = [single.learn(columns, np.array([i]), signs[i : i + 1])[0] for i in range(10)]
    assert np.allclose(margins, apart, atol=1e-4)
    assert np.allclose(together.cov, single.cov, atol=1e-4)
    assert np.allclose(together.score_mean, single.score_mean, atol=1e-4)


def test_scores_recomputed_at_the_end_equal_those_kept_current() -> None:
    rng = np.random.default_rng(4)
    columns = rng.standard_normal((30, 6)).astype(np.float32)
    current = WeightPosterior.from_prior(columns, np.zeros(6), np.ones(6))
    late = WeightPosterior.from_prior(columns, np.zeros(6), np.ones(6))
    for start in (0, 5):
        items, signs = np.arange(start, start + 5), rng.choice([-1.0, 1.0], 5)
        current.learn(columns, items, signs)
        late.learn(columns, items, signs, update_scores=False)
    late.recompute_scores(columns)
    assert np.allclose(current.score_mean, late.score_mean, atol=1e-4)
    assert np.allclose(current.score_variance, late.score_variance, atol=1e-4)
