"""Reduction keeps what varies most, and no feature set drowns another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.features import reduction
from askless.features.cache import PartialWork, concatenate
from askless.features.reduction import principal_axes, reduce_columns, side_by_side


def same(rows: NDArray[Any]) -> NDArray[Any]:
    return rows


def test_distances_survive_when_every_direction_is_kept() -> None:
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((40, 5)).astype(np.float32)
    found = concatenate(reduce_columns(same, rows, 5))
    scaled = (rows - rows.mean(0)) / rows.std(0)
    wanted = np.linalg.norm(scaled[:, None] - scaled, axis=-1)
    got = np.linalg.norm(found[:, None] - found, axis=-1)
    assert np.allclose(got / got.max(), wanted / wanted.max(), atol=1e-4)


def test_pool_larger_than_the_sample_is_projected_on_the_same_axes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    rows = (rng.standard_normal((900, 3)) @ rng.standard_normal((3, 20))).astype(np.float32)
    whole = concatenate(reduce_columns(same, rows, 3))
    monkeypatch.setattr(reduction, "SAMPLE", 700)
    parts = concatenate(reduce_columns(same, rows, 3))
    assert parts.shape == whole.shape
    angles = np.linalg.svd(np.linalg.qr(whole)[0].T @ np.linalg.qr(parts)[0])[1]
    assert angles.min() > 0.99


def test_axes_are_the_principal_ones() -> None:
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((300, 30)) * np.geomspace(10, 0.1, 30)
    axes = principal_axes(rows, 4, rng)
    exact = np.linalg.svd(rows)[2][:4].T
    assert np.linalg.svd(axes.T @ exact)[1].min() > 0.99


def test_sets_side_by_side_have_equal_shares() -> None:
    rng = np.random.default_rng(3)
    concatenate = side_by_side([1000 * rng.random((50, 2)), rng.random((50, 7))])
    shares = [np.mean(np.sum(part**2, 1)) for part in (concatenate[:, :2], concatenate[:, 2:])]
    assert np.allclose(shares, 0.5, atol=1e-5)


def test_constant_columns_and_empty_pools_give_no_columns() -> None:
    assert concatenate(reduce_columns(same, np.ones((8, 3), np.float32))).shape == (8, 0)
    assert concatenate(reduce_columns(same, np.ones((0, 3), np.float32))).shape == (0, 0)


def test_progress_ends_at_one() -> None:
    told: list[float] = []
    reduce_columns(same, np.eye(300, dtype=np.float32), 3, work=PartialWork(None, told.append))
    assert told == sorted(told)
    assert told[-1] == 1.0
