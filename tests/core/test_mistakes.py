"""The chance that a label is wrong, and what review says about it."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.mistakes import ReviewFit, chance_wrong, interval_of


def test_the_chance_is_that_of_bayes() -> None:
    against, rate = 0.8, 0.03
    found = chance_wrong(np.array([against]), np.array([rate]))
    both = against * rate
    assert found[0] == pytest.approx(both / (both + (1 - against) * (1 - rate)))


def test_what_nobody_doubts_and_nobody_gets_wrong_is_hardly_wrong_and_never_not_a_number() -> None:
    found = chance_wrong(np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    assert np.all((found >= 0) & (found <= 1))
    assert found[0] < 1e-9


def test_review_that_finds_nothing_lowers_the_chances_of_the_rest() -> None:
    looked, rest = np.full(40, 0.3), np.array([0.05, 0.3, 0.6])
    fit = ReviewFit.learn(looked, np.zeros(40, bool))
    assert np.all(fit.apply(rest) < rest)
    assert np.all(np.diff(fit.apply(rest)) > 0)


def test_review_that_finds_more_than_expected_raises_them() -> None:
    looked, rest = np.full(40, 0.1), np.array([0.05, 0.3])
    fit = ReviewFit.learn(looked, np.arange(40) < 20)
    assert np.all(fit.apply(rest) > rest)


def test_without_review_the_mean_of_many_is_that_of_the_chances_give_or_take_the_doubt() -> None:
    nobody = ReviewFit.learn(np.empty(0), np.empty(0, bool))
    mean, variance = nobody.total(np.full(1000, 0.02))
    low, high = interval_of(mean, variance)
    assert low < 20 < high
    assert high - low > 4 * np.sqrt(20)  # wider than chance alone


def test_the_total_is_the_sum_of_the_chances_as_review_has_them() -> None:
    fit = ReviewFit.learn(np.full(10, 0.2), np.arange(10) < 1)
    chances = np.linspace(0.01, 0.9, 50)
    assert fit.total(chances)[0] == pytest.approx(fit.apply(chances).sum(), rel=0.01)


def test_the_interval_holds_the_number_of_wrong_labels_19_times_in_20() -> None:
    rng = np.random.default_rng(1)
    held = []
    for _ in range(400):
        chances = rng.beta(0.3, 4, 400)
        logits = np.exp(0.2 * rng.normal()) * (np.log(chances) - np.log1p(-chances))
        logits += 0.8 * rng.normal()
        wrong = rng.random(400) < 1 / (1 + np.exp(-logits))
        order = np.argsort(-chances)
        looked, rest = order[:60], order[60:]
        fit = ReviewFit.learn(chances[looked], wrong[looked])
        low, high = interval_of(*fit.total(chances[rest]))
        held.append(low - 0.5 <= wrong[rest].sum() <= high + 0.5)
    assert np.mean(held) >= 0.93


def test_none_expected_is_none() -> None:
    assert interval_of(0.0, 0.0) == (0.0, 0.0)
    low, high = interval_of(0.5, 0.5)
    assert low == 0.0
    assert high > 1
