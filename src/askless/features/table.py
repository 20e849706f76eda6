"""The features of a table: numbers on a common scale, categories as indicator columns.

A column of numbers z = (x - median) / spread, where the spread is the interquartile range, gives
two columns: asinh z, which outliers cannot dominate, and its normal score by rank, which does not
depend on the scale. A missing number is replaced by the median, and a further column says so. A
categorical column gives an indicator column for each category, centred and divided by the square
root of its standard deviation, a compromise between raw indicators and full standardisation that
up-weights rare categories moderately. Blank is a category too. A category of a single row says
nothing about other rows and is left out, so a column of names adds nothing.
Cost: one sort a column.
Tested in tests/features/test_text_and_table.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import FeatureExtractor
from askless.features.reduction import side_by_side
from askless.seams import Pool

_MOST_CATEGORIES = 64


class Table(FeatureExtractor):
    """Numbers on a common scale, categories to columns of their own."""

    kind = "rows"
    version = 2
    cost_ms = 0.1

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, in one piece."""
        return [table_features(list(pool.columns().values()))]


def table_features(columns: Sequence[NDArray[Any]] | NDArray[Any]) -> NDArray[np.float32]:
    """The features of a table, shape (n, columns).

    Parameters
    ----------
    columns
        The columns of the table, numbers or text, or one array of numbers (n, columns).
    """
    parts = list(columns.T) if isinstance(columns, np.ndarray) else list(columns)
    lengths = {len(part) for part in parts}
    if len(lengths) > 1 or any(part.ndim != 1 for part in parts):
        raise InvalidInput(
            "A table has columns of one length; got shapes "
            f"{', '.join(str(part.shape) for part in parts)}."
        )
    n = lengths.pop() if lengths else len(columns)
    numbers = [part.astype(np.float64) for part in parts if part.dtype.kind in "biuf"]
    others = [part.astype(str) for part in parts if part.dtype.kind not in "biuf"]
    sets = []
    full = [_fill_missing(part) for part in numbers if n]
    smooth = [column for part in full for column in (_robust(part), _rank(part))]
    gaps = [np.isnan(part).astype(float) for part in numbers if np.isnan(part).any()]
    categories = [column for part in others for column in _categories(part)]
    single = [_centre(column, np.sqrt(column.std())) for column in gaps + categories]
    for found in (smooth, single):
        if found:
            sets.append(np.stack(found, axis=1))
    return side_by_side(sets) if sets else np.zeros((n, 0), np.float32)


def _fill_missing(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The column with the median where numbers are missing, zeros if all are; nothing infinite."""
    there = x[np.isfinite(x)]
    if not len(there):
        return np.zeros(len(x))
    return np.clip(np.where(np.isnan(x), np.median(there), x), there.min(), there.max())


def _robust(x: NDArray[np.float64]) -> NDArray[np.float64]:
    low, middle, high = np.quantile(x, [0.25, 0.5, 0.75])
    spread = high - low if high > low else float(x.std()) or 1.0
    smooth = np.arcsinh(1.35 * (x - middle) / spread)
    return _centre(smooth, smooth.std())


def _rank(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normal scores; equal numbers get equal scores."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    scores = ndtri(rankdata(x) / (len(x) + 1))
    return _centre(scores, scores.std())


def _categories(x: NDArray[np.str_]) -> list[NDArray[np.float64]]:
    names, counts = np.unique(x, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_MOST_CATEGORIES]
    return [(x == names[at]).astype(np.float64) for at in order if counts[at] > 1]


def _centre(x: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    return np.asarray((x - x.mean()) / (spread or 1.0))
