"""Voices: an average that is nearly as good as its best voice, and a chorus that is better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import ndtr

from askless.predictors._voices import FEWEST, Voices

_TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(3.0), 13))


def test_average_is_at_most_a_few_bits_behind_the_best_kernel() -> None:
    rng = np.random.default_rng(0)
    good = rng.standard_normal(300) + 1.5
    both = Voices.even(2).told({0: good, 1: -good})
    alone = Voices.even(1).told({0: good})
    assert alone.bits < both.bits < alone.bits + 3


def test_kernels_that_know_different_things_are_better_in_chorus() -> None:
    rng = np.random.default_rng(4)
    parts = rng.standard_normal((2, 2000))
    sign = np.sign(parts.sum(0) + 0.3 * rng.standard_normal(2000))
    chorus = Voices.even(2).told({at: sign * parts[at] for at in (0, 1)})
    single = [Voices.even(1).told({0: sign * part}).bits for part in parts]
    assert chorus.bits < 0.6 * min(single)


def test_kernel_that_is_behind_at_first_is_heard_once_it_knows_better() -> None:
    early, late = np.full(100, 1.5), np.full(400, 1.5)
    said = {0: np.array([-0.5]), 1: np.array([1.5])}
    voices = Voices.even(2).told({0: early, 1: -early / 3})
    assert voices.chances(said)[0] < 0.5
    voices = voices.told({0: -late / 3, 1: late})
    assert voices.chances(said)[0] > 0.95


def test_the_more_labels_the_fewer_kernels_and_those_that_know_something_stay() -> None:
    rng = np.random.default_rng(5)
    known, noise = rng.standard_normal((3, 6000)) + 0.7, rng.standard_normal((9, 6000))
    margins = np.concatenate([noise[:5], known, noise[5:]])
    voices, counts = Voices.even(12), list[int]()
    for start in range(0, 6000, 500):
        now = {at: margins[at, start : start + 500] for at in voices.speaking()}
        voices = voices.told(now)
        counts.append(len(voices.speaking()))
    assert counts[0] == 12
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == FEWEST
    assert {5, 6, 7} <= set(voices.speaking())
    silent = np.setdiff1d(np.arange(12), voices.speaking())
    assert not voices.by_kernel()[silent].any()
    assert np.isclose(voices.weights.sum(), 1.0)


def test_weights_left_are_those_given_that_the_silent_one_is_nought() -> None:
    rng = np.random.default_rng(6)
    root = rng.standard_normal((5, 5))
    spread, mean = root @ root.T, np.array([3.0, 2.0, 1e-3, 4.0, 5.0])
    voices = replace(Voices.even(5), mean=mean, spread=spread, labels=10**6)
    margins = {at: np.zeros(1) for at in range(5)}  # which teach the chorus nothing
    left = voices.told(margins)
    assert left.speaking() == [0, 1, 3, 4]
    own, other = [0, 1, 3, 4], [2]
    slope = spread[np.ix_(own, other)] / spread[2, 2]
    assert np.allclose(left.mean[own], mean[own] - slope[:, 0] * mean[2])
    assert np.allclose(
        left.spread[np.ix_(own, own)], spread[np.ix_(own, own)] - slope @ slope.T * spread[2, 2]
    )


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
    voices = replace(voices, mean=np.array([0.75, 0.25]), spread=1e-30 * np.eye(2))
    margins = np.linspace(-6, 6, 401)
    tones = ndtr(margins[:, None] * _TEMPERATURES)
    lapse = np.array([0.0002, 0.002])
    spoken = lapse / 2 + (1 - lapse) * tones[..., None]
    said = voices.chances({0: margins, 1: -margins})
    exact = np.einsum("ntl,tl->n", spoken, voices.weights[0])
    exact += np.einsum("ntl,tl->n", spoken[::-1], voices.weights[1])
    half = lapse / 2 + (1 - lapse) * ndtr(margins[:, None] / 2 * _TEMPERATURES)[..., None]
    exact += np.einsum("ntl,tl->n", half, voices.weights[2])  # 0.75 z - 0.25 z
    assert np.abs(said - exact).max() < 1e-5
