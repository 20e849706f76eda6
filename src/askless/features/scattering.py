"""The two-dimensional wavelet scattering transform (Bruna and Mallat 2013).

    S0 = x * phi,   S1 = |x * psi_a| * phi,   S2 = ||x * psi_a| * psi_b| * phi,  b coarser than a

psi_a are Morlet waves of `depth` octaves and 8 directions, phi a Gaussian as wide as 2^depth
pixels. The result hardly changes when the picture is shifted or bent a little, and still
tells one picture from another. No training, no labels.

Everything is computed in Fourier space, at the coarsest resolution that holds each wave, and
pictures wrap around at their borders. Brightness gives S0, S1 and S2; two differences of colour
give S0 and S1 alone. Cost: some 200 small transforms a picture at depth 3,
about 1 ms on one thread. Not for photographs of things: see `askless.features.backbone`.
Tested in tests/features/test_image_features.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated, Any, Final

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import Count, FeatureExtractor
from askless.features.reduction import reduce_columns
from askless.features.thumbnails import as_pictures, thumbnails
from askless.seams import Pool

DIRECTIONS: Final = 8
_WIDTH: Final = 0.8  # deviation of the finest wave's envelope, in pixels
_FREQUENCY: Final = 0.75 * np.pi

Floats = NDArray[np.float32]
Spectra = NDArray[np.complex64]


@dataclass(kw_only=True)
class Scattering(FeatureExtractor):
    """Scattering, reduced by principal components. Depth 3 suits digits.

    Parameters
    ----------
    depth
        How many octaves of waves.
    columns
        How many columns to keep, at most.
    """

    depth: Annotated[int, Interval(ge=1, le=4)] = 3
    columns: Count = 400

    kind = "images"
    version = 2
    cost_ms = 2.0

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        small = thumbnails(pool, cache, work.part("", 0.0, 0.1).tell)
        describe = partial(_of_thumbnails, self.depth)
        return reduce_columns(describe, small, self.columns, work=work.part("", 0.1))


@dataclass(kw_only=True)
class ScatteringFine(Scattering):
    """Scattering of depth 2: finer in place, poorer in pattern. It suits clothes."""

    depth: Annotated[int, Interval(ge=1, le=4)] = 2


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
    waves, blurs = _filters(side, depth)
    out = side >> depth

    def blur(fields: Floats) -> Floats:
        flat = fields.reshape(n * colours, -1, fields.shape[-1] ** 2)
        return (flat @ blurs[fields.shape[-1]]).reshape(n * colours, -1, out, out)

    plain = pictures.reshape(n * colours, side, side).astype(np.float32)
    spectrum = fft.fft2(plain)
    found = [blur(plain)]
    for octave in range(depth):
        amplitude = _modulus(_coarsen(spectrum[:, None] * waves[octave], octave))
        once = blur(amplitude)
        if not twice or octave + 1 == depth:
            found.append(once)
            continue
        again = fft.fft2(amplitude)
        for direction in range(DIRECTIONS):
            found.append(once[:, [direction]])
            for later in range(octave + 1, depth):
                narrow, steps = _crop(again[:, direction], waves[later], later - octave)
                found.append(blur(_modulus(_coarsen(narrow, steps))))
    stacked = np.concatenate(found, axis=1)
    return stacked.reshape(n, colours * stacked.shape[1], out, out)


def _of_thumbnails(depth: int, small: NDArray[np.uint8]) -> Floats:
    pictures = as_pictures(small)
    if pictures.shape[1] == 1:
        return scattering(pictures, depth)
    red, green, blue = pictures.transpose(1, 0, 2, 3)
    colours = np.stack([red - green, (red + green) / 2 - blue], axis=1)
    bright = scattering(pictures.mean(1, keepdims=True), depth)
    return np.concatenate([bright, scattering(colours, depth, twice=False)], axis=1)


@lru_cache(maxsize=8)
def _filters(side: int, depth: int) -> tuple[list[Floats], dict[int, Floats]]:
    """The spectra of the waves by octave; by side of a field, the matrix that blurs it."""
    from scipy import fft

    blur = _bump(side, _WIDTH * 2.0 ** (depth - 1), 0.0, 0.0, 1.0)
    blur = (blur / blur[0, 0]).astype(np.float32)
    angles = np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    waves = [np.stack([_wave(side, octave, angle) for angle in angles]) for octave in range(depth)]
    blurs = dict[int, Floats]()
    for octave in range(depth + 1):
        size = side >> octave
        points = np.eye(size * size, dtype=np.float32).reshape(-1, size, size)
        spread = fft.ifft2(_coarsen(fft.fft2(points) * _low_band(blur, octave), depth - octave))
        blurs[size] = np.ascontiguousarray(spread.real.reshape(size * size, -1), np.float32)
    return waves, blurs


def _wave(side: int, octave: int, angle: float) -> Floats:
    """The real spectrum of a Morlet wave."""
    scale = 2.0**octave
    wave = _bump(side, _WIDTH * scale, _FREQUENCY / scale, angle, 4 / DIRECTIONS)
    still = _bump(side, _WIDTH * scale, 0.0, angle, 4 / DIRECTIONS)
    # Less so much of the still bump that flat pictures give zero.
    return np.asarray(wave - wave[0, 0] / still[0, 0] * still, np.float32)


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


def _modulus(spectrum: Spectra) -> Floats:
    """The size of what has this spectrum, place by place."""
    from scipy import fft

    sound = fft.ifft2(spectrum)
    square = sound.real * sound.real
    square += sound.imag * sound.imag
    return np.asarray(np.sqrt(square, out=square))


def _crop(spectra: Spectra, waves: Floats, halvings: int) -> tuple[Spectra, int]:
    """What the waves hear, and how often it is still to be halved.

    Waves two octaves up hear nothing of the upper half of the frequencies, so that is left out.
    """
    waves = _low_band(waves, (waves.shape[-1] // spectra.shape[-1]).bit_length() - 1)
    if halvings < 2:
        return spectra[:, None] * waves, halvings
    low = _low_band(spectra, halvings - 1) * np.float32(0.25 ** (halvings - 1))
    narrow: Spectra = low[:, None] * _low_band(waves, halvings - 1)
    return narrow, 1


def _coarsen(spectrum: Spectra, halvings: int) -> Spectra:
    """The spectrum of every 2^halvings-th pixel: its parts folded on one another."""
    for _ in range(halvings):
        half = spectrum.shape[-1] // 2
        spectrum = spectrum[..., :half, :] + spectrum[..., half:, :]
        spectrum = (spectrum[..., :half] + spectrum[..., half:]) * np.float32(0.25)
    return spectrum


def _low_band(spectra: NDArray[Any], halvings: int) -> NDArray[Any]:
    """The low frequencies alone, as they are on a picture halved `halvings` times."""
    if halvings == 0:
        return spectra
    side = spectra.shape[-1]
    half = side >> halvings + 1
    kept = np.r_[0:half, side - half : side]
    return spectra[..., kept[:, None], kept]
