"""Many coefficients to few columns: centred, evened out, turned to their principal axes.

Every coefficient is centred and divided by the deviation of its channel, then the rows are
projected on the leading principal axes and scaled to a mean square length of one, so that
feature sets can be put side by side (`side_by_side`) and none drowns the others.

The axes come from at most `SAMPLE` rows by randomised subspace iteration (Halko, Martinsson
and Tropp 2011), the rest is projected in blocks, so memory stays at one block however
large the pool. Cost: O(n c k) for n items of c coefficients and k columns. Needs numpy alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SAMPLE: Final = 6000
_SPARE: Final = 20  # more directions than are kept make the subspace iteration converge
_ROUNDS: Final = 3
_BLOCK: Final = 250


def reduced(
    describe: Callable[[NDArray[Any]], Floats],
    items: NDArray[Any],
    columns: int = 400,
    *,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Floats:
    """The items described and reduced, shape (n, at most `columns`).

    Parameters
    ----------
    describe
        Gives the coefficients of some items, shape (rows, channels, ...).
    items
        One item a row.
    columns
        How many columns to keep at most.
    seed
        Fixes the sample and the start of the iteration.
    progress
        Told the share that is done.
    """
    n = len(items)
    if n == 0:
        return np.zeros((0, 0), np.float32)
    rng = np.random.default_rng(seed)
    rows = np.arange(n) if n <= SAMPLE else np.sort(rng.choice(n, SAMPLE, replace=False))
    parts = []
    for start in range(0, len(rows), _BLOCK):
        parts.append(describe(items[rows[start : start + _BLOCK]]))
        if progress is not None:
            progress(min(start + _BLOCK, len(rows)) / n)
    known = np.concatenate(parts)
    del parts
    centre = known.mean(0)
    known = known - centre
    spread = _channel_deviation(known)
    flat = (known / spread).reshape(len(known), -1)
    axes = principal_axes(flat, columns, rng)
    if n <= SAMPLE:
        return _evened(flat @ axes)
    found = np.empty((n, axes.shape[1]), np.float32)
    for start in range(0, n, _BLOCK):
        block = (describe(items[start : start + _BLOCK]) - centre) / spread
        found[start : start + _BLOCK] = block.reshape(len(block), -1) @ axes
        if progress is not None:
            progress(min(1.0, (SAMPLE + start + _BLOCK) / n))
    return _evened(found)


def principal_axes(rows: Any, columns: int, rng: np.random.Generator) -> Floats:
    """The leading right singular vectors of centred rows, one a column; dense or sparse rows."""
    width = min(columns + _SPARE, *rows.shape)
    axes = rng.standard_normal((rows.shape[1], width)).astype(np.float32)
    for _ in range(_ROUNDS):
        axes, _ = np.linalg.qr(rows.T @ (rows @ axes))
    turned, sizes, _ = np.linalg.svd(np.asarray((rows @ axes).T), full_matrices=False)
    kept = int(np.count_nonzero(sizes[:columns] > 1e-6 * max(float(sizes[0]), 1e-30)))
    result: Floats = (axes @ turned[:, :kept]).astype(np.float32)
    return result


def side_by_side(sets: Sequence[NDArray[Any]]) -> Floats:
    """Feature sets as one, each with the same share of the mean square length."""
    even = [_evened(np.asarray(rows, np.float32)) for rows in sets]
    return np.concatenate(even, axis=1) / np.float32(np.sqrt(len(even)))


def _evened(rows: Floats) -> Floats:
    length = float(np.sqrt(np.mean(np.sum(np.square(rows, dtype=np.float64), axis=1))))
    return rows / np.float32(length if length > 0 else 1.0)


def _channel_deviation(centred: Floats) -> Floats:
    """The mean deviation of each channel, shaped to divide by; 1 where nothing varies."""
    deviation = centred.std(0)
    over = tuple(range(1, deviation.ndim))
    spread = deviation.mean(axis=over, keepdims=True) if over else deviation
    floor = 1e-6 * float(spread.max(initial=0.0))
    return np.where(spread > floor, spread, 1.0).astype(np.float32)
