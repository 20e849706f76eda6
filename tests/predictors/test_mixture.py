"""A fixed-share mixture is nearly as good as its best expert, and forgets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from askless.predictors._mixture import FixedShareMixture, tempered_probs

_TEMPERATURES = np.array([0.25, 0.5, 1.0, 2.0])
_NOISE = np.array([0.001, 0.01])


def fresh(scores: int = 1, share: float = 0.001) -> FixedShareMixture:
    weights = np.full((scores, len(_TEMPERATURES), len(_NOISE)), 1.0)
    return FixedShareMixture(weights / weights.size, share)


def likelihoods(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return tempered_probs(expit, scores, _TEMPERATURES, _NOISE)


def test_code_length_is_at_most_log2_of_the_experts_above_the_best() -> None:
    rng = np.random.default_rng(0)
    seen = likelihoods(rng.standard_normal((500, 2)) + np.array([1.0, 0.0]))
    mixture, evidence = fresh(2, share=1e-9).update(seen)
    best = (-np.log2(seen)).sum(axis=0).min()
    assert best < mixture.bits < best + np.log2(mixture.weights.size)
    assert evidence[0] > evidence[1]


def test_without_forgetting_the_weights_follow_bayes_rule() -> None:
    seen = likelihoods(np.array([[0.5], [-1.0], [2.0]]))
    mixture, _ = fresh(share=0.0).update(seen)
    posterior = seen.prod(axis=0)
    assert np.allclose(mixture.weights, posterior / posterior.sum())


def test_expert_that_was_wrong_early_recovers() -> None:
    early, late = np.full((200, 1), 2.0), np.full((60, 1), -2.0)
    scores = np.concatenate([np.hstack([early, -early]), np.hstack([late, -late])])
    forgetting, _ = fresh(2).update(likelihoods(scores))
    never, _ = fresh(2, share=0.0).update(likelihoods(scores))
    assert forgetting.weights[1].sum() > 0.99
    assert never.weights[1].sum() < 0.01


def test_overconfident_scores_get_a_low_temperature() -> None:
    scores = np.where(np.random.default_rng(0).random((400, 1)) < 0.75, 4.0, -4.0)
    mixture, _ = fresh().update(likelihoods(scores))
    assert mixture.weights[0, 0].sum() > 0.95  # 1/4: it says 0.73


def test_experts_are_the_tempered_scores_with_label_noise() -> None:
    experts = tempered_probs(expit, np.array([1.5]), _TEMPERATURES, _NOISE)
    assert experts.shape == (1, 4, 2)
    assert np.isclose(experts[0, 3, 1], 0.005 + 0.99 * expit(3.0))
    assert np.allclose(tempered_probs(expit, np.array([50.0]), _TEMPERATURES, _NOISE).max(), 0.9995)
