"""The kernel predictor learns from few labels and from unlabelled items."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors._ingredients import product_columns
from askless.predictors._probit import prior_belief
from askless.predictors.kernel import PATIENCE, Kernel
from askless.predictors.kernel_basis import STRAIGHT, kernel_basis
from tests.predictors.making import known, moons


def test_few_labels_travel_along_two_moons() -> None:
    x, truth = moons()
    kernel = Kernel()
    kernel.fit(x, known(truth, list(range(10))))
    assert np.mean((kernel.predict(x) > 0.5) == truth) > 0.95


def test_line_through_many_columns_is_found_sooner_by_the_straight_kernels() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((600, 8))
    truth = x @ rng.standard_normal(8) + 0.5 * rng.standard_normal(600) > 0
    basis = kernel_basis(x)
    bent = sum(width for name, width in basis.blocks if name not in STRAIGHT)
    columns, blocks = basis.columns[:, :bent], basis.blocks[: -len(STRAIGHT)]
    with_them, without = Kernel(blocks=basis.blocks), Kernel(blocks=blocks)
    for told in (50, 100, 200, 400):
        with_them.fit(basis.columns, known(truth, list(range(told))))
        without.fit(columns, known(truth, list(range(told))))
    assert with_them.sequential_bits < 0.9 * without.sequential_bits


def test_products_are_exact_where_columns_are_few() -> None:
    x = np.random.default_rng(0).standard_normal((50, 3))
    columns = product_columns(x, 10, seed=0)
    plain = (x - x.mean(0)) / np.sqrt(np.mean(np.sum(np.square(x - x.mean(0)), axis=1)))
    assert columns.shape == (50, 3)
    assert np.allclose(columns @ columns.T, plain @ plain.T, atol=1e-4)


def test_straight_kernels_alone_are_nearly_linear() -> None:
    x = np.random.default_rng(0).standard_normal((600, 8))
    basis, start = kernel_basis(x), 0
    line, _ = np.linalg.qr(x - x.mean(0))
    for name, width in basis.blocks:
        columns = basis.columns[:, start : start + width - 1]  # the last is the bias
        share = np.sum(np.square(line.T @ columns)) / np.sum(np.square(columns))
        assert (share > 0.85) == (name in STRAIGHT), name
        start += width


@pytest.mark.parametrize("rows", ["equal", "two", "far", "few"])
def test_products_of_strange_features_are_finite(rows: str) -> None:
    x = {
        "equal": np.full((30, 4), 0.1),
        "two": np.repeat(np.eye(2), 20, axis=0),
        "far": np.r_[np.zeros((29, 2)), [[1e20, 0.0]]],
        "few": np.arange(3.0)[:, None],
    }[rows]
    columns = product_columns(x, 300, seed=0)
    assert columns.shape[1] <= x.shape[1]
    assert np.all(np.isfinite(columns))
    assert np.all(np.isfinite(kernel_basis(x).columns))


def test_pool_of_many_feature_sets_has_no_straight_kernels() -> None:
    x, _ = moons(60)
    of = {count: {str(n): x for n in range(count)} for count in (2, 3)}
    found = {count: {name for name, _ in kernel_basis(sets).blocks} for count, sets in of.items()}
    assert set(STRAIGHT) <= found[2]
    assert not set(STRAIGHT) & found[3]


def test_one_label_leans_towards_it_and_nobody_is_sure() -> None:
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
        sequential.append(kernel.sequential_bits)
    assert max(bits) < 1.03 * bits[0]
    assert np.allclose(sequential, sequential[0], rtol=0.03)


def test_kernel_of_a_fair_sample_is_not_taken_up_where_there_is_none() -> None:
    x, truth = moons()
    kernel, other = Kernel(fair=True), Kernel(fair=False)
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


def test_one_label_moves_the_belief_to_the_moments_of_the_exact_posterior() -> None:
    columns = np.array([[0.8], [-0.5]], np.float32)
    belief = prior_belief(columns, np.zeros(1), np.array([4.0]))
    belief.learn(columns, np.array([0]), np.array([1.0]))
    weight = np.linspace(-20, 20, 20_001)
    density = np.exp(-(weight**2) / 8) * (0.001 + 0.998 * ndtr(0.8 * weight))
    density /= density.sum()
    mean = density @ weight
    assert np.isclose(belief.mean[0], mean, atol=1e-3)
    assert np.isclose(belief.spread[0, 0], density @ (weight - mean) ** 2, atol=1e-3)
    assert np.isclose(belief.middle[1], -0.5 * mean, atol=1e-3)
    assert np.isclose(belief.variance[1], 0.25 * belief.spread[0, 0], atol=1e-3)


def test_many_labels_in_one_chunk_equal_the_same_one_by_one() -> None:
    rng = np.random.default_rng(3)
    columns = rng.standard_normal((30, 6)).astype(np.float32)
    signs = rng.choice([-1.0, 1.0], 10)
    together = prior_belief(columns, np.zeros(6), np.ones(6))
    single = prior_belief(columns, np.zeros(6), np.ones(6))
    margins = together.learn(columns, np.arange(10), signs)
    apart = [single.learn(columns, np.array([i]), signs[i : i + 1])[0] for i in range(10)]
    assert np.allclose(margins, apart, atol=1e-4)
    assert np.allclose(together.spread, single.spread, atol=1e-4)
    assert np.allclose(together.middle, single.middle, atol=1e-4)


def test_scores_renewed_at_the_end_equal_those_kept_current() -> None:
    rng = np.random.default_rng(4)
    columns = rng.standard_normal((30, 6)).astype(np.float32)
    current = prior_belief(columns, np.zeros(6), np.ones(6))
    late = prior_belief(columns, np.zeros(6), np.ones(6))
    for start in (0, 5):
        items, signs = np.arange(start, start + 5), rng.choice([-1.0, 1.0], 5)
        current.learn(columns, items, signs)
        late.learn(columns, items, signs, renew=False)
    late.renew_all(columns)
    assert np.allclose(current.middle, late.middle, atol=1e-4)
    assert np.allclose(current.variance, late.variance, atol=1e-4)


def test_more_labels_than_columns_at_once_teach_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askless.predictors.kernel.LARGE", 100)
    x, truth = moons(600)
    x = np.concatenate([4 * x, np.ones((600, 1))], axis=1)
    kernel = Kernel(blocks=[("own", 3)])
    kernel.fit(x, known(truth, np.arange(500)))
    assert np.mean((kernel.predict(x)[500:] > 0.5) == truth[500:]) > 0.75


def test_graph_in_many_pieces_has_its_leading_eigenvectors_found() -> None:
    from scipy import sparse

    from askless.predictors._ingredients import leading

    pieces = sparse.block_diag([np.full((4, 4), 0.25)] * 300, format="csr")
    share, vectors = leading(pieces.astype(np.float32), 50)
    assert np.allclose(share, 1.0, atol=1e-6)
    assert np.allclose(pieces @ vectors, vectors, atol=1e-5)


def test_refuted_guess_changes_what_is_thought_of_the_neighbours_alone() -> None:
    x, truth = moons()
    upper = np.flatnonzero(truth)
    near = upper[np.argsort(np.abs(x[upper, 0]))[:4]]
    held, others = near[:2], near[2:]
    clause = Clause(tuple(held.tolist()), (False, False), 0)
    with_it, without = Kernel(), Kernel()
    labels = known(truth, [int(np.argmin(x[:, 1]))])
    with_it.fit(x, labels, (clause,))
    without.fit(x, labels)
    assert np.all(with_it.predict(x)[others] > without.predict(x)[others])
    assert np.array_equal(with_it.predict(x)[held], without.predict(x)[held])


def test_nothing_stays_of_a_refuted_guess_once_it_is_gone() -> None:
    x, truth = moons()
    one, other = Kernel(), Kernel()
    labels = known(truth, [0, 1])
    one.fit(x, labels, (Clause((4, 6, 8), (False, False, False), 0),))
    one.fit(x, labels)
    other.fit(x, labels)
    assert np.array_equal(one.predict(x), other.predict(x))
    deaf = Kernel(clauses=False)
    deaf.fit(x, labels, (Clause((4, 6, 8), (False, False, False), 0),))
    assert np.array_equal(deaf.predict(x), other.predict(x))


def test_useful_feature_set_is_believed_and_noise_is_not() -> None:
    x, truth = moons()
    noise = np.random.default_rng(5).standard_normal((300, 8))
    basis = kernel_basis({"moons": x, "noise": noise})
    kernel = Kernel(blocks=basis.blocks)
    kernel.fit(basis.columns, known(truth, np.arange(0, 300, 3)))
    believed = kernel.believed()
    assert set(believed) == {name for name, _ in basis.blocks}
    assert believed["without noise"] > 10 * believed["without moons"]
    assert believed["moons alone"] > 10 * believed["noise alone"]
    assert np.mean((kernel.predict(basis.columns) > 0.5) == truth) > 0.95


def test_silent_kernel_takes_no_room_and_stays_silent_once_restored() -> None:
    x, truth = moons(1600)
    noise = np.random.default_rng(5).standard_normal((1600, 8))
    basis = kernel_basis({"moons": x, "noise": noise})
    kernel, restored = Kernel(blocks=basis.blocks), Kernel(blocks=basis.blocks)
    kernel.fit(basis.columns, known(truth, np.arange(1500)))
    silent = [at for at, share in enumerate(kernel.believed().values()) if share == 0]
    assert silent
    arrays = kernel.arrays()
    assert all(arrays[f"spread{at}"].size == 0 for at in silent)
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


def test_large_pool_has_one_kernel_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askless.predictors.kernel_basis.LARGE", 100)
    x, truth = moons(400)
    basis = kernel_basis({"a": x, "b": x[:, :1]})
    assert basis.columns.shape == (400, sum(width for _, width in basis.blocks))
    assert len(basis.blocks) == 1
    kernel = Kernel(blocks=basis.blocks)
    kernel.fit(basis.columns, known(truth, np.arange(60)))
    assert np.mean((kernel.predict(basis.columns) > 0.5) == truth) > 0.9


def test_sets_with_unequal_rows_are_refused() -> None:
    with pytest.raises(InvalidInput, match="a row for every item"):
        kernel_basis({"a": np.zeros((3, 1)), "b": np.zeros((4, 1))})
