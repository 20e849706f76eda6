"""Networks of timm and open_clip with weights from a file; nothing is fetched.

Both libraries are loaded on first use, and their weights are read without unpickling code.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final

from askless.errors import InvalidInput

if TYPE_CHECKING:
    from torch import Tensor

_MOST_LETTERS: Final = 160  # of what a library says; it may list every layer


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
        import_module(source)
    except Exception as error:  # whatever a library raises that does not fit the torch it finds
        raise InvalidInput(
            f"The backbone {name} needs {source}, which is installed here but does not load: "
            f"{_why(error)}. Install it again to fit the torch that is here, or name feature sets "
            "that do without it."
        ) from error

    def describe(images: Tensor) -> Tensor:
        with torch.inference_mode():
            said: Tensor = say((images.to(device).float() - centre) / scale)
            return said

    try:
        network, mean, deviation, wanted = _LOADERS[source](own, weights, side)
        network = network.eval().to(device)
        centre = 255 * torch.tensor(mean, device=device).view(1, 3, 1, 1)
        scale = 255 * torch.tensor(deviation, device=device).view(1, 3, 1, 1)
        say = network.encode_image if source == "open_clip" else network
        shown = side or wanted
        describe(torch.zeros(1, 3, shown, shown))  # some take pictures of certain sizes alone
    except Exception as error:  # whatever these libraries raise about a name, a file or a size
        size = "" if side is None else f" and take pictures of {side} x {side}"
        leave = "" if side is None else ", or leave side out"
        raise InvalidInput(
            f"The backbone {name} must be known to {source} and fit the weights in {weights}"
            f"{size}; got: {_why(error)}. Name another network, or the file of its weights{leave}."
        ) from error
    return describe, wanted


def _why(error: Exception) -> str:
    """What a library says, in one line that is not too long."""
    unpickling = isinstance(error, UnpicklingError) or isinstance(error.__cause__, UnpicklingError)
    if unpickling or "PytorchStreamReader" in str(error):
        # Torch says this at length, and advises to run whatever code is in the file.
        return "a file that is damaged, or holds something else than plain tensors"
    words = shorten(str(error), _MOST_LETTERS, placeholder=" and so on")
    return words.rstrip(".") or type(error).__name__


def _of_timm(name: str, weights: Path, side: int | None) -> tuple[Any, Any, Any, int]:
    timm = import_module("timm")
    network = timm.create_model(name, pretrained=False)
    tensors = import_module("timm.models").load_state_dict(str(weights), weights_only=True)
    last = network.pretrained_cfg.get("classifier") or ""
    classes = tensors.get(f"{last if isinstance(last, str) else last[0]}.weight")
    count = 0 if classes is None else len(classes)
    if count != network.num_classes:  # trained further, for other classes or none
        network.reset_classifier(count)
    network.load_state_dict(tensors)
    network.reset_classifier(0)
    if side is not None and hasattr(network, "set_input_size"):
        network.set_input_size(img_size=side)
    wants = import_module("timm.data").resolve_model_data_config(network)
    return network, wants["mean"], wants["std"], int(wants["input_size"][-1])


def _of_open_clip(name: str, weights: Path, side: int | None) -> tuple[Any, Any, Any, int]:
    open_clip = import_module("open_clip")
    if "hf_model_name" in ((open_clip.get_model_config(name) or {}).get("text_cfg") or {}):
        raise InvalidInput("one whose half for texts would be fetched from elsewhere")
    network = open_clip.create_model(
        name,
        pretrained=str(weights.resolve()),  # not a name for what would be fetched
        force_image_size=side,
        pretrained_text=False,
        weights_only=True,
    )
    size = network.visual.image_size
    wants = open_clip.get_model_preprocess_cfg(network)
    return network, wants["mean"], wants["std"], int(size if isinstance(size, int) else size[0])


_LOADERS = {"timm": _of_timm, "open_clip": _of_open_clip}
