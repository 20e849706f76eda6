"""The factors of kernels: a neighbour graph of the pool, RBF kernels, and a linear kernel.

graph
    Laplacian eigenmaps: the symmetric 10-nearest-neighbour graph of the pool, with weights
    exp(-d^2 / (s_i s_j)) for s the distance to the tenth neighbour. The columns are the smoothest
    eigenvectors of its normalised Laplacian, column c scaled by (lambda_c + 0.01)^-2: labels spread
    along the graph (Zhu, Ghahramani and Lafferty 2003; Belkin and Niyogi 2004). Also known as
    a graph or diffusion kernel.
rbf
    exp(-d^2 / m) with m the median squared distance or a fraction of it, the leading columns of its
    Nystroem approximation on at most 1,000 landmarks (Williams and Seeger 2001). Also known as
    the Gaussian or squared-exponential kernel; the median rule is the median heuristic.
linear
    x_i . x_j of the centred features, by the same approximation, which is exact where the landmarks
    span the features: two categories that no landmark has are alike to it.

The lengths of the columns show the eigenvalues, so their power can be chosen afterwards. Single
precision throughout. Cost: O(n^2 d) for the neighbours, O(n) sparse products of a width of
300 for the eigenvectors, O(n) for the others. The graph is not for n above some 20,000.
Used by `askless.predictors.kernel_basis` alone. Tested in tests/predictors/test_kernel_factors.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]

_NEIGHBOURS: Final = 10
_SOFTNESS: Final = 0.01
_POWER: Final = 2.0
_LANDMARKS: Final = 1000
_SAMPLE: Final = 50_000  # rows the mean and the scale are taken from
_DENSE: Final = 600  # items up to which a dense eigensolver is used
_ROWS: Final = 2000
_SPARE: Final = 20  # vectors iterated beside those wanted
_ITERATIONS: Final = 4
_DEGREE: Final = 12


def graph_columns(x: NDArray[Any], width: int) -> Singles:
    """The smoothest functions on the neighbour graph, at most `width` of them."""
    from scipy import sparse

    rows = _Standardised(x).rows(slice(None))
    n = len(rows)
    near, distance2 = _neighbours(rows, min(_NEIGHBOURS, n - 1))
    scale = np.sqrt(np.maximum(distance2[:, -1], 1e-12))
    weights = np.exp(-distance2 / (scale[:, None] * scale[near]))
    places = (np.repeat(np.arange(n), near.shape[1]), near.ravel())
    one_way = sparse.csr_matrix((weights.ravel(), places), shape=(n, n))
    both = one_way.maximum(one_way.T)
    root = 1 / np.sqrt(np.maximum(np.asarray(both.sum(1)).ravel(), 1e-12))
    # The normalised Laplacian is the identity less this, so its least are this one's largest.
    adjacency = (sparse.diags(root) @ both @ sparse.diags(root)).tocsr().astype(np.float32)
    if n <= _DENSE:
        values, vectors = np.linalg.eigh(adjacency.toarray().astype(np.float64))
        values, vectors = values[-width:], vectors[:, -width:]
    else:
        values, vectors = leading_eigenpairs(adjacency, width)
    order = np.argsort(-values)
    laplacian = np.maximum(1 - values[order], 0)
    return np.asarray(vectors[:, order] * (laplacian + _SOFTNESS) ** -_POWER, np.float32)


def rbf_columns(
    x: NDArray[Any], width: int, seed: int, *, ratio: float = 1.0, out: Singles | None = None
) -> Singles:
    """The leading columns of the RBF kernel, at most `width` of them.

    The scale m is `ratio` times the median squared distance. With `out`, of that width, columns
    are written there, and those that are missing left as they are.
    """
    standardised = _Standardised(x)
    landmarks = standardised.landmarks(seed)
    between = _distance2(landmarks, landmarks).astype(np.float64)
    scale = (float(np.median(between)) or float(between.mean()) or 1.0) * ratio

    def kernel(rows: Singles) -> Singles:
        values = _distance2(rows, landmarks)
        values *= np.float32(-1 / scale)
        return np.exp(values, out=values)

    return _nystroem(standardised, np.exp(-between / scale), kernel, width, out)


def linear_columns(x: NDArray[Any], width: int, seed: int) -> Singles:
    """The leading columns of the linear kernel, at most `width` of them."""
    standardised = _Standardised(x)
    landmarks = standardised.landmarks(seed)
    between = (landmarks @ landmarks.T).astype(np.float64)
    return _nystroem(standardised, between, lambda rows: rows @ landmarks.T, width)


def scale_to_unit_rows(columns: Singles) -> Singles:
    """The columns scaled so that rows have a mean square length of one."""
    length = np.sqrt(np.mean(np.sum(np.square(columns, dtype=np.float64), axis=1)))
    return columns / np.float32(length if length > 0 else 1.0)


def leading_eigenpairs(matrix: Any, width: int) -> tuple[Singles, Singles]:
    """The largest eigenvalues, and their vectors, of a sparse matrix with a spectrum in [-1, 1].

    Chebyshev-filtered subspace iteration: polynomials that grow above the least eigenvalue wanted
    and stay small below it. Many equal eigenvalues (a graph in many pieces) do it no harm, as they
    would a Lanczos method.
    """
    rng = np.random.default_rng(0)
    block = rng.standard_normal((matrix.shape[0], width + _SPARE)).astype(np.float32)
    block, _ = np.linalg.qr(block)
    cut = 0.5
    for _ in range(_ITERATIONS):
        # The interval [-1, cut] is mapped to [-1, 1], where the polynomials stay within 1.
        half, middle = np.float32((cut + 1) / 2), np.float32((cut - 1) / 2)
        before, now = block, (matrix @ block - middle * block) / half
        for _ in range(_DEGREE - 1):
            before, now = now, 2 * (matrix @ now - middle * now) / half - before
        block, _ = np.linalg.qr(now)
        values, turn = np.linalg.eigh(block.T @ (matrix @ block))
        block = block @ turn
        cut = float(np.clip(values[0], 0.0, 0.99))
    return values[-width:], block[:, -width:]


def _nystroem(
    standardised: _Standardised,
    between: NDArray[np.float64],
    kernel: Callable[[Singles], Singles],
    width: int,
    out: Singles | None = None,
) -> Singles:
    """The Nystroem columns of a kernel, given its values between the landmarks.

    `kernel` gives the values of some rows with the landmarks.
    """
    n = len(standardised)
    values, vectors = np.linalg.eigh(between)
    keep = slice(max(0, len(values) - width), None)
    values, vectors = values[keep][::-1], vectors[:, keep][:, ::-1]
    kept = values > 1e-6 * values[0]
    onto = (vectors[:, kept] / np.sqrt(values[kept])).astype(np.float32)
    columns = np.empty((n, onto.shape[1]), np.float32) if out is None else out
    for start in range(0, n, _ROWS):
        part = slice(start, start + _ROWS)
        columns[part, : onto.shape[1]] = kernel(standardised.rows(part)) @ onto
    return columns


class _Standardised:
    """Features centred and of mean square length one, a few rows at a time."""

    def __init__(self, x: NDArray[Any]) -> None:
        sample = np.asarray(x[:: max(1, len(x) // _SAMPLE)], dtype=np.float64)
        self._x = x
        self._mean = sample.mean(0)
        with np.errstate(over="ignore"):
            square = np.mean(np.sum(np.square(sample - self._mean), axis=1))
        self._length = float(np.sqrt(square)) or 1.0

    def __len__(self) -> int:
        return len(self._x)

    def landmarks(self, seed: int) -> Singles:
        """Some rows at random, in the order of the pool."""
        n = len(self)
        return self.rows(np.sort(np.random.default_rng(seed).choice(n, min(n, _LANDMARKS), False)))

    def rows(self, some: slice | NDArray[np.intp]) -> Singles:
        return np.asarray((self._x[some] - self._mean) / self._length, np.float32)


def _neighbours(rows: Singles, count: int) -> tuple[NDArray[np.intp], Singles]:
    """Each item's nearest others and their squared distances, nearest first."""
    n = len(rows)
    near = np.empty((n, count), np.intp)
    distance2 = np.empty((n, count), np.float32)
    for start in range(0, n, _ROWS):
        block = _distance2(rows[start : start + _ROWS], rows)
        inside = np.arange(len(block))
        block[inside, start + inside] = np.inf
        found = np.argpartition(block, count - 1, axis=1)[:, :count]
        far = np.take_along_axis(block, found, 1)
        order = np.argsort(far, axis=1, kind="stable")
        near[start : start + _ROWS] = np.take_along_axis(found, order, 1)
        distance2[start : start + _ROWS] = np.take_along_axis(far, order, 1)
    return near, distance2


def _distance2(these: Singles, those: Singles) -> Singles:
    """Squared distances between all rows of the two."""
    distance2: Singles = these @ those.T
    distance2 *= -2
    distance2 += np.sum(these * these, axis=1)[:, None]
    distance2 += np.sum(those * those, axis=1)
    return np.maximum(distance2, 0, out=distance2)
