"""Images become vectors that hardly mind a shift and tell things apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.images import image_features
from askless.features.patches import patch_dictionary
from askless.features.pictures import SIDE, as_pictures
from askless.features.scattering import scattering


def bars(n: int = 60, seed: int = 0) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Pictures of one bar each, upright or lying, somewhere."""
    rng = np.random.default_rng(seed)
    images = np.zeros((n, 28, 28), np.uint8)
    upright = np.arange(n) % 2 == 0
    for image, up in zip(images, upright, strict=True):
        at, start = rng.integers(6, 20), rng.integers(2, 10)
        image[start : start + 16, at : at + 3] = 255
        if not up:
            image[:] = image.T.copy()
    return images, upright


@pytest.mark.parametrize("shape", [(2, 8, 8), (2, 28, 28), (2, 32, 32), (2, 90, 40, 3)])
def test_pictures_of_any_size_become_alike(shape: tuple[int, ...]) -> None:
    pictures = as_pictures(np.full(shape, 255, np.uint8))
    assert pictures.shape == (2, shape[3] if len(shape) == 4 else 1, SIDE, SIDE)
    assert np.allclose(pictures, 1.0, atol=1e-5)


def test_what_is_no_stack_of_images_is_refused() -> None:
    with pytest.raises(InvalidInput, match="height, width"):
        as_pictures(np.zeros((3, 4)))


@pytest.mark.parametrize(("depth", "channels"), [(2, 81), (3, 217)])
def test_scattering_has_a_channel_for_every_path(depth: int, channels: int) -> None:
    pictures = np.random.default_rng(0).random((2, 1, 32, 32)).astype(np.float32)
    assert scattering(pictures, depth).shape == (2, channels, 32 >> depth, 32 >> depth)


def test_scattering_hears_no_wave_in_a_flat_picture() -> None:
    found = scattering(np.full((1, 1, 32, 32), 0.7, np.float32), 3)
    assert np.allclose(found[:, 0], 0.7, atol=1e-4)
    assert np.allclose(found[:, 1:], 0.0, atol=1e-4)


def test_scattering_minds_a_shift_less_than_another_picture() -> None:
    images, upright = bars()
    pictures = as_pictures(images)
    moved = np.roll(pictures, 1, axis=3)
    still, after = scattering(pictures, 3), scattering(moved, 3)
    shift = np.linalg.norm((still - after).reshape(60, -1), axis=1).mean()
    turned = np.linalg.norm((still[upright] - still[~upright]).reshape(30, -1), axis=1).mean()
    assert shift < 0.5 * turned


def test_patches_describe_any_picture_by_the_dictionary_of_the_pool() -> None:
    pictures = as_pictures(bars()[0])
    describe = patch_dictionary(pictures, words=16)
    found = describe(pictures[:3])
    assert found.shape == (3, 32, 4, 4)
    assert np.array_equal(found, patch_dictionary(pictures, words=16)(pictures[:3]))


def test_image_features_bring_like_pictures_together() -> None:
    images, upright = bars()
    x = image_features(images)
    distances = np.linalg.norm(x[:, None] - x, axis=-1)
    np.fill_diagonal(distances, np.inf)
    assert np.mean(upright[distances.argmin(1)] == upright) > 0.95
    assert image_features(images[:0]).shape[0] == 0
