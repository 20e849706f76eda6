"""ResNet18 (He et al. 2016), the one network that a predictor and a feature set share.

Also known as a residual network: four stages of two blocks with 64, 128, 256 and 512 channels, and
around each block a shortcut. Not to be confused with the ResNet18 of torchvision, which pools
after the stem; the pictures here are small. The stem is a choice: 7 x 7 with stride 2, as for
photographs (`askless.predictors.network`, the paper), or 3 x 3 with stride 1, which keeps
every pixel (`askless.features.self_supervised`).

Loads torch on the first call. Stands below predictors and features, both of which import it.
Tested in tests/test_resnet.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from torch import Tensor, nn

WIDTH: Final = 64
"""Channels of the first stage; the last has eight times as many."""

_STEMS: Final = {"7x7": (7, 2, 3), "3x3": (3, 1, 1)}  # size, stride and padding


def resnet18(channels: int, *, stem: Literal["7x7", "3x3"], width: int = WIDTH) -> list[nn.Module]:
    """The layers that turn pictures (n, channels, h, w) into features (n, 8 width).

    Parameters
    ----------
    channels
        Of the pictures.
    stem
        The first convolution.
    width
        Channels of the first stage; smaller for tests and slow machines.
    """
    from torch import nn

    size, stride, padding = _STEMS[stem]
    layers: list[nn.Module] = [
        nn.Conv2d(channels, width, size, stride, padding, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
    ]
    before = width
    for stage in range(4):
        after = width * 2**stage
        layers += [_block(before, after, 2 if stage else 1), _block(after, after, 1)]
        before = after
    return [*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten()]


def resnet18_classifier(channels: int, width: int, seed: int) -> nn.Sequential:
    """The paper's network with random weights; pictures become logits (n, 1).

    The seed fixes the weights and leaves torch's own random numbers as they were.
    """
    import torch
    from torch import nn

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        body = resnet18(channels, stem="7x7", width=width)
        network = nn.Sequential(*body, nn.Linear(8 * width, 1))
        for part in network.modules():
            if isinstance(part, nn.Conv2d):
                nn.init.kaiming_normal_(part.weight, mode="fan_out", nonlinearity="relu")
                # GPUs convolve fastest in this order.
                last = part.weight.data.contiguous(memory_format=torch.channels_last)
                part.weight.data = last
    return network


def _block(before: int, after: int, stride: int) -> nn.Module:
    """Two convolutions, and the shortcut around them."""
    from torch import nn

    class Block(nn.Module):
        # Stored checkpoints name the weights by `around` (the convolutions) and `carry` (the
        # shortcut).
        def __init__(self) -> None:
            super().__init__()
            self.around = nn.Sequential(
                nn.Conv2d(before, after, 3, stride, 1, bias=False),
                nn.BatchNorm2d(after),
                nn.ReLU(inplace=True),
                nn.Conv2d(after, after, 3, 1, 1, bias=False),
                nn.BatchNorm2d(after),
            )
            self.carry = nn.Sequential()
            if stride != 1 or before != after:
                self.carry = nn.Sequential(
                    nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after)
                )
            self.relu = nn.ReLU(inplace=True)

        def forward(self, x: Tensor) -> Tensor:
            y: Tensor = self.relu(self.around(x) + self.carry(x))
            return y

    return Block()
