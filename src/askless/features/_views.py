"""Augmentations: random views of a picture that leave what it shows the same.

A view is cropped to between half and all of the area, turned, slanted and stretched a little; its
light is changed and a square of it hidden; colours are shifted or removed. It is never mirrored: a
mirrored letter is another letter, and where mirroring would do no harm, little is lost without it.
The same for every pool. A whole batch is transformed at once, on the device it is on.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from torch import Generator, Tensor

_LEAST_AREA: Final = 0.5
_STRETCH: Final = 0.2  # of the logarithm of the ratio of the sides
_TURN: Final = 0.26  # radians: 15 degrees
_SLANT: Final = 0.2
_LIGHT: Final = 0.4
_COLOUR: Final = 0.3
_NO_COLOUR: Final = 0.2  # how often colour is taken away
_HIDDEN: Final = 0.5  # how often a square is hidden
_LARGEST: Final = 0.4  # its side at most, as a share of the picture's


def look(pictures: Tensor, chance: Generator) -> Tensor:
    """One look at each picture.

    Parameters
    ----------
    pictures
        Shape (n, colours, side, side), from 0 to 1.
    chance
        Where randomness comes from, on the same device.
    """
    return _hide(_relight(_bend(pictures, chance), chance), chance)


def _draw(n: int, low: float, high: float, chance: Generator) -> Tensor:
    import torch

    return low + (high - low) * torch.rand(n, generator=chance, device=chance.device)


def _bend(pictures: Tensor, chance: Generator) -> Tensor:
    import torch
    from torch.nn import functional

    n = len(pictures)
    size = _draw(n, _LEAST_AREA, 1.0, chance).sqrt()
    ratio = _draw(n, -_STRETCH, _STRETCH, chance).exp().sqrt()
    wide, high = size * ratio, size / ratio
    turn, slant = _draw(n, -_TURN, _TURN, chance), _draw(n, -_SLANT, _SLANT, chance)
    right = (1 - wide).clamp(min=0) * _draw(n, -1, 1, chance)
    down = (1 - high).clamp(min=0) * _draw(n, -1, 1, chance)
    cos, sin = turn.cos(), turn.sin()
    first = torch.stack([wide * cos, high * (slant * cos - sin), right], dim=1)
    second = torch.stack([wide * sin, high * (slant * sin + cos), down], dim=1)
    grid = functional.affine_grid(
        torch.stack([first, second], dim=1), list(pictures.shape), align_corners=False
    )
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=False)


def _relight(pictures: Tensor, chance: Generator) -> Tensor:
    import torch

    n, colours = pictures.shape[:2]
    middle = pictures.mean((1, 2, 3), keepdim=True)
    contrast = _draw(n, 1 - _LIGHT, 1 + _LIGHT, chance).view(n, 1, 1, 1)
    light = _draw(n, 1 - _LIGHT, 1 + _LIGHT, chance).view(n, 1, 1, 1)
    pictures = ((pictures - middle) * contrast + middle) * light
    if colours == 1:
        return pictures
    # Colours are mixed by a matrix near the identity; grey stays grey, about.
    noise = torch.randn(n, colours, colours, generator=chance, device=chance.device)
    mixing = torch.eye(colours, device=chance.device) + _COLOUR / 2 * noise
    mixing = mixing / mixing.sum(2, keepdim=True).clamp(min=0.3)
    plain = torch.full((colours, colours), 1 / colours, device=chance.device)
    without = _draw(n, 0, 1, chance) < _NO_COLOUR
    mixing = torch.where(without.view(n, 1, 1), plain, mixing)
    return torch.einsum("nij,njhw->nihw", mixing, pictures)


def _hide(pictures: Tensor, chance: Generator) -> Tensor:
    import torch

    n, _, _, side = pictures.shape
    half = side * _LARGEST / 2 * _draw(n, 0.4, 1.0, chance)
    half = torch.where(_draw(n, 0, 1, chance) < _HIDDEN, half, torch.zeros_like(half))
    places = torch.arange(side, device=chance.device) + 0.5
    down = (places - _draw(n, 0, side, chance)[:, None]).abs() < half[:, None]
    across = (places - _draw(n, 0, side, chance)[:, None]).abs() < half[:, None]
    hidden = (down[:, :, None] & across[:, None, :])[:, None]
    return torch.where(hidden, pictures.mean((2, 3), keepdim=True), pictures)
