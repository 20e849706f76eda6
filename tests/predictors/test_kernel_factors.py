"""The factors of kernels are exact where they can be, and finite for strange features."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from askless.predictors._kernel_factors import leading_eigenpairs, linear_columns
from askless.predictors.kernel_basis import kernel_basis


def test_linear_kernel_is_exact_where_columns_are_few() -> None:
    x = np.random.default_rng(0).standard_normal((50, 3))
    columns = linear_columns(x, 10, seed=0)
    plain = (x - x.mean(0)) / np.sqrt(np.mean(np.sum(np.square(x - x.mean(0)), axis=1)))
    assert columns.shape == (50, 3)
    assert np.allclose(columns @ columns.T, plain @ plain.T, atol=1e-4)


@pytest.mark.parametrize("rows", ["equal", "two", "far", "few"])
def test_linear_kernel_of_strange_features_is_finite(rows: str) -> None:
    x = {
        "equal": np.full((30, 4), 0.1),
        "two": np.repeat(np.eye(2), 20, axis=0),
        "far": np.r_[np.zeros((29, 2)), [[1e20, 0.0]]],
        "few": np.arange(3.0)[:, None],
    }[rows]
    columns = linear_columns(x, 300, seed=0)
    assert columns.shape[1] <= x.shape[1]
    assert np.all(np.isfinite(columns))
    assert np.all(np.isfinite(kernel_basis(x).columns))


def test_graph_in_many_pieces_has_its_leading_eigenvectors_found() -> None:
    pieces = sparse.kron(sparse.eye_array(300), np.full((4, 4), 0.25), format="csr")
    share, vectors = leading_eigenpairs(pieces.astype(np.float32), 50)
    assert np.allclose(share, 1.0, atol=1e-6)
    assert np.allclose(pieces @ vectors, vectors, atol=1e-5)
