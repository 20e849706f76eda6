"""Two-dimensional scattering: what a picture has of each scale and direction, blurred.

    S0 = x * phi,   S1 = |x * psi_a| * phi,   S2 = ||x * psi_a| * psi_b| * phi,  b coarser than a

psi_a are Morlet waves of `depth` octaves and 8 directions, phi a Gaussian as wide as 2^depth
pixels. The result hardly moves when the picture is shifted or bent a little, and still
tells one picture from another (Bruna and Mallat 2013). No training, no labels.

Everything happens in Fourier space, at the coarsest resolution that holds each wave,
and pictures wrap around at their borders. Of the colours, brightness alone is heard twice;
two differences of colour give S0 and S1. Cost: some 200 small transforms a picture at depth 3,
about 3 ms on one thread. Not for photographs of things: see `askless.features.pictures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.pictures import SIDE, as_pictures
from askless.features.reduction import BLOCK, reduced
from askless.features.shelf import Bench, Rows, Shelf
from askless.features.thumbnails import thumbnails
from askless.seams import Pool, PoolKind

DIRECTIONS: Final = 8
_WIDTH: Final = 0.8  # deviation of the finest wave's envelope, in pixels
_FREQUENCY: Final = 0.75 * np.pi

Floats = NDArray[np.float32]


class Scattering:
    """Scattering of several depths, each reduced by principal components, side by side.

    Depth 3 suits digits, depth 2 suits clothes.

    Parameters
    ----------
    depths
        How many octaves of waves, for each part.
    columns
        How many columns to keep of each part, at most.
    """

    kind: PoolKind = "images"
    version = 1
    cost_ms = 6.0

    def __init__(self, *, depths: Sequence[int] = (3, 2), columns: int = 400) -> None:
        if not depths or not all(1 <= depth < SIDE.bit_length() - 1 for depth in depths):
            raise InvalidInput(f"Depths of scattering are from 1 to 4; got {list(depths)}.")
        self.depths = tuple(depths)
        self.columns = columns

    def lacks(self) -> None:
        """It lacks nothing."""

    def about(self) -> Mapping[str, Any]:
        """Depths and columns."""
        return {"depths": list(self.depths), "columns": self.columns}

    def make(self, pool: Pool, bench: Bench, shelf: Shelf) -> Rows:
        """The feature set, as blocks of rows."""
        small = thumbnails(pool, shelf, bench.part("", 0.0, 0.1).tell)
        parts = list[Rows]()
        for at, depth in enumerate(self.depths):
            steps = [0.1 + 0.8 * (at + more) / len(self.depths) for more in (0, 1)]
            corner = bench.part(f"depth-{depth}", *steps)
            parts.append(reduced(partial(_of_thumbnails, depth), small, self.columns, bench=corner))

        share = np.float32(np.sqrt(1 / len(parts)))

        def join(start: int, stop: int) -> Floats:
            blocks = [part[start // BLOCK] for part in parts]
            return np.concatenate(blocks, axis=1, dtype=np.float32) * share

        return bench.blocks(len(pool), join, since=0.9, rows=BLOCK)


def _of_thumbnails(depth: int, small: NDArray[np.uint8]) -> Floats:
    pictures = as_pictures(small)
    if pictures.shape[1] == 1:
        return scattering(pictures, depth)
    red, green, blue = pictures.transpose(1, 0, 2, 3)
    tones = np.stack([red - green, (red + green) / 2 - blue], axis=1)
    bright = scattering(pictures.mean(1, keepdims=True), depth)
    return np.concatenate([bright, scattering(tones, depth, twice=False)], axis=1)


def scattering(pictures: Floats, depth: int, *, twice: bool = True) -> Floats:
    """The coefficients, shape (n, channels, side / 2^depth, side / 2^depth).

    Parameters
    ----------
    pictures
        Shape (n, colours, side, side); the side can be halved `depth` times.
    depth
        How many octaves of waves.
    twice
        Whether to go on to S2.
    """
    from scipy import fft

    n, colours, side, _ = pictures.shape
    waves, blur = _waves(side, depth)
    coarse = 2**depth

    def blurred(spectrum: NDArray[np.complex64], step: int) -> Floats:
        low = _coarser(spectrum * _low_band(blur, step), coarse // step)
        result: Floats = fft.ifft2(low).real
        return result

    spectrum = fft.fft2(pictures.reshape(n * colours, side, side).astype(np.float32))
    found = [blurred(spectrum, 1)]
    for octave in range(depth):
        step = 2**octave
        for wave in waves[octave]:
            heard = fft.fft2(np.abs(fft.ifft2(_coarser(spectrum * wave, step))))
            found.append(blurred(heard, step))
            for later in range(octave + 1, depth if twice else 0):
                further = 2**later
                for other in waves[later]:
                    narrow = _coarser(heard * _low_band(other, step), further // step)
                    found.append(blurred(fft.fft2(np.abs(fft.ifft2(narrow))), further))
    stacked = np.stack(found, axis=1)
    return stacked.reshape(n, colours * len(found), *stacked.shape[2:])


def _waves(side: int, depth: int) -> tuple[list[list[Floats]], Floats]:
    """The Morlet waves by octave and direction, and the blur, as real spectra."""
    angles = np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    waves = []
    for octave in range(depth):
        scale = 2.0**octave
        found = []
        for angle in angles:
            wave = _bump(side, _WIDTH * scale, _FREQUENCY / scale, angle, 4 / DIRECTIONS)
            still = _bump(side, _WIDTH * scale, 0.0, angle, 4 / DIRECTIONS)
            # Less so much of the still bump that flat pictures are not heard at all.
            found.append((wave - wave[0, 0] / still[0, 0] * still).astype(np.float32))
        waves.append(found)
    blur = _bump(side, _WIDTH * 2.0 ** (depth - 1), 0.0, 0.0, 1.0)
    return waves, (blur / blur[0, 0]).astype(np.float32)


def _bump(
    side: int, width: float, frequency: float, angle: float, slant: float
) -> NDArray[np.float64]:
    """A Gaussian in Fourier space around `frequency` in a direction, wrapped at the ends."""
    turns = 2 * np.pi * np.fft.fftfreq(side)
    total = np.zeros((side, side))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            y = turns[:, None] + 2 * np.pi * down
            x = turns[None, :] + 2 * np.pi * right
            along = x * np.cos(angle) + y * np.sin(angle) - frequency
            across = y * np.cos(angle) - x * np.sin(angle)
            total += np.exp(-0.5 * width**2 * (along**2 + (across / slant) ** 2))
    return total


def _coarser(spectrum: NDArray[np.complex64], step: int) -> NDArray[np.complex64]:
    """The spectrum of every `step`-th pixel: its parts folded on one another."""
    if step == 1:
        return spectrum
    side = spectrum.shape[-1] // step
    folded = spectrum.reshape(*spectrum.shape[:-2], step, side, step, side)
    result: NDArray[np.complex64] = folded.mean(axis=(-4, -2))
    return result


def _low_band(filter_: Floats, step: int) -> Floats:
    """A filter as it is on a picture of every `step`-th pixel: its low frequencies alone."""
    if step == 1:
        return filter_
    side = filter_.shape[0]
    kept = np.r_[0 : side // step // 2, side - side // step // 2 : side]
    low: Floats = filter_[np.ix_(kept, kept)]
    return low
