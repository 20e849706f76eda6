"""Principal component analysis: many coefficients to few columns.

Every coefficient is centred and divided by the standard deviation of its channel. Then the rows are
projected on the leading principal axes and scaled to a mean square length of one, so that feature
sets can stand side by side (`side_by_side`) with equal weight.

The axes come from at most `SAMPLE` rows by randomised subspace iteration (Halko, Martinsson
and Tropp 2011). The rest is projected in blocks, so memory stays at one block however large
the pool. Cost: O(n c k) for n items of c coefficients and k columns. Needs numpy alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.features.cache import PartialWork, Rows

Floats = NDArray[np.float32]

SAMPLE: Final = 2000
_SPARE: Final = 20  # more directions than are kept make the subspace iteration converge
_ROUNDS: Final = 3
BLOCK: Final = 250


def reduce_columns(
    describe: Callable[[NDArray[Any]], Floats],
    items: NDArray[Any],
    columns: int = 400,
    *,
    work: PartialWork | None = None,
    seed: int = 0,
) -> Rows:
    """The items described and reduced, at most `columns` wide, as blocks of rows.

    Parameters
    ----------
    describe
        Gives the coefficients of some items, shape (rows, channels, ...).
    items
        One item a row; perhaps memory-mapped.
    columns
        How many columns to keep at most.
    work
        Where half-finished work is kept.
    seed
        Fixes the sample and the start of the iteration.
    """
    n = len(items)
    work = work or PartialWork()
    rng = np.random.default_rng(seed)
    sample = np.arange(n) if n <= SAMPLE else np.sort(rng.choice(n, SAMPLE, replace=False))
    share = len(sample) / max(1, n)

    def study() -> list[NDArray[Any]]:
        parts = []
        for start in range(0, len(sample), BLOCK):
            parts.append(_describe_in_threads(describe, items[sample[start : start + BLOCK]]))
            work.tell(share * 0.9 * min(1.0, (start + BLOCK) / len(sample)))
        known = np.concatenate(parts)
        del parts
        centre = known.mean(0)
        known -= centre
        spread = _channel_deviation(known)
        known /= spread
        flat = known.reshape(len(known), -1)
        axes = principal_axes(flat, columns, rng)
        few = flat @ axes
        length = _length(few)
        return [centre, spread, axes / length, few / length]

    if n == 0:
        return []
    centre, spread, axes, known = work.arrays("axes", study)

    def make(start: int, stop: int) -> Floats:
        block = np.empty((stop - start, known.shape[1]), np.float32)
        first, last = np.searchsorted(sample, [start, stop])
        block[sample[first:last] - start] = known[first:last]
        rest = np.setdiff1d(np.arange(start, stop), sample[first:last], assume_unique=True)
        if len(rest):
            found = (_describe_in_threads(describe, items[rest]) - centre) / spread
            block[rest - start] = found.reshape(len(rest), -1) @ axes
        return block

    return work.blocks(n, make, since=share, rows=BLOCK)


def _describe_in_threads(describe: Callable[[NDArray[Any]], Floats], items: NDArray[Any]) -> Floats:
    """The items described on as many threads as there are processors to use."""
    workers = threads()
    if workers == 1:
        return describe(items)
    pieces = np.array_split(items, min(len(items), workers))
    with ThreadPoolExecutor(workers) as pool:
        return np.concatenate(list(pool.map(describe, pieces)))


def threads() -> int:
    """How many threads to work on: what ``OMP_NUM_THREADS`` says, else one a processor."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isdecimal() and int(told):
        return int(told)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def principal_axes(rows: Any, columns: int, rng: np.random.Generator) -> Floats:
    """The leading right singular vectors of centred rows, one a column; dense or sparse rows."""
    width = min(columns + _SPARE, *rows.shape)
    if rows.shape[0] < rows.shape[1]:  # go round on the shorter side
        start = rng.standard_normal((rows.shape[0], width)).astype(np.float32)
        for _ in range(_ROUNDS):
            start, _ = np.linalg.qr(rows @ (rows.T @ start))
        tall = np.asarray(rows.T @ start)
        square, turned = np.linalg.eigh(_gram(tall))
        sizes = np.sqrt(np.maximum(square[::-1], 0))
        kept = _worth(sizes, columns)
        across = turned[:, ::-1][:, :kept] / sizes[:kept]
        return np.asarray(tall @ across.astype(np.float32), np.float32)
    axes = rng.standard_normal((rows.shape[1], width)).astype(np.float32)
    for _ in range(_ROUNDS):
        axes, _ = np.linalg.qr(rows.T @ (rows @ axes))
    square, turned = np.linalg.eigh(_gram(np.asarray(rows @ axes)))
    kept = _worth(np.sqrt(np.maximum(square[::-1], 0)), columns)
    return np.asarray(axes @ turned[:, ::-1][:, :kept].astype(np.float32), np.float32)


def _gram(tall: Floats, rows: int = 8192) -> NDArray[np.float64]:
    """The products of all pairs of columns, summed in double precision, a block at a time."""
    total = np.zeros((tall.shape[1], tall.shape[1]))
    for start in range(0, len(tall), rows):
        block = tall[start : start + rows].astype(np.float64)
        total += block.T @ block
    return total


def _worth(sizes: NDArray[np.float64], columns: int) -> int:
    """How many of the leading directions are more than rounding."""
    return int(np.count_nonzero(sizes[:columns] > 1e-6 * max(float(sizes[0]), 1e-30)))


def side_by_side(sets: Sequence[NDArray[Any]]) -> Floats:
    """Feature sets as one, each with the same share of the mean square length."""
    single = [np.asarray(rows, np.float32) for rows in sets]
    even = np.concatenate([rows / _length(rows) for rows in single], axis=1)
    return np.asarray(even / np.float32(np.sqrt(len(single))))


def unit_rows(rows: Floats) -> Floats:
    """The rows scaled to unit length; rows of zeros stay as they are."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(length, np.float32(1e-12)), np.float32)


def _length(rows: Floats) -> np.float32:
    """The root of the mean square length; 1 if there is none."""
    length = float(np.sqrt(np.mean(np.sum(np.square(rows, dtype=np.float64), axis=1))))
    return np.float32(length if length > 0 else 1.0)


def _channel_deviation(centred: Floats) -> Floats:
    """The mean deviation of each channel, shaped to divide by; 1 where nothing varies."""
    deviation = centred.std(0)
    over = tuple(range(1, deviation.ndim))
    spread = deviation.mean(axis=over, keepdims=True) if over else deviation
    floor = 1e-6 * float(spread.max(initial=0.0))
    return np.where(spread > floor, spread, 1.0).astype(np.float32)
