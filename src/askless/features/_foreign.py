"""Networks of timm, open_clip and transformers with weights from files; nothing is fetched.

The libraries are loaded on first use, and weights are read without unpickling code. Those of
open_clip and of transformers like CLIP read sentences too.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features._encoder_files import picture_steps

if TYPE_CHECKING:
    from torch import Tensor

_MOST_LETTERS: Final = 160  # of what a library says; it may list every layer


@dataclass(frozen=True, eq=False, slots=True)
class Foreign:
    """A network that was loaded.

    Parameters
    ----------
    pictures
        Describes images, whole numbers of shape (n, 3, side, side).
    side
        The size of pictures it wants.
    sentences
        Describes sentences in the same space; None if it cannot.
    """

    pictures: Callable[[Tensor], Tensor]
    side: int
    sentences: Callable[[list[str]], NDArray[np.float32]] | None


@dataclass(frozen=True, eq=False, slots=True)
class _Loaded:
    """What a library gave: the network, its half for pictures, its mean, deviation and side."""

    network: Any
    pictures: Callable[[Tensor], Tensor]
    mean: Any
    deviation: Any
    side: int
    tokens: Callable[[list[str]], Any] | None = None
    sentences: Callable[[Any], Tensor] | None = None


def load_foreign(name: str, weights: Path, device: str, side: int | None) -> Foreign:
    """A network by its name, with its weights.

    Parameters
    ----------
    name
        ``timm/NAME``, ``open_clip/NAME`` or ``transformers``.
    weights
        The file: of torch, or safetensors; of transformers, the folder.
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
            return found.pictures((images.to(device).float() - centre) / scale)

    def read(sentences: list[str]) -> NDArray[np.float32]:
        assert found.tokens is not None
        assert found.sentences is not None
        with torch.inference_mode():
            said = found.sentences(found.tokens(sentences).to(device))
            return np.asarray(said.float().cpu().numpy(), np.float32)

    try:
        found = _LOADERS[source](own, weights, side)
        found.network.eval().to(device)
        centre = 255 * torch.tensor(found.mean, device=device).view(1, 3, 1, 1)
        scale = 255 * torch.tensor(found.deviation, device=device).view(1, 3, 1, 1)
        shown = side or found.side
        describe(torch.zeros(1, 3, shown, shown))  # some take pictures of certain sizes alone
    except Exception as error:  # whatever these libraries raise about a name, a file or a size
        size = "" if side is None else f" and take pictures of {side} x {side}"
        leave = "" if side is None else ", or leave side out"
        raise InvalidInput(
            f"The backbone {name} must be known to {source} and fit the weights in {weights}"
            f"{size}; got: {_why(error)}. Name another network, or the file of its weights{leave}."
        ) from error
    return Foreign(describe, found.side, None if found.tokens is None else read)


def _why(error: Exception) -> str:
    """What a library says, in one line that is not too long."""
    unpickling = isinstance(error, UnpicklingError) or isinstance(error.__cause__, UnpicklingError)
    if unpickling or "PytorchStreamReader" in str(error):
        # Torch says this at length, and advises to run whatever code is in the file.
        return "a file that is damaged, or holds something else than plain tensors"
    words = shorten(str(error), _MOST_LETTERS, placeholder=" and so on")
    return words.rstrip(".") or type(error).__name__


def _of_timm(name: str, weights: Path, side: int | None) -> _Loaded:
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
    return _Loaded(network, network, wants["mean"], wants["std"], int(wants["input_size"][-1]))


def _of_open_clip(name: str, weights: Path, side: int | None) -> _Loaded:
    open_clip = import_module("open_clip")
    half = (open_clip.get_model_config(name) or {}).get("text_cfg") or {}
    if "hf_model_name" in half:
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

    def tokens(sentences: list[str]) -> Any:
        if "hf_tokenizer_name" in half:
            raise InvalidInput(
                f"A prompt is read by a tokenizer that open_clip brings; that of {name} would be "
                "fetched. Name another network, or the encoder as ONNX files."
            )
        return open_clip.get_tokenizer(name)(sentences)

    return _Loaded(
        network,
        lambda images: network.encode_image(images),
        wants["mean"],
        wants["std"],
        int(size if isinstance(size, int) else size[0]),
        tokens,
        lambda read: network.encode_text(read),
    )


def _of_transformers(name: str, weights: Path, side: int | None) -> _Loaded:
    transformers = import_module("transformers")
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    folder = str(weights.resolve())
    network = transformers.AutoModel.from_pretrained(folder, use_safetensors=True, **local)
    if not hasattr(network, "get_image_features") or not hasattr(network, "get_text_features"):
        raise InvalidInput(f"{type(network).__name__}, which is not like CLIP")
    steps = picture_steps(weights)
    reader = transformers.AutoTokenizer.from_pretrained(folder, **local)

    def tokens(sentences: list[str]) -> Any:
        longest = int(network.config.text_config.max_position_embeddings)
        return reader(
            sentences, padding="max_length", truncation=True, max_length=longest,
            return_tensors="pt",
        )  # fmt: skip

    return _Loaded(
        network,
        lambda images: _vectors(
            network.get_image_features(
                pixel_values=images,
                **({} if side is None else {"interpolate_pos_encoding": True}),
            )
        ),
        steps.mean,
        steps.deviation,
        int(network.config.vision_config.image_size),
        tokens,
        lambda read: _vectors(network.get_text_features(**read)),
    )


def _vectors(said: Any) -> Tensor:
    """The vectors, which some versions wrap."""
    found: Tensor = getattr(said, "pooler_output", said)
    return found


_LOADERS = {"timm": _of_timm, "open_clip": _of_open_clip, "transformers": _of_transformers}
