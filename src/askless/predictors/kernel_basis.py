"""The kernels of a pool, as columns: a linear predictor on one's columns is a Gaussian process.

A kernel k(i, j) = sum over columns of B[i, c] B[j, c] turns a linear model with weights
N(0, 1) into a Gaussian process over the items. Each feature set gives ingredients, and
unlabelled items shape them (`askless.predictors._ingredients`): a neighbour graph of the whole
pool, distances, and, where the sets are few, products. A kernel is a sum of ingredients, each with
an amplitude and a roughness, the power its eigenvalues are taken to (below 1: finer detail
counts for more).

No sum is right for every pool, so several are made, one block of columns each (`RECIPES`): for all
sets together loud, soft, soft with short distances, and smooth; soft without each of the sets in
turn, so that a set that only disturbs can be left out; and each set alone, with short distances,
for the pool where one of them knows more than all the others. Pools of one set or two
also get two that are nearly linear (`STRAIGHT`), for tables and texts, where a straight line is
often most of what there is to learn. With more sets, as pictures have, the time for two more
kernels is saved. Which kernel to believe is for the predictor to find out from the answers.

A sum of more columns than `WIDTH` is turned to its leading principal axes, which costs about half
a per cent of code length and makes learning several times as quick. Each block ends with a
constant column, the bias.

Cost at 6,000 items: about five seconds a feature set on one core, and a second a block; O(n^2) for
the neighbours. Above `GRAPH_MOST` items there is no graph, above `LARGE` one block of distances to
anchors, O(n). Made once for a pool and worth keeping on disk: columns are float32, blocks plain
JSON. The scipy it needs is loaded on first use. Not in the paper.
Tested in tests/predictors/test_kernel.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.predictors._ingredients import (
    distance_columns,
    evened,
    graph_columns,
    product_columns,
)

Floats = NDArray[np.float64]

VERSION: Final = 7
"""Grows when the same sets would give other columns."""

GRAPH_MOST: Final = 20_000
LARGE: Final = 50_000
WIDTH: Final = 600
BIAS: Final = 2.0
RECIPES: Final[Mapping[str, Mapping[str, tuple[float, float]]]] = {
    "loud": {"graph": (8.0, 0.5), "rbf": (8.0, 0.7)},
    "soft": {"graph": (3.0, 0.5), "rbf": (3.0, 0.7)},
    "near": {"graph": (2.0, 0.5), "near": (2.0, 1.0)},
    "smooth": {"graph": (4.0, 1.0), "rbf": (4.0, 1.0)},
}
"""Amplitude and roughness of each kind of ingredient."""

STRAIGHT: Final[Mapping[str, Mapping[str, tuple[float, float]]]] = {
    "straight": {"product": (8.0, 1.0), "near": (2.0, 1.0)},
    "plain": {"product": (2.0, 1.0), "graph": (0.5, 0.5), "near": (0.5, 1.0)},
}
"""The same for the further kernels of pools with at most `_FEW` feature sets."""

_FEW: Final = 2
_NEAR: Final = 0.3  # of the median squared distance
_PART_WIDTH: Final = 300  # of an ingredient; 200 where there are several sets
_LARGE_WIDTH: Final = 255
_ROWS: Final = 4096  # looked at in one go


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """Columns of kernels, block by block.

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
        Fixes the anchors.
    progress
        Told the share that is done.
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
        return _large(useful, n, seed, tell)
    found: dict[tuple[str, str], NDArray[np.float32]] = {}
    width = _PART_WIDTH if len(useful) == 1 else _PART_WIDTH * 2 // 3
    for number, (name, x) in enumerate(useful.items()):
        if n <= GRAPH_MOST:
            found["graph", name] = graph_columns(x, width)
        found["rbf", name] = distance_columns(x, width, seed)
        found["near", name] = distance_columns(x, width, seed, ratio=_NEAR)
        if len(useful) <= _FEW:
            found["product", name] = product_columns(x, width, seed)
        tell((number + 1) / (len(useful) + 1))
    found = {key: evened(part) for key, part in found.items() if part.shape[1]}
    blocks: dict[str, NDArray[np.float32]] = {}
    recipes = {**RECIPES, **STRAIGHT} if len(useful) <= _FEW else RECIPES
    for recipe, kinds in recipes.items():
        blocks[recipe] = _kernel(found, kinds, n)
    for name in useful if len(useful) > 1 else ():
        own = {key: part for key, part in found.items() if key[1] == name}
        others = {key: part for key, part in found.items() if key[1] != name}
        blocks[f"without {name}"] = _kernel(others, RECIPES["soft"], n)
        blocks[f"{name} alone"] = _kernel(own, RECIPES["near"], n)
    tell(1.0)
    return _basis(blocks)


