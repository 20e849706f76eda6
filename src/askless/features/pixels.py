"""The pixels of small pictures, reduced by PCA: the cheapest features an image can have.

Each picture at 16 x 16, in grey if the pool is grey, projected on the leading principal axes. They
tell light, colour and rough shape, and no more. They are ready in a second, while better features
are being computed, and beside those they still help with clothes. Cost: 0.1 ms a picture.
Tested in tests/features/test_make_features.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import Count, FeatureExtractor
from askless.features.reduction import reduce_columns
from askless.features.thumbnails import thumbnails
from askless.seams import Pool


@dataclass(kw_only=True)
class Pixels(FeatureExtractor):
    """Small pictures as they are, reduced by principal components.

    Parameters
    ----------
    columns
        How many columns to keep, at most.
    """

    columns: Count = 60

    kind = "images"
    version = 1
    cost_ms = 0.2

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        small = thumbnails(pool, cache, work.part("", 0.0, 0.6).tell)
        return reduce_columns(_halve, small, self.columns, work=work.part("", 0.6))


def _halve(small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Every two by two pixels as one; all places of a colour are one channel, scaled alike."""
    n, side, _, colours = small.shape
    cells = small.reshape(n, side // 2, 2, side // 2, 2, colours).astype(np.float32)
    return np.asarray(cells.mean((2, 4)).transpose(0, 3, 1, 2) / 255, np.float32)
