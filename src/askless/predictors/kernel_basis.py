"""Finite-dimensional kernels of a pool: columns on which a linear model is a Gaussian process.

Also known as explicit feature maps, or the weight-space view of a Gaussian process (Rasmussen and
Williams 2006, section 2.1). Not to be confused with random Fourier features: these columns are
fitted to the pool.

A kernel k(i, j) = sum over columns c of B[i, c] B[j, c] turns a linear model with weights
N(0, 1) into a Gaussian process over the items. Each feature set gives factors, which unlabelled
items shape (`askless.predictors._kernel_factors`): a neighbour graph of the whole pool, RBF kernels
at two length scales and, where the sets are few, a linear kernel. A kernel of the basis is a sum of
factors, each with an amplitude and a power its eigenvalues are raised to (below 1: finer detail
counts for more).

No sum is right for every pool, so several are made, one block of columns each (`RECIPES`). All
feature sets together: large amplitude, small amplitude, short length scale, and smooth. Without
each of the sets in turn, so that a set that only adds noise can be left out. And each set alone,
for the pool where one knows more than all others. Pools of one or two sets also get two kernels
that are nearly linear (`LINEAR_RECIPES`), for tables and texts; with more sets, as pictures
have, the time for these is saved. The predictor learns from the answers which kernel to trust.

A sum of more columns than `WIDTH` is reduced to its leading principal axes, which costs about half
a per cent of code length and makes learning several times as fast. Each block ends with a
constant column, the bias.

Cost at 6,000 items: about five seconds a feature set on one core, and a second a block; O(n^2) for
the neighbours. Above `GRAPH_MOST` items there is no graph, above `LARGE` one RBF block, O(n). Made
once for a pool and worth keeping on disk: columns are float32, blocks plain JSON. The scipy it
needs is loaded on first use. Not in the paper. Used by `askless.predictors.kernel` and, to keep the
columns, by `askless.assemble`. Tested in tests/predictors/test_kernel_basis.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.predictors._kernel_factors import (
    graph_columns,
    linear_columns,
    rbf_columns,
    scale_to_unit_rows,
)

Floats = NDArray[np.float64]

VERSION: Final = 8
"""Grows when the same sets would give other columns or other names."""

GRAPH_MOST: Final = 20_000
LARGE: Final = 50_000
WIDTH: Final = 600
BIAS: Final = 2.0
RECIPES: Final[Mapping[str, Mapping[str, tuple[float, float]]]] = {
    "large-amplitude": {"graph": (8.0, 0.5), "rbf": (8.0, 0.7)},
    "small-amplitude": {"graph": (3.0, 0.5), "rbf": (3.0, 0.7)},
    "short-scale": {"graph": (2.0, 0.5), "short-rbf": (2.0, 1.0)},
    "smooth": {"graph": (4.0, 1.0), "rbf": (4.0, 1.0)},
}
"""By kernel and factor: the amplitude, and the power of the eigenvalues."""

LINEAR_RECIPES: Final[Mapping[str, Mapping[str, tuple[float, float]]]] = {
    "linear": {"linear": (8.0, 1.0), "short-rbf": (2.0, 1.0)},
    "linear+rbf": {"linear": (2.0, 1.0), "graph": (0.5, 0.5), "short-rbf": (0.5, 1.0)},
}
"""The same for the further kernels of pools with at most `_FEW` feature sets."""

_FEW: Final = 2
_SHORT: Final = 0.3  # of the median squared distance
_FACTOR_WIDTH: Final = 300  # 200 where there are several sets
_LARGE_WIDTH: Final = 255
_ROWS: Final = 4096  # checked in one go


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """The columns of all kernels, block by block.

    Parameters
    ----------
    columns
        Shape (n, sum of the widths), read-only.
    blocks
        Name and width of each kernel's block, in the order of the columns.
    """

    columns: NDArray[np.float32]
    blocks: tuple[tuple[str, int], ...]


def kernel_basis(
    sets: Mapping[str, NDArray[Any]] | NDArray[Any],
    *,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Basis:
    """The kernels of a pool with these features.

    Parameters
    ----------
    sets
        Feature sets by name, each of shape (n, columns), or one alone.
    seed
        Fixes the landmarks.
    progress
        Called with the share that is done.
    """
    named = sets if isinstance(sets, Mapping) else {"features": sets}
    counts = {len(x) for x in named.values()}
    if len(counts) != 1:
        raise InvalidInput(
            "A kernel is made of one feature set or more, each with a row for every item; "
            f"got rows {[len(x) for x in named.values()]}."
        )
    (n,) = counts
    for name, x in named.items():
        _require_numbers(name, x)
    useful = {name: x for name, x in named.items() if n >= 3 and x.shape[1]}
    tell = progress or (lambda share: None)
    if n > LARGE:
        return _large_basis(useful, n, seed, tell)
    few = len(useful) <= _FEW
    factors: dict[tuple[str, str], NDArray[np.float32]] = {}
    width = _FACTOR_WIDTH if len(useful) == 1 else _FACTOR_WIDTH * 2 // 3
    for number, (name, x) in enumerate(useful.items()):
        if n <= GRAPH_MOST:
            factors["graph", name] = graph_columns(x, width)
        factors["rbf", name] = rbf_columns(x, width, seed)
        factors["short-rbf", name] = rbf_columns(x, width, seed, ratio=_SHORT)
        if few:
            factors["linear", name] = linear_columns(x, width, seed)
        tell((number + 1) / (len(useful) + 1))
    factors = {
        key: scale_to_unit_rows(factor) for key, factor in factors.items() if factor.shape[1]
    }
    blocks = {
        recipe: _sum_of_factors(factors, terms, n)
        for recipe, terms in {**RECIPES, **(LINEAR_RECIPES if few else {})}.items()
    }
    for name in useful if len(useful) > 1 else ():
        own = {key: factor for key, factor in factors.items() if key[1] == name}
        others = {key: factor for key, factor in factors.items() if key[1] != name}
        blocks[f"without {name}"] = _sum_of_factors(others, RECIPES["small-amplitude"], n)
        blocks[f"{name} alone"] = _sum_of_factors(own, RECIPES["short-scale"], n)
    tell(1.0)
    columns = np.concatenate(list(blocks.values()), axis=1)
    columns.flags.writeable = False
    return Basis(columns, tuple((name, block.shape[1]) for name, block in blocks.items()))


def _require_numbers(name: str, x: NDArray[Any]) -> None:
    """Refuse features without a distance."""
    if x.ndim != 2:
        raise InvalidInput(
            f"A feature set has shape (n, columns); got shape {x.shape} for {name!r}."
        )
    for start in range(0, len(x), _ROWS):
        strange = ~np.isfinite(np.asarray(x[start : start + _ROWS], np.float64))
        if strange.any():
            row, column = np.argwhere(strange)[0]
            raise InvalidInput(
                f"Features are finite numbers; row {start + row} of {name!r} has one that is not, "
                f"in column {column}. Fill it in: the feature set 'table' does."
            )


def _sum_of_factors(
    factors: Mapping[tuple[str, str], NDArray[np.float32]],
    terms: Mapping[str, tuple[float, float]],
    n: int,
) -> NDArray[np.float32]:
    """The columns of a sum of factors, at most `WIDTH`, and the bias."""
    kinds = [kind for kind, _ in factors]
    scaled = [np.zeros((n, 0), np.float32)]
    for (kind, _), factor in factors.items():
        if kind in terms:
            amplitude, power = terms[kind]
            scaled.append(factor * _scale(factor, amplitude / np.sqrt(kinds.count(kind)), power))
    columns = np.concatenate(scaled, axis=1)
    if columns.shape[1] > n:  # n columns can say all of it
        size, axes = np.linalg.eigh((columns @ columns.T).astype(np.float64))
        columns = (axes * np.sqrt(np.maximum(size, 0)))[:, ::-1].astype(np.float32)
        columns = columns[:, :WIDTH]
    elif columns.shape[1] > WIDTH:
        _, axes = np.linalg.eigh((columns.T @ columns).astype(np.float64))
        columns = columns @ axes[:, : -WIDTH - 1 : -1].astype(np.float32)
    return np.concatenate([columns, np.full((n, 1), BIAS, np.float32)], axis=1)


def _large_basis(
    sets: Mapping[str, NDArray[Any]], n: int, seed: int, tell: Callable[[float], None]
) -> Basis:
    """One RBF kernel, made in place: there is room in memory for its columns and no more."""
    width = _LARGE_WIDTH // max(1, len(sets))
    amplitude, power = RECIPES["small-amplitude"]["rbf"]
    columns = np.zeros((n, width * len(sets) + 1), np.float32)
    columns[:, -1] = BIAS
    for number, x in enumerate(sets.values()):
        part = columns[:, number * width : (number + 1) * width]
        rbf_columns(x, width, seed, out=part)
        part /= np.float32(np.sqrt(np.mean(np.einsum("nd,nd->n", part, part))) or 1.0)
        part *= _scale(part, amplitude / np.sqrt(len(sets)), power)
        tell((number + 1) / len(sets))
    columns.flags.writeable = False
    return Basis(columns, (("rbf", columns.shape[1]),))


def _scale(factor: NDArray[np.float32], amplitude: float, power: float) -> NDArray[np.float32]:
    """What to multiply the columns by for this amplitude and power of the eigenvalues."""
    square = np.einsum("nd,nd->d", factor, factor).astype(np.float64) / max(1, len(factor))
    spectrum = np.where(square > 0, np.maximum(square, 1e-30) ** power, 0.0)
    share = np.where(square > 0, spectrum / np.maximum(square, 1e-30), 0.0)
    return (amplitude * np.sqrt(share / (float(spectrum.sum()) or 1.0))).astype(np.float32)
