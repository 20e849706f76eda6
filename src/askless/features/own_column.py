"""Features that are a column of the source: embeddings beside the text or the picture.

    --features column:embedding

Each value is a list of numbers, as Parquet and JSONL have them, or such a list written as JSON
in a cell of a CSV table. All have the same length. The content of the column is part of the key in
the cache. Cost: one reading of the table. Tested in tests/features/test_own_numbers.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features._own_rows import blocks_of, checksum, numbers, rows_by_place, source_rows
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import ANY_KIND, FeatureExtractor
from askless.seams import Pool


@dataclass(kw_only=True)
class OwnColumn(FeatureExtractor):
    """A column of lists, one for each row of the source.

    Parameters
    ----------
    name
        What the column is called.
    """

    name: str

    kind = ANY_KIND
    version = 1
    cost_ms = 0.05

    def __post_init__(self) -> None:
        self._read: tuple[Pool, NDArray[Any]] | None = None

    def about(self) -> Mapping[str, Any]:
        """The column's name."""
        return {"name": self.name}

    def beside(self, pool: Pool) -> Mapping[str, Any]:
        """What is in the column, by its content."""
        return {"content": checksum(self._matrix(pool))}

    def misfit(self, pool: Pool) -> str | None:
        """A column that is not there."""
        names = [name.strip() for name in source_rows(pool).names]
        if self.name in names:
            return None
        return (
            f"Features are a column of the source; there is no {self.name!r}, it has "
            f"{', '.join(map(repr, names))}."
        )

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        matrix = self._matrix(pool)
        called = f"the column {self.name!r}"
        return blocks_of(matrix, rows_by_place(pool, len(matrix), called), work, called)

    def _matrix(self, pool: Pool) -> NDArray[Any]:
        """The column as numbers, read once."""
        if self._read is None or self._read[0] is not pool:
            if misfit := self.misfit(pool):
                raise InvalidInput(misfit)
            self._read = pool, self._numbers(pool)
        return self._read[1]

    def _numbers(self, pool: Pool) -> NDArray[Any]:
        source = source_rows(pool)
        at = [name.strip() for name in source.names].index(self.name)
        rows = list[NDArray[np.float32]]()
        for _, values in source:
            row = _as_row(values[at])
            if row is None or (rows and len(row) != len(rows[0])):
                got = (
                    f"{values[at]!r:.60}" if row is None else f"{len(row):,}, not {len(rows[0]):,}"
                )
                raise InvalidInput(
                    f"Features are as many numbers in each row; row {len(rows) + 1:,} of the "
                    f"column {self.name!r} has {got}."
                )
            rows.append(row)
        return numbers(np.stack(rows) if rows else np.zeros((0, 0)), f"the column {self.name!r}")


def _as_row(value: Any) -> NDArray[np.float32] | None:
    """A list of numbers, or one written as JSON; None if it is neither."""
    try:
        if isinstance(value, str):
            value = json.loads(value)
        row = np.asarray(value)
    except (ValueError, RecursionError):
        return None
    if row.dtype.kind not in "biuf" or row.ndim > 1:
        return None
    with np.errstate(over="ignore"):
        return np.atleast_1d(row).astype(np.float32)
