"""Every picture of a pool at one small size, made once and kept for whoever needs them.

Shape (n, SIDE, SIDE, colours), whole numbers from 0 to 255; one colour if no picture of
the pool has any. Cost: reading every picture once; 3 kB each in the cache.
Tested in tests/features/test_make_features.py.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.cache import FeatureCache, OnProgress, PartialWork, Rows
from askless.features.pictures import SIDE, as_pictures
from askless.seams import Pool

_VERSION: Final = 1


def thumbnails(
    pool: Pool, cache: FeatureCache, tell: OnProgress = lambda share: None
) -> NDArray[np.uint8]:
    """The pictures of `pool`, read-only, memory-mapped where there is a cache.

    Parameters
    ----------
    pool
        A pool of images.
    cache
        Where they are kept.
    tell
        Told the share that is done.
    """

    def make(work: PartialWork) -> Rows:
        return work.blocks(len(pool), lambda start, stop: _some(pool, start, stop))

    stack: NDArray[Any] = cache.array("thumbnails", {"version": _VERSION, "side": SIDE}, make, tell)
    return stack[..., :1] if _all_grey(stack) else stack


def seen(pool: Pool, item: int, side: int) -> NDArray[np.uint8]:
    """An item's picture, or a black one if it cannot be read any more: others must not wait."""
    try:
        return pool.picture(item, side)
    except (OSError, InvalidInput):
        return np.zeros((side, side, 3), np.uint8)


def _some(pool: Pool, start: int, stop: int) -> NDArray[np.uint8]:
    small = np.empty((stop - start, SIDE, SIDE, 3), np.uint8)
    for at in range(start, stop):
        picture = as_pictures(seen(pool, at, SIDE)[None])[0]
        small[at - start] = np.rint(255 * picture.transpose(1, 2, 0))
    return small


def _all_grey(stack: NDArray[Any], rows: int = 4096) -> bool:
    for start in range(0, len(stack), rows):
        block = np.asarray(stack[start : start + rows])
        if np.any(block[..., :1] != block[..., 1:]):
            return False
    return True
