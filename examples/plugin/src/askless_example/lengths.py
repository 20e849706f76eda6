"""A feature set of texts: how many characters, words and digits they have."""

from __future__ import annotations

import numpy as np

from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import FeatureExtractor
from askless.seams import Pool


class Lengths(FeatureExtractor):
    """Logarithms of the counts, one row a text."""

    kind = "texts"
    version = 1
    cost_ms = 0.01
    row_by_row = True

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, in one piece."""
        texts = [pool.text(item) for item in range(len(pool))]
        counts = [(len(t), len(t.split()), sum(c.isdigit() for c in t)) for t in texts]
        return [np.log1p(np.asarray(counts, np.float32).reshape(-1, 3))]
