"""Two-dimensional scattering: what a picture has of each scale and direction, blurred.

    S0 = x * phi,   S1 = |x * psi_a| * phi,   S2 = ||x * psi_a| * psi_b| * phi,  b coarser than a

psi_a are Morlet waves of `depth` octaves and 8 directions, phi a Gaussian as wide as 2^depth
pixels. The result hardly moves when the picture is shifted or bent a little, and still
tells one picture from another (Bruna and Mallat 2013). No training, no labels.

Everything happens in Fourier space, at the coarsest resolution that holds each wave,
and pictures wrap around at their borders. Cost: some 200 small transforms a picture and
channel at depth 3, about 3 ms. Not for photographs of things: see `askless.features.pictures`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

DIRECTIONS: Final = 8
_WIDTH: Final = 0.8  # deviation of the finest wave's envelope, in pixels
_FREQUENCY: Final = 0.75 * np.pi

Floats = NDArray[np.float32]


def scattering(pictures: Floats, depth: int) -> Floats:
    """The coefficients, shape (n, channels, side / 2^depth, side / 2^depth).

    Parameters
    ----------
    pictures
        Shape (n, colours, side, side); the side can be halved `depth` times.
    depth
        How many octaves of waves.
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
            for later in range(octave + 1, depth):
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
