"""The kernels made of a pool: which there are, and what they can say."""

from __future__ import annotations

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.predictors.kernel import Kernel
from askless.predictors.kernel_basis import LINEAR_RECIPES, kernel_basis
from tests.predictors.making import known, moons


def test_linear_kernels_alone_are_nearly_linear() -> None:
    x = np.random.default_rng(0).standard_normal((600, 8))
    basis, start = kernel_basis(x), 0
    line, _ = np.linalg.qr(x - x.mean(0))
    for name, width in basis.blocks:
        columns = basis.columns[:, start : start + width - 1]  # the last is the bias
        share = np.sum(np.square(line.T @ columns)) / np.sum(np.square(columns))
        assert (share > 0.85) == (name in LINEAR_RECIPES), name
        start += width


def test_pool_of_many_feature_sets_has_no_linear_kernels() -> None:
    x, _ = moons(60)
    of = {count: {str(n): x for n in range(count)} for count in (2, 3)}
    found = {count: {name for name, _ in kernel_basis(sets).blocks} for count, sets in of.items()}
    assert set(LINEAR_RECIPES) <= found[2]
    assert not set(LINEAR_RECIPES) & found[3]


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
