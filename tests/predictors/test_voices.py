"""Voices: an average that is nearly as good as its best voice, and a chorus that is better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import ndtr

from askless.predictors._voices import BEHIND_BITS, FEWEST, Voices

_TEMPERATURES = np.exp(0.15 * np.arange(-5, 8))


def test_average_is_at_most_a_few_bits_behind_the_best_kernel() -> None:
    rng = np.random.default_rng(0)
    good = rng.standard_normal(300) + 1.5
    both = Voices.even(2).told({0: good, 1: -good})
    alone = Voices.even(1).told({0: good})
    assert alone.bits < both.bits < alone.bits + 3


def test_what_is_brought_speaks_for_half_of_them_as_it_is() -> None:
    said = {0: np.array([1.0]), 1: np.array([-1.0]), 2: np.array([-1.0])}
    for fair in (True, False):
        voices = Voices.even(3, fair=fair, brought=1)
        assert np.isclose(voices.weights.sum(), 1.0)
        assert np.isclose(voices.weights[0].sum(), 0.5)
        assert np.isclose(
            voices.chances(said)[0] - voices.weights[0].sum() * ndtr(1.0), 0.1, atol=0.06
        )
    only = Voices.even(1, fair=False, brought=1)
    assert np.isclose(only.chances({0: np.array([1.0])})[0], ndtr(1.0), atol=1e-3)


def test_what_is_brought_never_falls_silent_and_silences_nobody() -> None:
    rng = np.random.default_rng(8)
    for fair in (True, False):
        knows, slow = rng.standard_normal(300) + 2.5, rng.standard_normal(300) + 0.4
        voices = Voices.even(3, fair=fair, brought=1).told({0: knows, 1: slow, 2: slow})
        assert voices.evidence[0] > voices.evidence[1] + BEHIND_BITS
        assert voices.speaking() == [0, 1, 2]
        voices = Voices.even(2, fair=fair, brought=1).told({0: -knows, 1: knows})
        assert voices.speaking() == [0, 1]


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
    margins = rng.standard_normal((12, 6000)) + np.where(np.arange(12) < 8, 0.3, 0.6)[:, None]
    voices, counts = Voices.even(12), list[int]()
    for start in range(0, 6000, 500):
        now = {at: margins[at, start : start + 500] for at in voices.speaking()}
        voices = voices.told(now)
        counts.append(len(voices.speaking()))
    assert counts[0] > counts[-1] == FEWEST
    assert counts == sorted(counts, reverse=True)
    assert voices.speaking() == [8, 9, 10, 11]
    assert not voices.by_kernel()[:8].any()
    assert np.isclose(voices.weights.sum(), 1.0)


def test_kernel_that_is_behind_is_silenced_unless_the_chorus_needs_it() -> None:
    rng = np.random.default_rng(7)
    good = rng.standard_normal(400) + 1.0
    said = {0: good} | {at: rng.standard_normal(400) for at in range(1, 9)}
    assert 0 in Voices.even(9).told(said).speaking()
    assert len(Voices.even(9).told(said).speaking()) < 7
    parts = rng.standard_normal((2, 400))
    sign = np.sign(parts[0] + 0.4 * parts[1])  # the second knows little, but not the same
    voices = Voices.even(2).told({at: sign * parts[at] for at in (0, 1)})
    assert voices.evidence[1] < voices.evidence[0] - BEHIND_BITS
    assert voices.speaking() == [0, 1]


def test_without_a_fair_sample_there_is_no_chorus_and_who_is_behind_is_silent() -> None:
    rng = np.random.default_rng(8)
    parts = rng.standard_normal((2, 400))
    sign = np.sign(parts[0] + 0.4 * parts[1])
    voices = Voices.even(2, fair=False).told({at: sign * parts[at] for at in (0, 1)})
    assert voices.speaking() == [0]
    assert np.allclose(voices.by_kernel(), [1.0, 0.0])
    assert not voices.weights[-1].any()
    again = Voices.restored(voices.arrays())
    assert again is not None
    assert not again.fair
    assert again.told({0: np.ones(3)}).speaking() == [0]


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


def test_without_a_fair_sample_all_that_are_not_behind_go_on() -> None:
    margins = np.random.default_rng(9).standard_normal(8000) + 1
    voices = Voices.even(8, fair=False).told(dict.fromkeys(range(8), margins))
    assert voices.speaking() == list(range(8))


def test_somebody_always_speaks() -> None:
    far = np.array([0.0, 0.0, -50.0, -50.0, -50.0, -50.0])
    voices = replace(Voices.even(6), evidence=far, labels=10_000)
    assert voices.told({at: np.zeros(1) for at in range(6)}).speaking()


def test_weights_that_are_unsure_make_the_chorus_unsure() -> None:
    weights = np.zeros_like(Voices.even(2).weights)
    weights[-1] = 1 / weights[-1].size
    sure = replace(Voices.even(2), spread=1e-30 * np.eye(2), weights=weights)
    unsure = replace(sure, spread=np.eye(2))
    said = {0: np.array([2.0]), 1: np.array([2.0])}
    assert unsure.chances(said)[0] < sure.chances(said)[0] - 0.05


def test_bits_are_those_of_the_chances_just_before() -> None:
    voices = Voices.even(2).told({0: np.full(5, 1.0), 1: np.full(5, 0.5)})
    said = {0: np.array([1.3]), 1: np.array([-0.4])}
    bits = voices.told(said).bits - voices.bits
    assert np.isclose(bits, -np.log2(voices.chances(said)[0]), atol=1e-4)


def test_restored_voices_are_the_same_and_damaged_ones_are_refused() -> None:
    rng = np.random.default_rng(10)
    voices = Voices.even(3)
    for _ in range(2):
        voices = voices.told({at: rng.standard_normal(30) + 1 for at in range(3)})
    arrays = voices.arrays()
    again = Voices.restored(arrays)
    assert again is not None
    assert again.labels == 60
    for name, array in arrays.items():
        assert np.array_equal(array, getattr(again, name)), name
    damaged = {
        "mean": np.zeros(()),
        "evidence": np.zeros(2),
        "fair": np.ones(2),
        "labels": np.array(np.nan),
        "bits": np.array("many"),
        "spread": np.zeros((3, 3)),
        "weights": np.full_like(voices.weights, np.nan),
    }
    for name, array in damaged.items():
        assert Voices.restored(arrays | {name: array}) is None, name
    for brought in (-1, 4, 2.5):
        assert Voices.restored(arrays | {"brought": np.array(brought)}) is None


def test_labels_told_in_one_go_or_two_weigh_the_same() -> None:
    margins = np.random.default_rng(1).standard_normal((2, 40))
    once = Voices.even(2).told({0: margins[0], 1: margins[1]})
    twice = Voices.even(2)
    for part in (slice(0, 15), slice(15, 40)):
        twice = twice.told({0: margins[0, part], 1: margins[1, part]})
    assert np.allclose(once.weights, twice.weights)
    assert np.isclose(once.bits, twice.bits)
    assert np.allclose(once.evidence, twice.evidence)


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
