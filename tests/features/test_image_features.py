"""Images become vectors that hardly mind a shift and tell things apart."""

from __future__ import annotations

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.features import make_features
from askless.features.scattering import scattering
from askless.features.thumbnails import SIDE, as_pictures
from tests.features.small_pools import bars


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
    images = np.stack(bars().pictures)
    upright = np.arange(len(images)) % 2 == 0
    pictures = as_pictures(images)
    moved = np.roll(pictures, 1, axis=3)
    still, after = scattering(pictures, 3), scattering(moved, 3)
    shift = np.linalg.norm((still - after).reshape(60, -1), axis=1).mean()
    turned = np.linalg.norm((still[upright] - still[~upright]).reshape(30, -1), axis=1).mean()
    assert shift < 0.5 * turned


@pytest.mark.parametrize("name", ["scattering", "scattering-fine", "patches"])
def test_like_pictures_come_together(name: str) -> None:
    pool = bars()
    x = make_features(pool, [name])[name]
    distances = np.linalg.norm(x[:, None] - x, axis=-1)
    np.fill_diagonal(distances, np.inf)
    kind = np.arange(len(pool)) % 2
    assert np.mean(kind[distances.argmin(1)] == kind) > 0.9
