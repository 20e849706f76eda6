"""ResNet18 for small pictures (He et al. 2016): first a 3 x 3 convolution, and no pooling early on.

Gives 512 numbers a picture, the mean of the last layer over its places. Torch is loaded on
first use.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from torch import nn

WIDTH: Final = 512
_STAGES: Final = ((64, 1), (128, 2), (256, 2), (512, 2))


def small_resnet(colours: int) -> nn.Module:
    """A fresh network for pictures of so many colours, shape (n, colours, side, side)."""
    import torch
    from torch import nn

    class Block(nn.Module):
        """Two convolutions, and the way around them."""

        def __init__(self, narrow: int, wide: int, stride: int) -> None:
            super().__init__()
            self.body = nn.Sequential(
                nn.Conv2d(narrow, wide, 3, stride, 1, bias=False),
                nn.BatchNorm2d(wide),
                nn.ReLU(inplace=True),
                nn.Conv2d(wide, wide, 3, 1, 1, bias=False),
                nn.BatchNorm2d(wide),
            )
            self.around: nn.Module = nn.Identity()
            if stride > 1 or narrow != wide:
                shortcut = nn.Conv2d(narrow, wide, 1, stride, bias=False)
                self.around = nn.Sequential(shortcut, nn.BatchNorm2d(wide))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(self.body(x) + self.around(x))

    layers: list[nn.Module] = [
        nn.Conv2d(colours, 64, 3, 1, 1, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(inplace=True),
    ]
    width = 64
    for wide, stride in _STAGES:
        layers += [Block(width, wide, stride), Block(wide, wide, 1)]
        width = wide
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten())
