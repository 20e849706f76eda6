"""Rows as standardised pictures: the shape of a row, and the mean and deviation of its channels.

Also known as per-channel normalisation. A row holds a picture's numbers in the order height,
width, channel. Each channel is centred by its mean over the pool and divided by its deviation.
Cost: one pass over the pool, in blocks. Used by `askless.predictors.network` alone.
Tested in tests/predictors/test_network.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.predictors._row_blocks import column_moments


@dataclass(frozen=True, slots=True, eq=False)
class PictureScale:
    """How a row becomes a picture.

    Parameters
    ----------
    shape
        Height, width and channels of the picture.
    mean, deviation
        Of each channel, over the pool.
    """

    shape: tuple[int, int, int]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]

    @property
    def channels_shown(self) -> int:
        """Channels the network sees: grey pictures fill three, as in the paper."""
        return 3 if self.shape[2] == 1 else self.shape[2]

    def require(self, x: NDArray[Any]) -> None:
        """Refuse rows of another size."""
        height, width, channels = self.shape
        if x.ndim != 2 or x.shape[1] != height * width * channels:
            raise InvalidInput(
                f"Every row is a picture of {height} x {width} pixels with {channels} channels, "
                f"{height * width * channels} numbers; got features of shape {x.shape}. "
                "Say what a row is with the option shape."
            )

    def standard(self, x: NDArray[Any], rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """These rows as pictures (rows, height, width, channels), standardised."""
        # Small whole numbers are exact in single precision; anything else may be far from zero.
        small = x.dtype.itemsize <= 2 and x.dtype.kind in "iu"
        values = x[rows].reshape(-1, *self.shape).astype("f4" if small else "f8")
        values -= self.mean.astype(values.dtype)
        values /= self.deviation.astype(values.dtype)
        return values.astype(np.float32, copy=False)


def measure_scale(x: NDArray[Any], shape: Sequence[int] | None) -> PictureScale:
    """The scale of a pool's rows.

    Parameters
    ----------
    x
        The pool, shape (n, numbers of a picture).
    shape
        Height, width and perhaps channels. None for a square picture, grey or in three
        colours, if the numbers allow it, and else one line of pixels.
    """
    full = _guess_shape(x.shape[1]) if shape is None else (shape[0], shape[1], ([*shape, 1])[2])
    channels = full[2]
    PictureScale(full, np.zeros(channels), np.ones(channels)).require(x)
    means, deviations = (column.reshape(-1, channels) for column in column_moments(x))
    mean = means.mean(axis=0)
    deviation = np.sqrt(np.mean(deviations**2 + (means - mean) ** 2, axis=0))
    constant = deviation <= 1e-12 * np.abs(mean)
    return PictureScale(full, mean, np.where(constant, 1.0, deviation))


def _guess_shape(numbers: int) -> tuple[int, int, int]:
    for channels in (1, 3):
        side = round(np.sqrt(numbers / channels))
        if side * side * channels == numbers:
            return side, side, channels
    return 1, numbers, 1
