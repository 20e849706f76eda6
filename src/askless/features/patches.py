"""A dictionary of small patches, learnt from the pool itself by k-means (Coates and Ng 2012).

Patches of 6 x 6 pixels are normalised in contrast and whitened, then clustered by spherical
k-means with both signs. The features of a picture are the responses to each word of this
dictionary in each cell of a 4 x 4 grid:

    square root of the sum over the cell of max(0, +-(word . patch) - 1/2)

Also known as a bag of visual words with soft assignment. No labels. Cost: about 1.5 ms a picture
of 32 x 32 with 256 words. Not for photographs of things: see `askless.features.backbone`.
Tested in tests/features/test_image_features.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import Count, FeatureExtractor, Seed
from askless.features.reduction import reduce_columns
from askless.features.thumbnails import as_pictures, thumbnails
from askless.seams import Pool

Floats = NDArray[np.float32]

_PATCH: Final = 6
_GRID: Final = 4
_THRESHOLD: Final = 0.5
_FLATNESS: Final = 0.03  # added to the contrast, so that flat patches stay small
_WHITENING: Final = 0.1
_TOGETHER: Final = 20  # pictures in memory at a time: all their patches are
_PICTURES, _PATCHES, _ROUNDS = 600, 60_000, 12


@dataclass(kw_only=True)
class Patches(FeatureExtractor):
    """Where each word of a dictionary of patches is found, reduced by principal components.

    Parameters
    ----------
    words
        The size of the dictionary.
    columns
        How many columns to keep, at most.
    seed
        Fixes the dictionary.
    """

    words: Count = 256
    columns: Count = 400
    seed: Seed = 0

    kind = "images"
    version = 2
    cost_ms = 2.0

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        small = thumbnails(pool, cache, work.part("", 0.0, 0.1).tell)
        if not len(small):
            return []
        centre, filters = work.arrays("dictionary", lambda: self._dictionary(small))
        return reduce_columns(
            lambda pictures: _describe(as_pictures(pictures), centre, filters),
            small,
            self.columns,
            work=work.part("patches", 0.1),
            seed=self.seed,
        )

    def _dictionary(self, small: NDArray[np.uint8]) -> list[Floats]:
        rng = np.random.default_rng(self.seed)
        some = np.sort(rng.choice(len(small), min(len(small), _PICTURES), replace=False))
        return list(_learn(as_pictures(small[some]), self.words, rng))


def _learn(pictures: Floats, words: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The mean patch, and what each patch less this is multiplied with to hear the words."""
    sample = _patches(pictures).reshape(-1, pictures.shape[1] * _PATCH**2)
    sample = sample[rng.choice(len(sample), min(len(sample), _PATCHES), replace=False)]
    centre = sample.mean(0)
    size, axes = np.linalg.eigh(np.cov((sample - centre).T))
    whiten = ((axes / np.sqrt(np.maximum(size, 0) + _WHITENING)) @ axes.T).astype(np.float32)
    dictionary = _directions((sample - centre) @ whiten, words, rng)
    filters: Floats = whiten @ dictionary.T
    return centre, filters


def _describe(pictures: Floats, centre: Floats, filters: Floats) -> Floats:
    found = []
    for start in range(0, len(pictures), _TOGETHER):
        normalised = _patches(pictures[start : start + _TOGETHER]) - centre
        n, down, across = normalised.shape[:3]
        sound = np.asarray(normalised @ filters, np.float32).reshape(n, down * across, -1)
        cells = _cells(down, across)
        above, below = _rectify(sound), _rectify(-sound)
        words = np.concatenate([cells @ above, cells @ below], axis=2)
        found.append(words.transpose(0, 2, 1).reshape(n, -1, _GRID, _GRID))
    return np.asarray(np.sqrt(np.concatenate(found)))


def _patches(pictures: Floats) -> Floats:
    """Every patch of every picture, its contrast normalised: shape (n, down, across, numbers)."""
    n, colours = pictures.shape[:2]
    views = np.lib.stride_tricks.sliding_window_view(pictures, (_PATCH, _PATCH), axis=(2, 3))
    rows = views.transpose(0, 2, 3, 1, 4, 5).reshape(n, *views.shape[2:4], colours * _PATCH**2)
    rows = rows - rows.mean(-1, keepdims=True)
    return np.asarray(rows / np.sqrt(rows.var(-1, keepdims=True) + np.float32(_FLATNESS)))


def _directions(rows: Floats, words: int, rng: np.random.Generator) -> Floats:
    """Unit vectors the rows lie along, found by spherical k-means with both signs."""
    found = rng.standard_normal((words, rows.shape[1])).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    every = np.arange(len(rows))
    for _ in range(_ROUNDS):
        sound = rows @ found.T
        nearest = np.abs(sound).argmax(1)
        share = np.zeros_like(sound)
        share[every, nearest] = sound[every, nearest]
        found = share.T @ rows + np.float32(1e-3) * found
        found /= np.linalg.norm(found, axis=1, keepdims=True) + np.float32(1e-9)
    return found


def _rectify(sound: Floats) -> Floats:
    """What is above the threshold."""
    above: Floats = sound - np.float32(_THRESHOLD)
    return np.maximum(above, 0, out=above)


def _cells(down: int, across: int) -> Floats:
    """A row for each cell of the grid: 1 at the places that lie in it, else 0."""
    rows, columns = (np.arange(size) * _GRID // size for size in (down, across))
    cell = (_GRID * rows[:, None] + columns).ravel()
    return np.asarray(cell == np.arange(_GRID**2)[:, None], np.float32)
