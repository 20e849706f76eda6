"""The kernel predictor learns from few labels and from unlabelled items."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors.kernel import PATIENCE, Kernel
from askless.predictors.kernel_basis import LINEAR_RECIPES, kernel_basis
from tests.predictors.making import known, moons


def test_few_labels_travel_along_two_moons() -> None:
    x, truth = moons()
    kernel = Kernel()
    kernel.fit(x, known(truth, list(range(10))))
    assert np.mean((kernel.predict(x) > 0.5) == truth) > 0.95


def test_line_through_many_columns_is_found_sooner_by_the_linear_kernels() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((600, 8))
    truth = x @ rng.standard_normal(8) + 0.5 * rng.standard_normal(600) > 0
    basis = kernel_basis(x)
    curved = sum(width for name, width in basis.blocks if name not in LINEAR_RECIPES)
    columns, blocks = basis.columns[:, :curved], basis.blocks[: -len(LINEAR_RECIPES)]
    with_them, without = Kernel(blocks=basis.blocks), Kernel(blocks=blocks)
    for told in (50, 100, 200, 400):
        with_them.fit(basis.columns, known(truth, list(range(told))))
        without.fit(columns, known(truth, list(range(told))))
    assert with_them.one_by_one_bits < 0.9 * without.one_by_one_bits


def test_one_label_is_followed_and_nothing_is_certain() -> None:
    x, truth = moons()
    kernel = Kernel()
    kernel.fit(x, known(truth, [0]))
    probs = kernel.predict(x)
    assert probs[0] > 0.6
    assert probs.max() < 0.999


def test_labels_of_one_kind_make_that_kind_likely_everywhere() -> None:
    x, _ = moons()
    kernel = Kernel()
    kernel.fit(x, known(np.zeros(len(x), bool), list(range(60))))
    probs = kernel.predict(x)
    assert probs.max() < 0.5
    assert probs.min() > 0.0


def test_rare_positives_raise_their_neighbours() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((800, 2))
    truth = np.zeros(800, bool)
    truth[:8] = True
    x[:8] = np.array([6.0, 6.0]) + 0.1 * rng.standard_normal((8, 2))
    kernel = Kernel()
    kernel.fit(x, known(truth, [0, 1, *range(8, 100)]))
    probs = kernel.predict(x)
    assert probs[2:8].min() > 5 * probs[100:].mean()


def test_labels_told_one_by_one_or_together_teach_nearly_the_same() -> None:
    x, truth = moons()
    items = np.random.default_rng(1).permutation(300)[:40]
    one, other = Kernel(), Kernel()
    for count in range(1, 41):
        one.fit(x, known(truth, items[:count]))
    other.fit(x, known(truth, items))
    assert np.abs(one.predict(x) - other.predict(x)).mean() < 0.02


def test_many_labels_at_once_teach_as_well_as_one_at_a_time() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((600, 4))
    truth = np.sin(2 * x).sum(1) + rng.standard_normal(600) > 0
    first = np.argsort(truth[:400], kind="stable")  # all of one kind, then all of the other
    x[:400], truth[:400] = x[first], truth[first]
    basis, bits, sequential = kernel_basis(x), [], []
    for together in (1, 50, 400):
        kernel = Kernel(blocks=basis.blocks)
        order = np.random.default_rng(0).permutation(400)
        for told in range(together, 401, together):
            kernel.fit(basis.columns, known(truth, order[:told]))
        probs = kernel.predict(basis.columns)
        bits.append(-np.log2(np.where(truth, probs, 1 - probs)[400:]).mean())
        sequential.append(kernel.one_by_one_bits)
    assert max(bits) < 1.03 * bits[0]
    assert np.allclose(sequential, sequential[0], rtol=0.03)


def test_kernel_that_learnt_from_random_labels_is_not_restored_where_labels_are_chosen() -> None:
    x, truth = moons()
    kernel, other = Kernel(random_labels=True), Kernel(random_labels=False)
    kernel.fit(x, known(truth, np.arange(40)))
    with pytest.raises(InvalidInput, match="its own arrays"):
        other.restore(kernel.arrays())
    other.fit(x, known(truth, np.arange(40)))
    assert not other.arrays()["weights"][-1].any()


def test_label_taken_back_is_forgotten() -> None:
    x, truth = moons()
    kernel, fresh = Kernel(), Kernel()
    kernel.fit(x, known(truth, [0, 1, 2, 3]))
    kernel.fit(x, known(truth, [0, 1]))
    fresh.fit(x, known(truth, [0, 1]))
    assert np.array_equal(kernel.predict(x), fresh.predict(x))


def test_restored_predictor_goes_on_as_the_one_it_was() -> None:
    x, truth = moons()
    kernel, restored = Kernel(), Kernel()
    kernel.fit(x, known(truth, [0, 1]))
    restored.restore(kernel.arrays())
    for each in (kernel, restored):
        each.fit(x, known(truth, [0, 1, 2, 3, 4, 5]))
    assert np.allclose(kernel.predict(x), restored.predict(x))


@pytest.mark.parametrize("name", ["mean0", "cov1", "score_mean2", "score_variance0", "known"])
def test_arrays_that_do_not_match_the_pool_are_learnt_again(name: str) -> None:
    x, truth = moons()
    kernel, restored = Kernel(), Kernel()
    kernel.fit(x, known(truth, np.arange(20)))
    arrays = dict(kernel.arrays())
    restored.restore(arrays | {name: arrays[name][:-1]})
    restored.fit(x, known(truth, np.arange(20)))
    assert np.array_equal(restored.predict(x), kernel.predict(x))


def test_ready_made_basis_is_the_same_as_the_features_it_came_from() -> None:
    x, truth = moons()
    basis = kernel_basis(x)
    ready, raw = Kernel(blocks=basis.blocks), Kernel()
    ready.fit(basis.columns, known(truth, [0, 1, 2]))
    raw.fit(x, known(truth, [0, 1, 2]))
    assert np.array_equal(ready.predict(basis.columns), raw.predict(x))


def test_blocks_that_do_not_cover_the_columns_are_refused() -> None:
    with pytest.raises(InvalidInput, match="cover"):
        Kernel(blocks=[("rbf", 3)]).fit(np.zeros((4, 5)), np.full(4, -1, np.int8))


@pytest.mark.parametrize("strange", [np.nan, np.inf])
def test_features_that_are_no_numbers_are_refused_by_their_place(strange: float) -> None:
    x = np.zeros((4, 5))
    x[2, 3] = strange
    with pytest.raises(InvalidInput, match=r"row 2 .* column 3"):
        Kernel().fit(x, np.full(4, -1, np.int8))


def test_labels_of_another_pool_are_refused() -> None:
    with pytest.raises(InvalidInput, match="4 rows of features and 3 labels"):
        Kernel().fit(np.zeros((4, 5)), np.full(3, -1, np.int8))


def test_pool_of_another_size_is_refused() -> None:
    x, truth = moons()
    kernel = Kernel()
    kernel.fit(x, known(truth, [0]))
    with pytest.raises(InvalidInput, match="items of one pool"):
        kernel.predict(x[:5])


def test_more_labels_than_columns_at_once_teach_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askless.predictors.kernel.LARGE", 100)
    x, truth = moons(600)
    x = np.concatenate([4 * x, np.ones((600, 1))], axis=1)
    kernel = Kernel(blocks=[("own", 3)])
    kernel.fit(x, known(truth, np.arange(500)))
    assert np.mean((kernel.predict(x)[500:] > 0.5) == truth[500:]) > 0.75


def test_useful_feature_set_gets_the_weight_and_noise_does_not() -> None:
    x, truth = moons()
    noise = np.random.default_rng(5).standard_normal((300, 8))
    basis = kernel_basis({"moons": x, "noise": noise})
    kernel = Kernel(blocks=basis.blocks)
    kernel.fit(basis.columns, known(truth, np.arange(0, 300, 3)))
    weights = kernel.kernel_weights()
    assert set(weights) == {name for name, _ in basis.blocks}
    assert weights["without noise"] > 10 * weights["without moons"]
    assert weights["moons alone"] > 10 * weights["noise alone"]
    assert np.mean((kernel.predict(basis.columns) > 0.5) == truth) > 0.95


def test_pruned_kernel_takes_no_room_and_stays_pruned_once_restored() -> None:
    x, truth = moons(1600)
    noise = np.random.default_rng(5).standard_normal((1600, 8))
    basis = kernel_basis({"moons": x, "noise": noise})
    kernel, restored = Kernel(blocks=basis.blocks), Kernel(blocks=basis.blocks)
    kernel.fit(basis.columns, known(truth, np.arange(1500)))
    pruned = [at for at, share in enumerate(kernel.kernel_weights().values()) if share == 0]
    assert pruned
    arrays = kernel.arrays()
    assert all(arrays[f"cov{at}"].size == 0 for at in pruned)
    restored.restore(arrays)
    for each in (kernel, restored):
        each.fit(basis.columns, known(truth, np.arange(1550)))
    assert np.allclose(kernel.predict(basis.columns), restored.predict(basis.columns))


def test_one_label_among_hundreds_waits_for_another_unless_few_are_open() -> None:
    x, truth = moons(2 * PATIENCE + 4)
    kernel = Kernel()
    for told, waits in ((PATIENCE, False), (PATIENCE + 1, True), (PATIENCE + 2, False)):
        before = kernel.predict(x)
        kernel.fit(x, known(truth, np.arange(told)))
        assert np.array_equal(kernel.predict(x), before) == waits, told
    kernel.fit(x, known(truth, np.arange(2 * PATIENCE)))
    before = kernel.predict(x)
    kernel.fit(x, known(truth, np.arange(2 * PATIENCE + 1)))
    assert not np.array_equal(kernel.predict(x), before)
    kernel.fit(x, truth.astype(np.int8))
    assert np.array_equal(kernel.arrays()["known"], truth)


def test_refuted_guesses_teach_it_nothing() -> None:
    x, truth = moons()
    told, other = Kernel(), Kernel()
    told.fit(x, known(truth, [0, 1]), (Clause((4, 6, 8), (False, False, False), 0),))
    other.fit(x, known(truth, [0, 1]))
    assert np.array_equal(told.predict(x), other.predict(x))
