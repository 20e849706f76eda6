"""What kernels are made of: a neighbour graph of the whole pool, distances, and products.

graph
    The symmetric 10-nearest-neighbour graph of the pool, weights exp(-d^2 / (s_i s_j)) with
    s the distance to the tenth neighbour. The columns are the smoothest eigenvectors of its
    normalised Laplacian, column c scaled by (lambda_c + 0.01)^-2: labels travel along the
    graph, as in Zhu, Ghahramani and Lafferty (2003) and Belkin and Niyogi (2004).
distances
    exp(-d^2 / m) with m the median squared distance or a part of it, as the leading columns of
    its Nystroem approximation on up to 1,000 anchors.
products
    x_i . x_j of the centred features, a linear model, as the leading columns of the same
    approximation, which is exact where the anchors span the features: of two categories that
    no anchor has, it knows no difference.

Roughness can be chosen afterwards: the eigenvalues can be read off the lengths of the columns.
Single precision throughout. Cost: O(n^2 d) for the neighbours, O(n) sparse products of a width of
300 for the eigenvectors, O(n) for the others.
Tested in tests/predictors/test_kernel.py.
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
_ANCHORS: Final = 1000
_SAMPLE: Final = 50_000  # rows the centre and the scale are taken from
_DENSE: Final = 600  # up to so many items all eigenvectors are found at once
_ROWS: Final = 2000
_SPARE: Final = 20
_FILTERINGS: Final = 4
_DEGREE: Final = 12


def graph_columns(x: NDArray[Any], width: int) -> Singles:
    """The smoothest functions on the neighbour graph, at most `width` of them."""
    from scipy import sparse

    rows = _Plain(x).rows(slice(None))
    n = len(rows)
    near, distance2 = _neighbours(rows, min(_NEIGHBOURS, n - 1))
    reach = np.sqrt(np.maximum(distance2[:, -1], 1e-12))
    weights = np.exp(-distance2 / (reach[:, None] * reach[near]))
    places = (np.repeat(np.arange(n), near.shape[1]), near.ravel())
    one_way = sparse.csr_matrix((weights.ravel(), places), shape=(n, n))
    both = one_way.maximum(one_way.T)
    root = 1 / np.sqrt(np.maximum(np.asarray(both.sum(1)).ravel(), 1e-12))
    walk = (sparse.diags(root) @ both @ sparse.diags(root)).tocsr().astype(np.float32)
    if n <= _DENSE:
        share, vectors = np.linalg.eigh(walk.toarray().astype(np.float64))
        share, vectors = share[-width:], vectors[:, -width:]
    else:
        share, vectors = leading(walk, width)
    order = np.argsort(-share)
    roughness = np.maximum(1 - share[order], 0)
    return np.asarray(vectors[:, order] * (roughness + _SOFTNESS) ** -_POWER, np.float32)


def distance_columns(
    x: NDArray[Any], width: int, seed: int, *, ratio: float = 1.0, out: Singles | None = None
) -> Singles:
    """The leading functions of the distances to the anchors, at most `width` of them.

    With another `ratio` than 1 the scale m is so many times the median. With `out`, of that
    width, they are written there, the missing ones left as they are.
    """
    plain = _Plain(x)
    anchors = plain.anchors(seed)
    between = _distance2(anchors, anchors).astype(np.float64)
    scale = (float(np.median(between)) or float(between.mean()) or 1.0) * ratio

    def near(rows: Singles) -> Singles:
        found = _distance2(rows, anchors)
        found *= np.float32(-1 / scale)
        return np.exp(found, out=found)

    return _nystroem(plain, np.exp(-between / scale), near, width, out)


def product_columns(x: NDArray[Any], width: int, seed: int) -> Singles:
    """The leading functions that are linear in the features, at most `width` of them."""
    plain = _Plain(x)
    anchors = plain.anchors(seed)
    between = (anchors @ anchors.T).astype(np.float64)
    return _nystroem(plain, between, lambda rows: rows @ anchors.T, width)


def evened(part: Singles) -> Singles:
    """The columns scaled so that rows have a mean square length of one."""
    length = np.sqrt(np.mean(np.sum(np.square(part, dtype=np.float64), axis=1)))
    return part / np.float32(length if length > 0 else 1.0)


def leading(walk: Any, width: int) -> tuple[Singles, Singles]:
    """The leading eigenvalues and vectors of a sparse matrix with all of them in [-1, 1].

    Subspace iteration with Chebyshev polynomials that grow above the least eigenvalue wanted
    and stay small below it. Many equal eigenvalues (a graph in many pieces) do it no harm.
    """
    rng = np.random.default_rng(0)
    block = rng.standard_normal((walk.shape[0], width + _SPARE)).astype(np.float32)
    block, _ = np.linalg.qr(block)
    cut = 0.5
    for _ in range(_FILTERINGS):
        # The interval [-1, cut] is mapped to [-1, 1], where the polynomials stay within 1.
        half, middle = np.float32((cut + 1) / 2), np.float32((cut - 1) / 2)
        before, now = block, (walk @ block - middle * block) / half
        for _ in range(_DEGREE - 1):
            before, now = now, 2 * (walk @ now - middle * now) / half - before
        block, _ = np.linalg.qr(now)
        share, turn = np.linalg.eigh(block.T @ (walk @ block))
        block = block @ turn
        cut = float(np.clip(share[0], 0.0, 0.99))
    return share[-width:], block[:, -width:]


def _nystroem(
    plain: _Plain,
    between: NDArray[np.float64],
    near: Callable[[Singles], Singles],
    width: int,
    out: Singles | None = None,
) -> Singles:
    """Columns of a kernel, given what it is between the anchors and of other rows to them."""
    n = len(plain)
    size, vectors = np.linalg.eigh(between)
    keep = slice(max(0, len(size) - width), None)
    size, vectors = size[keep][::-1], vectors[:, keep][:, ::-1]
    kept = size > 1e-6 * size[0]
    onto = (vectors[:, kept] / np.sqrt(size[kept])).astype(np.float32)
    found = np.empty((n, onto.shape[1]), np.float32) if out is None else out
    for start in range(0, n, _ROWS):
        part = slice(start, start + _ROWS)
        found[part, : onto.shape[1]] = near(plain.rows(part)) @ onto
    return found


class _Plain:
    """Features centred and of mean square length one, a few rows at a time."""

    def __init__(self, x: NDArray[Any]) -> None:
        sample = np.asarray(x[:: max(1, len(x) // _SAMPLE)], dtype=np.float64)
        self._x = x
        self._centre = sample.mean(0)
        with np.errstate(over="ignore"):
            square = np.mean(np.sum(np.square(sample - self._centre), axis=1))
        self._length = float(np.sqrt(square)) or 1.0

    def __len__(self) -> int:
        return len(self._x)

    def anchors(self, seed: int) -> Singles:
        """Some rows at random, in the order of the pool."""
        n = len(self)
        return self.rows(np.sort(np.random.default_rng(seed).choice(n, min(n, _ANCHORS), False)))

    def rows(self, some: slice | NDArray[np.intp]) -> Singles:
        return np.asarray((self._x[some] - self._centre) / self._length, np.float32)


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
    near: Singles = these @ those.T
    near *= -2
    near += np.sum(these * these, axis=1)[:, None]
    near += np.sum(those * those, axis=1)
    return np.maximum(near, 0, out=near)
