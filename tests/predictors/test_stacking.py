"""A mixture nearly as good as its best kernel, and a stacked expert that is better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import ndtr

from askless.predictors._stacking import BEHIND_BITS, FEWEST, StackedMixture

_TEMPERATURES = np.exp(0.15 * np.arange(-5, 8))


def test_average_is_at_most_a_few_bits_behind_the_best_kernel() -> None:
    rng = np.random.default_rng(0)
    good = rng.standard_normal(300) + 1.5
    both = StackedMixture.initial(2).update({0: good, 1: -good})
    alone = StackedMixture.initial(1).update({0: good})
    assert alone.bits < both.bits < alone.bits + 3


def test_prior_starts_with_half_of_the_weight_as_it_is() -> None:
    given = {0: np.array([1.0]), 1: np.array([-1.0]), 2: np.array([-1.0])}
    for random_labels in (True, False):
        mixture = StackedMixture.initial(3, random_labels=random_labels, n_prior_kernels=1)
        assert np.isclose(mixture.weights.sum(), 1.0)
        assert np.isclose(mixture.weights[0].sum(), 0.5)
        assert np.isclose(
            mixture.predict(given)[0] - mixture.weights[0].sum() * ndtr(1.0), 0.1, atol=0.06
        )
    only = StackedMixture.initial(1, random_labels=False, n_prior_kernels=1)
    assert np.isclose(only.predict({0: np.array([1.0])})[0], ndtr(1.0), atol=1e-3)


def test_prior_is_never_pruned_and_nothing_is_pruned_for_being_behind_it() -> None:
    rng = np.random.default_rng(8)
    for random_labels in (True, False):
        knows, slow = rng.standard_normal(300) + 2.5, rng.standard_normal(300) + 0.4
        mixture = StackedMixture.initial(3, random_labels=random_labels, n_prior_kernels=1).update(
            {0: knows, 1: slow, 2: slow}
        )
        assert mixture.evidence[0] > mixture.evidence[1] + BEHIND_BITS
        assert mixture.active() == [0, 1, 2]
        mixture = StackedMixture.initial(2, random_labels=random_labels, n_prior_kernels=1).update(
            {0: -knows, 1: knows}
        )
        assert mixture.active() == [0, 1]


def test_kernels_that_know_different_things_are_better_stacked() -> None:
    rng = np.random.default_rng(4)
    parts = rng.standard_normal((2, 2000))
    sign = np.sign(parts.sum(0) + 0.3 * rng.standard_normal(2000))
    stacked = StackedMixture.initial(2).update({at: sign * parts[at] for at in (0, 1)})
    single = [StackedMixture.initial(1).update({0: sign * part}).bits for part in parts]
    assert stacked.bits < 0.6 * min(single)


def test_kernel_that_is_behind_at_first_counts_once_it_knows_better() -> None:
    early, late = np.full(100, 1.5), np.full(400, 1.5)
    given = {0: np.array([-0.5]), 1: np.array([1.5])}
    mixture = StackedMixture.initial(2).update({0: early, 1: -early / 3})
    assert mixture.predict(given)[0] < 0.5
    mixture = mixture.update({0: -late / 3, 1: late})
    assert mixture.predict(given)[0] > 0.95


def test_the_more_labels_the_fewer_kernels_and_those_that_know_something_stay() -> None:
    rng = np.random.default_rng(5)
    margins = rng.standard_normal((12, 6000)) + np.where(np.arange(12) < 8, 0.3, 0.6)[:, None]
    mixture, counts = StackedMixture.initial(12), list[int]()
    for start in range(0, 6000, 500):
        now = {at: margins[at, start : start + 500] for at in mixture.active()}
        mixture = mixture.update(now)
        counts.append(len(mixture.active()))
    assert counts[0] > counts[-1] == FEWEST
    assert counts == sorted(counts, reverse=True)
    assert mixture.active() == [8, 9, 10, 11]
    assert not mixture.kernel_weights()[:8].any()
    assert np.isclose(mixture.weights.sum(), 1.0)


def test_kernel_that_is_behind_is_pruned_unless_its_stacking_weight_counts() -> None:
    rng = np.random.default_rng(7)
    good = rng.standard_normal(400) + 1.0
    given = {0: good} | {at: rng.standard_normal(400) for at in range(1, 9)}
    assert 0 in StackedMixture.initial(9).update(given).active()
    assert len(StackedMixture.initial(9).update(given).active()) < 7
    parts = rng.standard_normal((2, 400))
    sign = np.sign(parts[0] + 0.4 * parts[1])  # the second knows little, but not the same
    mixture = StackedMixture.initial(2).update({at: sign * parts[at] for at in (0, 1)})
    assert mixture.evidence[1] < mixture.evidence[0] - BEHIND_BITS
    assert mixture.active() == [0, 1]


def test_without_random_labels_nothing_is_stacked_and_kernels_behind_are_pruned() -> None:
    rng = np.random.default_rng(8)
    parts = rng.standard_normal((2, 400))
    sign = np.sign(parts[0] + 0.4 * parts[1])
    mixture = StackedMixture.initial(2, random_labels=False).update(
        {at: sign * parts[at] for at in (0, 1)}
    )
    assert mixture.active() == [0]
    assert np.allclose(mixture.kernel_weights(), [1.0, 0.0])
    assert not mixture.weights[-1].any()
    again = StackedMixture.from_arrays(mixture.arrays())
    assert again is not None
    assert not again.random_labels
    assert again.update({0: np.ones(3)}).active() == [0]


def test_stacking_weights_left_are_conditioned_on_the_pruned_one_being_zero() -> None:
    rng = np.random.default_rng(6)
    root = rng.standard_normal((5, 5))
    cov, mean = root @ root.T, np.array([3.0, 2.0, 1e-3, 4.0, 5.0])
    mixture = replace(StackedMixture.initial(5), stack_mean=mean, stack_cov=cov, n_labels=10**6)
    margins = {at: np.zeros(1) for at in range(5)}  # which teach the stacking weights nothing
    left = mixture.update(margins)
    assert left.active() == [0, 1, 3, 4]
    own, other = [0, 1, 3, 4], [2]
    slope = cov[np.ix_(own, other)] / cov[2, 2]
    assert np.allclose(left.stack_mean[own], mean[own] - slope[:, 0] * mean[2])
    assert np.allclose(
        left.stack_cov[np.ix_(own, own)], cov[np.ix_(own, own)] - slope @ slope.T * cov[2, 2]
    )


def test_without_random_labels_all_kernels_that_are_not_behind_stay_active() -> None:
    margins = np.random.default_rng(9).standard_normal(8000) + 1
    mixture = StackedMixture.initial(8, random_labels=False).update(
        dict.fromkeys(range(8), margins)
    )
    assert mixture.active() == list(range(8))


def test_some_kernel_is_always_active() -> None:
    far = np.array([0.0, 0.0, -50.0, -50.0, -50.0, -50.0])
    mixture = replace(StackedMixture.initial(6), evidence=far, n_labels=10_000)
    assert mixture.update({at: np.zeros(1) for at in range(6)}).active()


def test_uncertain_stacking_weights_make_the_stacked_expert_uncertain() -> None:
    weights = np.zeros_like(StackedMixture.initial(2).weights)
    weights[-1] = 1 / weights[-1].size
    sure = replace(StackedMixture.initial(2), stack_cov=1e-30 * np.eye(2), weights=weights)
    unsure = replace(sure, stack_cov=np.eye(2))
    given = {0: np.array([2.0]), 1: np.array([2.0])}
    assert unsure.predict(given)[0] < sure.predict(given)[0] - 0.05


def test_bits_are_those_of_the_prediction_just_before() -> None:
    mixture = StackedMixture.initial(2).update({0: np.full(5, 1.0), 1: np.full(5, 0.5)})
    given = {0: np.array([1.3]), 1: np.array([-0.4])}
    bits = mixture.update(given).bits - mixture.bits
    assert np.isclose(bits, -np.log2(mixture.predict(given)[0]), atol=1e-4)


def test_restored_mixture_is_the_same_and_damaged_ones_are_refused() -> None:
    rng = np.random.default_rng(10)
    mixture = StackedMixture.initial(3)
    for _ in range(2):
        mixture = mixture.update({at: rng.standard_normal(30) + 1 for at in range(3)})
    arrays = mixture.arrays()
    again = StackedMixture.from_arrays(arrays)
    assert again is not None
    assert again.n_labels == 60
    for name, array in arrays.items():
        assert np.array_equal(array, getattr(again, name)), name
    damaged = {
        "stack_mean": np.zeros(()),
        "evidence": np.zeros(2),
        "random_labels": np.ones(2),
        "n_labels": np.array(np.nan),
        "bits": np.array("many"),
        "stack_cov": np.zeros((3, 3)),
        "weights": np.full_like(mixture.weights, np.nan),
    }
    for name, array in damaged.items():
        assert StackedMixture.from_arrays(arrays | {name: array}) is None, name
    for count in (-1, 4, 2.5):
        assert StackedMixture.from_arrays(arrays | {"n_prior_kernels": np.array(count)}) is None


def test_labels_learnt_in_one_go_or_two_give_the_same_weights() -> None:
    margins = np.random.default_rng(1).standard_normal((2, 40))
    once = StackedMixture.initial(2).update({0: margins[0], 1: margins[1]})
    twice = StackedMixture.initial(2)
    for part in (slice(0, 15), slice(15, 40)):
        twice = twice.update({0: margins[0, part], 1: margins[1, part]})
    assert np.allclose(once.weights, twice.weights)
    assert np.isclose(once.bits, twice.bits)
    assert np.allclose(once.evidence, twice.evidence)


def test_overconfident_margins_are_tempered() -> None:
    rng = np.random.default_rng(2)
    margins = np.where(rng.random(400) < 0.75, 3.0, -3.0)  # says 0.999, is right 3 times in 4
    mixture = StackedMixture.initial(1).update({0: margins})
    given = mixture.predict({0: np.array([3.0])})[0]
    assert given < 0.95


def test_tabulated_average_of_the_temperatures_is_exact_enough() -> None:
    rng = np.random.default_rng(3)
    mixture = StackedMixture.initial(2).update(
        {0: rng.standard_normal(50), 1: rng.standard_normal(50) + 1}
    )
    mixture = replace(mixture, stack_mean=np.array([0.75, 0.25]), stack_cov=1e-30 * np.eye(2))
    margins = np.linspace(-6, 6, 401)
    tempered = ndtr(margins[:, None] * _TEMPERATURES)
    noise = np.array([0.0002, 0.002])
    experts = noise / 2 + (1 - noise) * tempered[..., None]
    given = mixture.predict({0: margins, 1: -margins})
    exact = np.einsum("ntl,tl->n", experts, mixture.weights[0])
    exact += np.einsum("ntl,tl->n", experts[::-1], mixture.weights[1])
    half = noise / 2 + (1 - noise) * ndtr(margins[:, None] / 2 * _TEMPERATURES)[..., None]
    exact += np.einsum("ntl,tl->n", half, mixture.weights[2])  # 0.75 z - 0.25 z
    assert np.abs(given - exact).max() < 1e-5
