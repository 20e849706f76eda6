"""Images of any size and number type as one array of small float pictures.

Features that need no trained network see pictures of `SIDE` x `SIDE` with values from 0 to 1,
shape (n, channels, SIDE, SIDE). Larger images are shrunk and much smaller ones enlarged by the
same triangle filter; the rest is padded with the values at the border.
Cost O(n) per pixel. Not for photographs, where a trained backbone knows far more.
Tested in tests/features/test_image_features.py.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

SIDE: Final = 32
_SMALLEST: Final = 20  # a longer side below this is enlarged


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
    single: NDArray[np.float32] = weights.astype(np.float32)
    return single