def _require_numbers(name: str, x: NDArray[Any]) -> None:
    """Refuse what no distance can be taken in."""
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


def _kernel(
    parts: Mapping[tuple[str, str], NDArray[np.float32]],
    kinds: Mapping[str, tuple[float, float]],
    n: int,
) -> NDArray[np.float32]:
    """The columns of a sum of ingredients, at most `WIDTH`, and the bias."""
    shares = [kind for kind, _ in parts]
    scaled = [np.zeros((n, 0), np.float32)]
    for (kind, _), part in parts.items():
        if kind not in kinds:
            continue
        amplitude, power = kinds[kind]
        scaled.append(part * _scale(part, amplitude / np.sqrt(shares.count(kind)), power))
    columns = np.concatenate(scaled, axis=1)
    if columns.shape[1] > n:  # as many columns as items say the same
        size, axes = np.linalg.eigh((columns @ columns.T).astype(np.float64))
        columns = (axes * np.sqrt(np.maximum(size, 0)))[:, ::-1].astype(np.float32)
        columns = columns[:, :WIDTH]
    elif columns.shape[1] > WIDTH:
        _, axes = np.linalg.eigh((columns.T @ columns).astype(np.float64))
        columns = columns @ axes[:, : -WIDTH - 1 : -1].astype(np.float32)
    return _with_bias(columns)


def _large(
    sets: Mapping[str, NDArray[Any]], n: int, seed: int, tell: Callable[[float], None]
) -> Basis:
    """One kernel of distances to anchors, made in place: the columns are all there is room for."""
    width = _LARGE_WIDTH // max(1, len(sets))
    amplitude, power = RECIPES["soft"]["rbf"]
    columns = np.zeros((n, width * len(sets) + 1), np.float32)
    columns[:, -1] = BIAS
    for number, x in enumerate(sets.values()):
        part = columns[:, number * width : (number + 1) * width]
        distance_columns(x, width, seed, out=part)
        part /= np.float32(np.sqrt(np.mean(np.einsum("nd,nd->n", part, part))) or 1.0)
        part *= _scale(part, amplitude / np.sqrt(len(sets)), power)
        tell((number + 1) / len(sets))
    columns.flags.writeable = False
    return Basis(columns, (("distances", columns.shape[1]),))


def _scale(part: NDArray[np.float32], amplitude: float, power: float) -> NDArray[np.float32]:
    """What to multiply the columns by for this amplitude and roughness."""
    square = np.einsum("nd,nd->d", part, part).astype(np.float64) / max(1, len(part))
    spectrum = np.where(square > 0, np.maximum(square, 1e-30) ** power, 0.0)
    share = np.where(square > 0, spectrum / np.maximum(square, 1e-30), 0.0)
    return (amplitude * np.sqrt(share / (float(spectrum.sum()) or 1.0))).astype(np.float32)


def _with_bias(columns: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.concatenate([columns, np.full((len(columns), 1), BIAS, np.float32)], axis=1)


def _basis(blocks: Mapping[str, NDArray[np.float32]]) -> Basis:
    columns = np.concatenate(list(blocks.values()), axis=1)
    columns.flags.writeable = False
    return Basis(columns, tuple((name, part.shape[1]) for name, part in blocks.items()))
