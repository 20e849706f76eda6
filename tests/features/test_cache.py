from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import FeatureExtractor
from askless.pools import open_pool
from askless.seams import Pool


@pytest.mark.parametrize(
    ("first", "last", "kind"),
    [(2000, 2001, np.float32), (-1e6, 1e6, np.float32), (-3, 3, np.float16)],
)
def test_a_set_that_half_precision_would_blur_is_kept_in_single(
    tmp_path: Path, first: float, last: float, kind: type[np.generic]
) -> None:
    x = np.linspace(first, last, 50, dtype=np.float32)[:, None]

    def make(work: PartialWork) -> Rows:
        return [x[:20], x[20:]]

    for folder in (None, tmp_path):
        kept = FeatureCache(["a"], folder).array("a", {}, make, lambda share: None)
        assert kept.dtype == kind
        assert np.allclose(kept, x, atol=0.01)


class Counted(FeatureExtractor):
    """A row an item: the length of its text; remembers whose rows it has computed."""

    kind = "texts"
    version = 1
    cost_ms = 1.0
    row_by_row = True

    def __init__(self) -> None:
        self.looked: list[int] = []

    def about(self) -> Mapping[str, Any]:
        """Nothing."""
        return {}

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The lengths."""

        def some(start: int, stop: int) -> NDArray[np.float32]:
            self.looked += range(start, stop)
            lengths = [[len(pool.text(item)), 1.0] for item in range(start, stop)]
            return np.array(lengths, np.float32)

        return work.blocks(len(pool), some, rows=4)


def _made(texts: list[str], folder: Path) -> tuple[NDArray[Any], list[int]]:
    pool, maker = open_pool(texts), Counted()
    cache = FeatureCache(pool.checksums, folder)
    found = cache.array(
        "counted", {}, partial(maker.extract, pool, cache=cache), lambda share: None,
        row_by_row=True,
    )  # fmt: skip
    return found, maker.looked


def test_rows_of_a_pool_that_grew_are_computed_for_the_new_items_alone(tmp_path: Path) -> None:
    texts = ["a" * length for length in range(1, 12)]
    first, looked = _made(texts[:5], tmp_path)
    assert looked == list(range(5))
    kept = np.array(first)
    for n in (9, 11):
        grown, looked = _made(texts[:n], tmp_path)
        assert looked == list(range({9: 5, 11: 9}[n], n))
        assert grown.dtype == np.float16
        assert np.array_equal(grown[:5], kept)
        assert grown[:, 0].tolist() == list(range(1, n + 1))
    assert len(list(tmp_path.glob("counted-*"))) == 2  # the newest and its lock
    _, looked = _made(["x", *texts[:4]], tmp_path)  # other items, of whatever number
    assert looked == list(range(5))


def test_a_damaged_set_of_an_earlier_pool_is_not_built_on(tmp_path: Path) -> None:
    texts = ["a" * length for length in range(1, 9)]
    _made(texts[:6], tmp_path)
    (path,) = tmp_path.glob("counted-*.npy")
    content = bytearray(path.read_bytes())
    content[-80] ^= 1
    path.write_bytes(content)
    grown, looked = _made(texts, tmp_path)
    assert looked == list(range(8))
    assert grown[:, 0].tolist() == list(range(1, 9))
