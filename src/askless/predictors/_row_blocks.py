"""Rows in blocks of bounded memory, for passes over features that may be memory-mapped.

Used by the predictors of this folder alone. Tested in tests/predictors/test_row_blocks.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

NUMBERS: Final = 2_000_000
"""In a block of rows: 16 MB in double precision."""


def row_blocks(rows: int, columns: int) -> Iterator[slice]:
    """Slices that cover all rows in order, each of about `NUMBERS` numbers."""
    step = max(1, NUMBERS // max(1, columns))
    return (slice(start, start + step) for start in range(0, rows, step))
