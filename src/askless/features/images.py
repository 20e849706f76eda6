"""The features of images when nothing is known about them: no network, no labels, no choice.

Scattering of two depths and a dictionary of patches, each reduced to 400 columns, side by
side. No one of them is best everywhere: depth 3 suits digits, depth 2 and patches suit clothes.
Cost: about 10 ms an image of 32 x 32 and channel, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.features.patches import patch_dictionary
from askless.features.pictures import as_pictures
from askless.features.reduction import reduced, side_by_side
from askless.features.scattering import scattering
from askless.features.shelf import Bench, joined

COLUMNS: Final = 400


def image_features(
    images: NDArray[Any], *, seed: int = 0, progress: Callable[[float], None] | None = None
) -> NDArray[np.float32]:
    """The features of a pool of images, shape (n, columns).

    Parameters
    ----------
    images
        Grey (n, height, width) or colour (n, height, width, channels).
    seed
        Fixes what is drawn at random.
    progress
        Told the share that is done.
    """
    pictures = as_pictures(images)
    if not len(pictures):
        return np.zeros((0, 0), np.float32)
    ways: tuple[Callable[[NDArray[Any]], NDArray[np.float32]], ...] = (
        lambda some: scattering(some, 3),
        lambda some: scattering(some, 2),
        patch_dictionary(pictures, seed=seed),
    )
    sets = []
    for number, way in enumerate(ways):
        done = _part(progress, number, len(ways))
        bench = Bench(None, done)
        sets.append(joined(reduced(way, pictures, COLUMNS, bench=bench, seed=seed)))
    return side_by_side(sets)


def _part(
    progress: Callable[[float], None] | None, number: int, parts: int
) -> Callable[[float], None]:
    return lambda share: progress((number + share) / parts) if progress is not None else None
