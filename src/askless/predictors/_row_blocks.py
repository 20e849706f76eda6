"""Rows in blocks of bounded memory, for passes over features that may be memory-mapped.

Here too: the mean and deviation of every column, in one such pass.

Used by the predictors of this folder alone. Tested in tests/predictors/test_row_blocks.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

Vector = NDArray[np.float64]

NUMBERS: Final = 2_000_000
"""In a block of rows: 16 MB in double precision."""


def row_blocks(rows: int, columns: int) -> Iterator[slice]:
    """Slices that cover all rows in order, each of about `NUMBERS` numbers."""
    step = max(1, NUMBERS // max(1, columns))
    return (slice(start, start + step) for start in range(0, rows, step))


def column_moments(x: NDArray[Any]) -> tuple[Vector, Vector]:
    """Mean and deviation of every column; the deviation of a constant one is exactly 0."""
    total, squares = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    # Differences to the first row: large values (dates, say) would lose their variation.
    origin = x[:1].astype(np.float64).sum(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in row_blocks(*x.shape):
            block = x[rows].astype(np.float64) - origin
            total += block.sum(axis=0)
            squares += np.einsum("ij,ij->j", block, block)
        mean = total / max(1, len(x))
        second = squares / max(1, len(x))
        variance = second - mean**2
    not_finite = np.flatnonzero(~np.isfinite(variance + origin))
    if len(not_finite):
        raise InvalidInput(
            f"Features are finite and below 1e150; column {not_finite[0]} has one that is not. "
            "Fill it in or rescale it."
        )
    return mean + origin, np.sqrt(np.where(variance > 1e-12 * second, variance, 0.0))
