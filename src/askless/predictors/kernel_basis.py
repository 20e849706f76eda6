"""The explicit kernel of a pool: columns in which a linear predictor is a Gaussian process.

A kernel k(i, j) = sum over columns of B[i, c] B[j, c] turns a linear model with weights
N(0, 1) into a Gaussian process over the items, and unlabelled items shape it:

graph
    The symmetric 10-nearest-neighbour graph of the pool, weights exp(-d^2 / (s_i s_j)) with
    s the distance to the tenth neighbour. The columns are the smoothest eigenvectors of its
    normalised Laplacian, column c scaled by (lambda_c + 0.01)^-2: labels travel along the
    graph, as in Zhu, Ghahramani and Lafferty (2003) and Belkin and Niyogi (2004).
rbf
    exp(-d^2 / m) with m the median squared distance, as the leading columns of
    its Nystroem approximation on up to 2,000 anchors.

Each block has a mean square length of one; amplitudes are for the predictor to
choose, and so is the roughness of the graph: its eigenvalues can be read off the lengths of the
columns. Cost: O(n^2 d) for the neighbours and some seconds for the eigenvectors at 6,000 items;
above `GRAPH_MOST` items there is no graph, and the rest is O(n) with 2,000 anchors. Made once for
a pool and worth caching. The scipy it needs is loaded on first use. Not in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

Floats = NDArray[np.float64]

GRAPH_MOST: Final = 20_000
LARGE: Final = 50_000
_NEIGHBOURS: Final = 10
_SOFTNESS: Final = 0.01
_POWER: Final = 2.0
_ANCHORS: Final = 2000
_DENSE: Final = 1000  # up to so many items all eigenvectors are found at once
_ROWS: Final = 2000
_SPARE: Final = 20
_FILTERINGS: Final = 4
_DEGREE: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """Columns of a kernel, block by block.

    Parameters
    ----------
    columns
        Shape (n, sum of the widths), read-only.
    blocks
        Name and width of each block, in the order of the columns. A name says what kind of block
        it is and of which feature set: ``graph:scattering``, ``rbf:scattering``.
    """

    columns: NDArray[np.float32]
    blocks: tuple[tuple[str, int], ...]


def kernel_basis(sets: Mapping[str, NDArray[Any]] | NDArray[Any], *, seed: int = 0) -> Basis:
    """The kernel columns of a pool, for each of its feature sets a graph and an RBF block.

    Parameters
    ----------
    sets
        Feature sets by name, each of shape (n, columns), or one alone.
    seed
        Fixes the anchors.
    """
    named = sets if isinstance(sets, Mapping) else {"features": sets}
    counts = {len(x) for x in named.values()}
    if len(counts) != 1:
        raise InvalidInput(
            "A kernel is made of one feature set or more, each with a row for every item; "
            f"got rows {[len(x) for x in named.values()]}."
        )
    (n,) = counts
    parts: dict[str, NDArray[np.float32]] = {}
    for name, x in named.items():
        if n < 3 or not x.shape[1]:
            continue
        rows = _plain(x)
        if n <= GRAPH_MOST:
            parts[f"graph:{name}"] = _graph(rows, max(100, 400 // len(named)))
        width = 400 if n <= LARGE else 256
        parts[f"rbf:{name}"] = _rbf(rows, max(100, width // len(named)), seed)
    kept = {name: _even(part) for name, part in parts.items() if part.shape[1]}
    columns = np.concatenate([np.zeros((n, 0), np.float32), *kept.values()], axis=1)
    columns.flags.writeable = False
    return Basis(columns, tuple((name, part.shape[1]) for name, part in kept.items()))


def _plain(x: NDArray[Any]) -> NDArray[np.float32]:
    """Centred, of mean square length one, single precision: what distances need."""
    sample = np.asarray(x[:: max(1, len(x) // LARGE)], dtype=np.float64)
    centre = sample.mean(0) if len(sample) else np.zeros(x.shape[1])
    with np.errstate(over="ignore"):
        length = float(np.sqrt(np.mean(np.sum(np.square(sample - centre), axis=1)))) or 1.0
    rows = np.empty(x.shape, np.float32)
    for start in range(0, len(x), _ROWS):
        rows[start : start + _ROWS] = (x[start : start + _ROWS] - centre) / length
    return rows


def _graph(rows: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    from scipy import sparse

    n = len(rows)
    near, distance2 = _neighbours(rows, min(_NEIGHBOURS, n - 1))
    reach = np.sqrt(np.maximum(distance2[:, -1], 1e-12))
    weights = np.exp(-distance2 / (reach[:, None] * reach[near]))
    places = (np.repeat(np.arange(n), near.shape[1]), near.ravel())
    one_way = sparse.csr_matrix((weights.ravel(), places), shape=(n, n))
    both = one_way.maximum(one_way.T)
    root = 1 / np.sqrt(np.maximum(np.asarray(both.sum(1)).ravel(), 1e-12))
    walk = sparse.diags(root) @ both @ sparse.diags(root)
    if n <= _DENSE:
        share, vectors = np.linalg.eigh(walk.toarray())
        share, vectors = share[-width:], vectors[:, -width:]
    else:
        share, vectors = _leading(walk, width)
    order = np.argsort(-share)
    roughness = np.maximum(1 - share[order], 0)
    scaled = vectors[:, order] * (roughness + _SOFTNESS) ** -_POWER
    return np.asarray(scaled, np.float32)


def _leading(walk: Any, width: int) -> tuple[Floats, Floats]:
    """The leading eigenvalues and vectors of a sparse matrix with all of them in [-1, 1].

    Subspace iteration with Chebyshev polynomials that grow above the least eigenvalue wanted
    and stay small below it. Many equal eigenvalues (a graph in many pieces) do it no harm.
    """
    rng = np.random.default_rng(0)
    block, _ = np.linalg.qr(rng.standard_normal((walk.shape[0], width + _SPARE)))
    cut = 0.5
    for _ in range(_FILTERINGS):
        # The interval [-1, cut] is mapped to [-1, 1], where the polynomials stay within 1.
        half, middle = (cut + 1) / 2, (cut - 1) / 2
        before, now = block, (walk @ block - middle * block) / half
        for _ in range(_DEGREE - 1):
            before, now = now, 2 * (walk @ now - middle * now) / half - before
        block, _ = np.linalg.qr(now)
        share, turn = np.linalg.eigh(block.T @ (walk @ block))
        block = block @ turn
        cut = float(np.clip(share[0], 0.0, 0.99))
    return share[-width:], block[:, -width:]


def _neighbours(
    rows: NDArray[np.float32], count: int
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
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


def _rbf(rows: NDArray[np.float32], width: int, seed: int) -> NDArray[np.float32]:
    n = len(rows)
    chosen = np.random.default_rng(seed).choice(n, min(n, _ANCHORS), replace=False)
    anchors = rows[np.sort(chosen)]
    between = _distance2(anchors, anchors).astype(np.float64)
    scale = float(np.median(between)) or float(between.mean()) or 1.0
    size, vectors = np.linalg.eigh(np.exp(-between / scale))
    keep = slice(max(0, len(size) - width), None)
    size, vectors = size[keep][::-1], vectors[:, keep][:, ::-1]
    kept = size > 1e-6 * size[0]
    onto = (vectors[:, kept] / np.sqrt(size[kept])).astype(np.float32)
    found = np.empty((n, onto.shape[1]), np.float32)
    for start in range(0, n, _ROWS):
        block = _distance2(rows[start : start + _ROWS], anchors)
        found[start : start + _ROWS] = np.exp(block * np.float32(-1 / scale)) @ onto
    return found


def _distance2(these: NDArray[np.float32], those: NDArray[np.float32]) -> NDArray[np.float32]:
    square = np.sum(these * these, axis=1)[:, None] + np.sum(those * those, axis=1)
    distance2: NDArray[np.float32] = np.maximum(square - 2 * (these @ those.T), 0)
    return distance2


def _even(part: NDArray[np.float32]) -> NDArray[np.float32]:
    """The block with a mean square length of one."""
    length = np.sqrt(np.mean(np.sum(np.square(part, dtype=np.float64), axis=1)))
    return part / np.float32(length if length > 0 else 1.0)
