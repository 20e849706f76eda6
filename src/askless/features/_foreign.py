"""Networks of timm and open_clip with weights from a file; nothing is fetched.

Both libraries are loaded on first use, and their weights are read without unpickling code.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askless.errors import InvalidInput

if TYPE_CHECKING:
    from torch import Tensor


def load_foreign(
    name: str, weights: Path, device: str, side: int | None
) -> tuple[Callable[[Tensor], Tensor], int]:
    """What describes images, whole numbers of shape (n, 3, side, side); and the side it wants.

    Parameters
    ----------
    name
        ``timm/NAME`` or ``open_clip/NAME``.
    weights
        The file: of torch, or safetensors.
    device
        Where torch is to work.
    side
        The size pictures will have; None for what the network was made for.
    """
    import torch

    source, _, own = name.partition("/")
    try:
        network, mean, deviation, wanted = _LOADERS[source](own, weights, side)
    except Exception as error:  # whatever these libraries raise about a name or a file
        raise InvalidInput(
            f"The backbone {name} must be known to {source} and fit the weights in {weights}; "
            f"got: {error}"
        ) from error
    network = network.eval().to(device)
    centre = 255 * torch.tensor(mean, device=device).view(1, 3, 1, 1)
    scale = 255 * torch.tensor(deviation, device=device).view(1, 3, 1, 1)
    say = network.encode_image if source == "open_clip" else network

    def describe(images: Tensor) -> Tensor:
        with torch.inference_mode():
            said: Tensor = say((images.to(device).float() - centre) / scale)
            return said

    return describe, wanted


def _of_timm(name: str, weights: Path, side: int | None) -> tuple[Any, Any, Any, int]:
    timm = import_module("timm")
    models = import_module("timm.models")
    network = timm.create_model(name, pretrained=False)
    models.load_checkpoint(network, str(weights), weights_only=True)
    network.reset_classifier(0)
    wants = import_module("timm.data").resolve_model_data_config(network)
    return network, wants["mean"], wants["std"], int(wants["input_size"][-1])


def _of_open_clip(name: str, weights: Path, side: int | None) -> tuple[Any, Any, Any, int]:
    open_clip = import_module("open_clip")
    network = open_clip.create_model(
        name,
        pretrained=str(weights),
        force_image_size=side,
        pretrained_text=False,
        weights_only=True,
    )
    size = network.visual.image_size
    wants = open_clip.get_model_preprocess_cfg(network)
    return network, wants["mean"], wants["std"], int(size if isinstance(size, int) else size[0])


_LOADERS = {"timm": _of_timm, "open_clip": _of_open_clip}
