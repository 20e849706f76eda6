"""Every picture of a pool at one small size, made once and kept for whoever needs them.

Shape (n, SIDE, SIDE, colours), whole numbers from 0 to 255; one colour if no picture of
the pool has any. Cost: reading every picture once; 3 kB each in the cache.

Features that need no trained network see them as `as_pictures` gives them, with values from 0 to 1
and the colours first. Larger images are shrunk and much smaller ones enlarged by the same triangle
filter; the rest is padded with the values at the border.
Tested in tests/features/test_make_features.py and test_image_features.py.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.cache import FeatureCache, OnProgress, PartialWork, Rows
from askless.seams import Pool

SIDE: Final = 32
_SMALLEST: Final = 20  # a longer side below this is enlarged
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

    about = {"version": _VERSION, "side": SIDE}
    stack: NDArray[Any] = cache.array("thumbnails", about, make, tell, row_by_row=True)
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


def as_pictures(images: NDArray[Any]) -> NDArray[np.float32]:
    """Grey (n, height, width) or colour (n, height, width, channels) images, made alike.

    Parameters
    ----------
    images
        Whole numbers count from 0 to the largest of their kind, floats are taken as they are.
    """
    if images.ndim not in (3, 4) or 0 in images.shape[1:]:
        raise InvalidInput(
            "Images come as (n, height, width) or (n, height, width, channels); "
            f"got shape {images.shape}."
        )
    stack = images[..., None] if images.ndim == 3 else images
    values = stack.astype(np.float32).transpose(0, 3, 1, 2)
    if images.dtype.kind in "iu":
        values /= np.iinfo(images.dtype).max
    height, width = values.shape[2:]
    longer = max(height, width)
    if longer > SIDE or longer < _SMALLEST:
        side = SIDE if longer > SIDE else 28
        height, width = (max(1, round(size * side / longer)) for size in (height, width))
        down, across = _triangle(height, values.shape[2]), _triangle(width, values.shape[3])
        values = (down @ values @ across.T).astype(np.float32)
    top, left = (SIDE - height) // 2, (SIDE - width) // 2
    around = ((0, 0), (0, 0), (top, SIDE - height - top), (left, SIDE - width - left))
    return np.pad(values, around, mode="edge")


def _triangle(out: int, size: int) -> NDArray[np.float32]:
    """Weights that make `out` pixels from `size`: linear when enlarging, averaging when not."""
    step = size / out
    at = (np.arange(out) + 0.5) * step - 0.5
    weights = np.maximum(0, 1 - np.abs(at[:, None] - np.arange(size)) / max(1.0, step))
    weights /= weights.sum(1, keepdims=True)
    return np.asarray(weights, np.float32)
