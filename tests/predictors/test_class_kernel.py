"""Class probabilities from kernels, learnt label by label."""

from __future__ import annotations

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.predictors.class_kernel import NOISE, ClassKernel
from askless.predictors.kernel_basis import kernel_basis
from askless.predictors.sklearn_adapter import SklearnClassAdapter


def clusters(n: int = 240, classes: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n).astype(np.int8)
    centres = 4 * rng.normal(size=(classes, 6))
    return centres[labels] + rng.normal(size=(n, 6)), labels


def test_a_few_labels_tell_clusters_apart_and_the_chances_add_up_to_one() -> None:
    x, labels = clusters()
    basis = kernel_basis(x)
    kernel = ClassKernel(classes=4, blocks=basis.blocks)
    assert np.allclose(kernel.predict(basis.columns), 0.25)
    known = np.full(len(x), -1, np.int8)
    for end in (1, 20, 60):
        known[:end] = labels[:end]
        kernel.fit(basis.columns, known)
        probs = kernel.predict(basis.columns)
        assert probs.shape == (len(x), 4)
        assert np.allclose(probs.sum(1), 1)
        assert (probs > 0).all()
    assert (probs.argmax(1) == labels)[60:].mean() > 0.95


def test_scores_are_those_of_a_regression_on_all_labels_at_once() -> None:
    x, labels = clusters(80)
    basis = kernel_basis(x)
    known = np.full(len(x), -1, np.int8)
    known[:50] = labels[:50]
    kernel = ClassKernel(classes=4, blocks=basis.blocks)
    for end in (10, 11, 50):
        part = np.full(len(x), -1, np.int8)
        part[:end] = labels[:end]
        kernel.fit(basis.columns, part)
    width = basis.blocks[0][1]
    columns = basis.columns[:, :width].astype(np.float64)
    rows, targets = columns[:50], np.eye(4)[labels[:50]] - 0.25
    cov = np.linalg.inv(np.eye(width) + rows.T @ rows / NOISE**2)
    mean = columns @ cov @ rows.T @ targets / NOISE**2
    assert np.allclose(kernel._kernels[0]._mean, mean, atol=1e-3)
    variance = np.einsum("nd,de,ne->n", columns, cov, columns)
    assert np.allclose(kernel._kernels[0]._variance, variance, atol=2e-2)


def test_a_label_that_was_taken_back_is_forgotten() -> None:
    x, labels = clusters(60)
    basis = kernel_basis(x)
    known = np.full(len(x), -1, np.int8)
    known[:20] = labels[:20]
    once, twice = (ClassKernel(classes=4, blocks=basis.blocks) for _ in range(2))
    twice.fit(basis.columns, np.where(np.arange(60) < 25, labels, -1).astype(np.int8))
    for kernel in (once, twice):
        kernel.fit(basis.columns, known)
    assert np.array_equal(once.predict(basis.columns), twice.predict(basis.columns))


def test_blocks_that_do_not_cover_the_columns_are_refused() -> None:
    kernel = ClassKernel(classes=3, blocks=[("smooth", 5)])
    with pytest.raises(InvalidInput, match="cover its 4 columns"):
        kernel.fit(np.zeros((9, 4)), np.zeros(9, np.int8))


def test_an_estimator_of_any_width_gives_a_column_for_every_class() -> None:
    x, labels = clusters()
    adapter = SklearnClassAdapter(classes=5)
    assert np.allclose(adapter.predict(x), 0.2)
    known = np.full(len(x), -1, np.int8)
    known[:1] = labels[:1]
    adapter.fit(x, known)
    assert adapter.predict(x).argmax(1)[0] == labels[0]
    known[:60] = labels[:60]
    adapter.fit(x, known)
    probs = adapter.predict(x)
    assert probs.shape == (len(x), 5)
    assert np.allclose(probs.sum(1), 1)
    assert (probs[:, 4] > 0).all()
    assert (probs.argmax(1) == labels).mean() > 0.95
