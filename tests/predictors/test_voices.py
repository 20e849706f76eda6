"""Voices: an average that is nearly as good as its best voice."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from askless.predictors._voices import BEHIND_BITS, Voices


def test_average_is_at_most_a_few_bits_behind_the_best_kernel() -> None:
    rng = np.random.default_rng(0)
    good = rng.standard_normal(300) + 1.5
    both = Voices.even(2).told({0: good, 1: -good})
    alone = Voices.even(1).told({0: good})
    assert alone.bits < both.bits < alone.bits + 3


def test_kernel_that_is_far_behind_is_silent_and_stays_so() -> None:
    good = np.full(60, 2.0)
    voices = Voices.even(2).told({0: good, 1: -good})
    assert voices.speaking() == [0]
    assert voices.by_kernel().tolist() == [1.0, 0.0]
    assert voices.told({0: good}).speaking() == [0]
    near = Voices.even(2).told({0: good[:2], 1: good[:2] - 0.1})
    assert near.speaking() == [0, 1]
    assert -near.evidence.min() < BEHIND_BITS


def test_labels_told_in_one_go_or_two_weigh_the_same() -> None:
    margins = np.random.default_rng(1).standard_normal((2, 40))
    once = Voices.even(2).told({0: margins[0], 1: margins[1]})
    twice = Voices.even(2)
    for part in (slice(0, 15), slice(15, 40)):
        twice = twice.told({0: margins[0, part], 1: margins[1, part]})
    assert np.allclose(once.weights, twice.weights)
    assert np.isclose(once.bits, twice.bits)


def test_overconfident_margins_are_softened() -> None:
    rng = np.random.default_rng(2)
    margins = np.where(rng.random(400) < 0.75, 3.0, -3.0)  # says 0.999, is right 3 times in 4
    voices = Voices.even(1).told({0: margins})
    said = voices.chances({0: np.array([3.0])})[0]
    assert said < 0.95


def test_curve_of_the_tones_is_their_average() -> None:
    rng = np.random.default_rng(3)
    voices = Voices.even(2).told({0: rng.standard_normal(50), 1: rng.standard_normal(50) + 1})
    margins = np.linspace(-6, 6, 401)
    tones = ndtr(margins[:, None] * np.exp(np.linspace(np.log(0.5), np.log(3.0), 13)))
    lapse = np.array([0.0002, 0.002])
    spoken = lapse / 2 + (1 - lapse) * tones[..., None]
    said = voices.chances({0: margins, 1: -margins})
    exact = np.einsum("ntl,tl->n", spoken, voices.weights[0])
    exact += np.einsum("ntl,tl->n", spoken[::-1], voices.weights[1])
    assert np.abs(said - exact).max() < 1e-5
