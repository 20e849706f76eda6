"""The kernel predictor and probabilities that come with the pool: used, corrected, added up."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from askless.errors import InvalidInput
from askless.predictors._kernel_pool import PRIOR, KernelPool
from askless.predictors.kernel import Kernel
from tests.predictors.making import known, moons


def test_prior_is_the_prediction_at_first_and_corrected_by_labels() -> None:
    x, truth = moons()
    prior = np.where(truth, 0.1, 0.9)  # wrong throughout
    kernel = Kernel(prior=prior)
    assert np.array_equal(kernel.predict(x), prior)
    kernel.fit(x, np.full(len(x), -1, np.int8))
    assert np.mean((kernel.predict(x) > 0.5) == (prior > 0.5)) > 0.99
    kernel.fit(x, known(truth, np.arange(60)))
    assert np.mean((kernel.predict(x)[60:] > 0.5) == truth[60:]) > 0.9


def test_learning_beside_probabilities_that_are_right_costs_next_to_nothing() -> None:
    rng = np.random.default_rng(2)
    x, costs = rng.standard_normal((300, 6)), []
    for seed in range(3):
        prior = np.random.default_rng(seed).beta(0.3, 0.3, 300)
        truth = np.random.default_rng(10 + seed).random(300) < prior
        kernel = Kernel(prior=prior)
        for told in range(0, 301, 4):
            kernel.fit(x, known(truth, np.arange(told)))
        as_it_is = -np.log2(np.where(truth, prior, 1 - prior)).sum()
        costs.append(kernel.one_by_one_bits - as_it_is)
    assert max(costs) < 5
    assert kernel.kernel_weights()[PRIOR] > 0.5


def test_first_kernel_gives_the_prior_as_it_is() -> None:
    prior = np.array([0.0, 1e-5, 0.02, 0.5, 0.9, 1.0])
    pool = KernelPool(np.zeros((6, 0)), (), prior, stacked=True, seed=0)
    (said, corrected), (kernel, _) = (k.columns for k in pool.kernels), pool.kernels
    assert np.allclose(ndtr(said[:, 0]), prior, atol=1e-6)
    assert np.all(np.isfinite(corrected))
    assert kernel.mean.tolist() == [1.0]
    assert kernel.variance[0] < 0.001  # it hardly learns


@pytest.mark.parametrize("random_labels", [True, False])
def test_prior_and_features_that_know_something_else_are_better_together(
    random_labels: bool,
) -> None:
    rng = np.random.default_rng(5)
    x, hidden = rng.standard_normal((600, 3)), 1.5 * rng.standard_normal(600)
    truth = x.sum(1) + hidden + 0.3 * rng.standard_normal(600) > 0
    prior, bits = ndtr(hidden / 1.76), []  # what hidden alone tells: the rest is of variance 3.1
    for given in (None, prior):
        kernel = Kernel(prior=given, random_labels=random_labels)
        for told in range(0, 601, 8):
            kernel.fit(x, known(truth, np.arange(told)))
        bits.append(kernel.one_by_one_bits)
    bits.append(-np.log2(np.where(truth, prior, 1 - prior)).sum())
    learnt, both, given_bits = bits
    assert both < 0.7 * min(learnt, given_bits)


def test_prior_of_another_pool_is_refused() -> None:
    x = np.zeros((4, 5))
    with pytest.raises(InvalidInput, match="one probability per item"):
        Kernel(prior=[0.5, 0.5]).fit(x, np.full(4, -1, np.int8))
    with pytest.raises(InvalidInput, match="one probability per item"):
        Kernel(prior=[0.5, 0.5]).predict(x)
    for strange in ([0.5, 2.0, 0.5, 0.5], [0.5, np.nan, 0.5, 0.5]):
        with pytest.raises(InvalidInput, match="between 0 and 1"):
            Kernel(prior=strange)
