"""The network of the paper, and what a refuted guess costs it.

ResNet18 (He et al. 2016) as it is for large photographs, only without the max-pooling after the
first convolution, since the pictures here are small (Sec. 4 of the paper and its appendix): four
stages of two blocks with 64, 128, 256 and 512 channels, one logit at the end. `width` scales
the channels, for tests and slow machines.

A refuted guess says that its labels are not all right. With s_i = +1 for the guess True and -1
for False, z_i the logits and P = prod_i sigmoid(s_i z_i), its loss is the cross-entropy of a no:

    -log(1 - P) = -log(1 - exp(-a)),   a = sum_i softplus(-s_i z_i)

which stays finite, with a useful slope, when the network is quite sure of all of them.
Needs torch, from the first call on. Tested in tests/predictors/test_network.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from torch import Tensor, nn

_BLOCKS: Final = 2  # in every stage
_LEAST: Final = 1e-6  # so that log(1 - P) is finite


def resnet18(channels: int, width: int, seed: int) -> nn.Sequential:
    """The network, its weights drawn afresh; pictures (n, channels, h, w) become logits (n, 1).

    Parameters
    ----------
    channels
        Of the pictures.
    width
        Channels of the first stage; 64 in the paper.
    seed
        Fixes the weights, and leaves torch's own random numbers as they were.
    """
    import torch
    from torch import nn

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers: list[nn.Module] = [
            nn.Conv2d(channels, width, 7, stride=2, padding=3, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
        ]
        before = width
        for stage in range(4):
            after = width * 2**stage
            for block in range(_BLOCKS):
                layers.append(_block(before, after, 2 if stage and not block else 1))
                before = after
        layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 1)]
        network = nn.Sequential(*layers)
        for part in network.modules():
            if isinstance(part, nn.Conv2d):
                nn.init.kaiming_normal_(part.weight, mode="fan_out", nonlinearity="relu")
                # The order in which GPUs convolve fastest.
                last = part.weight.data.contiguous(memory_format=torch.channels_last)
                part.weight.data = last
    return network


def wrong_guess_loss(logits: Tensor, signs: Tensor, clause: Tensor, clauses: int) -> Tensor:
    """The summed loss of refuted guesses.

    Parameters
    ----------
    logits
        Of every item of every guess, one after the other.
    signs
        +1 where the guess is True, -1 where it is False.
    clause
        Which guess each stands in, from 0.
    clauses
        How many guesses there are.
    """
    import torch
    from torch.nn import functional

    doubt = functional.softplus(-signs * logits)
    # A product with a matrix of zeros and ones adds up in the same order every time.
    holds = clause == torch.arange(clauses, device=clause.device)[:, None]
    surprise = holds.to(doubt.dtype) @ doubt
    return -torch.log(-torch.expm1(-surprise - _LEAST)).sum()


def _block(before: int, after: int, stride: int) -> nn.Module:
    """Two convolutions around which the input is carried, shrunk if need be."""
    from torch import nn

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.around = nn.Sequential(
                nn.Conv2d(before, after, 3, stride=stride, padding=1, bias=False),
                nn.BatchNorm2d(after),
                nn.ReLU(inplace=True),
                nn.Conv2d(after, after, 3, padding=1, bias=False),
                nn.BatchNorm2d(after),
            )
            self.carry = nn.Sequential()
            if stride != 1 or before != after:
                self.carry = nn.Sequential(
                    nn.Conv2d(before, after, 1, stride=stride, bias=False), nn.BatchNorm2d(after)
                )
            self.ramp = nn.ReLU(inplace=True)

        def forward(self, x: Tensor) -> Tensor:
            y: Tensor = self.ramp(self.around(x) + self.carry(x))
            return y

    return Block()
