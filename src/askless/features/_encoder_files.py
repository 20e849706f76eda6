"""What lies beside the ONNX file of an encoder: how pictures and texts are made ready for it.

A picture goes through the steps of ``preprocessor_config.json``: resize, crop, rescale,
normalise. A text goes through ``tokenizer.json``, is cut at the length of
``sentence_bert_config.json`` or ``tokenizer_config.json``, and its tokens are pooled as
``1_Pooling/config.json`` says. These are the layouts that CLIP, SigLIP, DINOv2, gte and mpnet are
published in. Files are bounded and checked; nothing in them is run. Used by
`askless.features.onnx_encoder`; tested in tests/features/test_onnx_encoder.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

MOST_SIDE: Final = 1024
MOST_TOKENS: Final = 8192
_LONGEST: Final = 16  # times the shorter side
_MOST_BYTES: Final = 1 << 27  # of a configuration or a vocabulary
_POOLING: Final = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
}
_MODULES: Final = ("Transformer", "Pooling", "Normalize")


@dataclass(frozen=True, slots=True)
class PictureSteps:
    """How a picture is made ready, step by step.

    Parameters
    ----------
    resize
        Height and width; one number for the shorter side; None to leave it.
    crop
        Height and width of the middle that is kept; None for all.
    resample
        Pillow's number of the way to resize.
    scale
        What values from 0 to 255 are multiplied by.
    mean, deviation
        By channel.
    """

    resize: tuple[int, int] | int | None
    crop: tuple[int, int] | None
    resample: int
    scale: float
    mean: tuple[float, ...]
    deviation: tuple[float, ...]

    @property
    def side(self) -> int:
        """A picture need not be larger than this."""
        sizes = [self.resize, self.crop]
        flat = [n for size in sizes for n in (size if isinstance(size, tuple) else (size or 0,))]
        return max(flat) or MOST_SIDE

    def apply(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """Pictures as the encoder takes them, shape (n, 3, height, width)."""
        return np.stack([self._one(picture) for picture in pictures])

    def _one(self, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
        from PIL import Image

        shown = Image.fromarray(picture)
        if self.resize is not None:
            shown = shown.resize(self._size(shown.width, shown.height), self.resample)
        if self.crop is not None:
            high, wide = self.crop
            left, top = (shown.width - wide) // 2, (shown.height - high) // 2
            shown = shown.crop((left, top, left + wide, top + high))
        values = np.asarray(shown, np.float32) * np.float32(self.scale)
        values = (values - np.array(self.mean, "f4")) / np.array(self.deviation, "f4")
        return np.asarray(values.transpose(2, 0, 1), np.float32)

    def _size(self, width: int, height: int) -> tuple[int, int]:
        """Width and height after resizing."""
        if isinstance(self.resize, tuple):
            return self.resize[1], self.resize[0]
        assert self.resize is not None
        shorter = min(width, height)
        # The longer side is cut off soon, so a very long one need not be made.
        most = self.resize * _LONGEST
        return (
            min(most, int(self.resize * width / shorter)),
            min(most, int(self.resize * height / shorter)),
        )


@dataclass(frozen=True, eq=False, slots=True)
class TextSteps:
    """How a text becomes tokens, and tokens of a text one vector.

    Parameters
    ----------
    tokenizer
        Of the library ``tokenizers``.
    length
        Where a text is cut, in tokens.
    pooling
        ``cls``, ``mean``, ``max`` or ``last``; None if nothing says so.
    """

    tokenizer: Any
    length: int
    pooling: str | None

    def apply(self, texts: Sequence[str], *, whole: int | None) -> dict[str, NDArray[np.int64]]:
        """Tokens, the mask of those that are some, and their types; padded to one length.

        Parameters
        ----------
        texts
            What is read.
        whole
            The length to pad to; None for the longest of these.
        """
        self.tokenizer.enable_truncation(whole or self.length)
        padding = dict(self.tokenizer.padding or {})
        known = {key: padding[key] for key in ("pad_id", "pad_token") if key in padding}
        self.tokenizer.enable_padding(**known, length=whole)
        read = self.tokenizer.encode_batch(list(texts))
        return {
            "input_ids": np.array([one.ids for one in read], np.int64),
            "attention_mask": np.array([one.attention_mask for one in read], np.int64),
            "token_type_ids": np.array([one.type_ids for one in read], np.int64),
        }


def picture_steps(folder: Path) -> PictureSteps:
    """What ``preprocessor_config.json`` in a folder says.

    Raises
    ------
    InvalidInput
        There is none, or it asks for steps that are not known here.
    """
    path = folder / "preprocessor_config.json"
    said: Any = read_json(path) if path.is_file() else {}
    if not said and (folder / "processor_config.json").is_file():
        path = folder / "processor_config.json"
        said = read_json(path).get("image_processor", {})
    if not isinstance(said, dict) or not said:
        raise InvalidInput(
            f"How an encoder of pictures sees is told by preprocessor_config.json beside it; there "
            f"is none in {folder}. It is published with the encoder."
        )
    try:
        scale = float(said.get("rescale_factor", 1 / 255)) if said.get("do_rescale", True) else 1.0
        normal = bool(said.get("do_normalize", "image_mean" in said))
        mean = tuple(map(float, said["image_mean"])) if normal else (0.0,) * 3
        deviation = tuple(map(float, said["image_std"])) if normal else (1.0,) * 3
        resample = int(said.get("resample", 3))
        resize = _size(said.get("size")) if said.get("do_resize", True) else None
        crop = _size(said.get("crop_size")) if said.get("do_center_crop", False) else None
        if isinstance(crop, int):
            crop = (crop, crop)
        if isinstance(said.get("size"), int) and crop is None and resize is not None:
            resize = (int(said["size"]), int(said["size"]))
        numbers = np.array([scale, *mean, *deviation])
        sound = np.isfinite(numbers).all() and min(deviation) > 0 and 0 <= resample <= 5
        if len(mean) != 3 or len(deviation) != 3 or not sound:
            raise ValueError("mean and deviation are three numbers each")
        if crop is None and not isinstance(resize, tuple):
            raise ValueError("pictures come out in one size")
        return PictureSteps(resize, crop, resample, scale, mean, deviation)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InvalidInput(
            f"{path} must say how pictures are resized, cropped and normalised, in the way of "
            f"CLIP, SigLIP or DINOv2; got: {type(error).__name__}: {error}."
        ) from error


def text_steps(folder: Path) -> TextSteps:
    """What the files of a text encoder in a folder say.

    Raises
    ------
    InvalidInput
        There is no ``tokenizer.json``, or a file asks for what is not known here.
    """
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    if not path.is_file():
        raise InvalidInput(
            f"How an encoder of texts reads is told by tokenizer.json beside it; there is none in "
            f"{folder}. It is published with the encoder."
        )
    try:
        tokenizer = Tokenizer.from_str(_read(path))
    except Exception as error:  # whatever the library raises about a file
        raise InvalidInput(f"{path} must describe a tokenizer; got: {error}.") from error
    settings = _json_if_there(folder / "tokenizer_config.json")
    pad = settings.get("pad_token")
    pad = pad.get("content") if isinstance(pad, dict) else pad
    if tokenizer.padding is None and isinstance(pad, str):
        number = tokenizer.token_to_id(pad)
        if number is not None:
            tokenizer.enable_padding(pad_id=number, pad_token=pad)
    lengths = [
        _json_if_there(folder / "sentence_bert_config.json").get("max_seq_length"),
        settings.get("model_max_length"),
        (tokenizer.truncation or {}).get("max_length"),
    ]
    known = [n for n in lengths if isinstance(n, int | float) and 1 <= n <= 10 * MOST_TOKENS]
    return TextSteps(tokenizer, min(MOST_TOKENS, int(known[0]) if known else 512), _pooling(folder))


def read_json(path: Path) -> dict[str, Any]:
    """An object in a JSON file."""
    try:
        found = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} must be JSON; got: {error}.") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{path} must hold a JSON object; got {type(found).__name__}.")
    return found


def _json_if_there(path: Path) -> dict[str, Any]:
    return read_json(path) if path.is_file() else {}


def _read(path: Path) -> str:
    if path.stat().st_size > _MOST_BYTES:
        raise InvalidInput(f"{path} must have at most {_MOST_BYTES:,} bytes; it has more.")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error


def _pooling(folder: Path) -> str | None:
    modules = folder / "modules.json"
    if modules.is_file():
        try:
            kinds = [str(one["type"]).rpartition(".")[2] for one in json.loads(_read(modules))]
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidInput(f"{modules} must list modules; got: {error}.") from error
        if other := [kind for kind in kinds if kind not in _MODULES]:
            raise InvalidInput(
                f"A sentence encoder is a transformer whose tokens are pooled; {modules} adds "
                f"{other[0]!r:.60}, which is not known here. Export the encoder with it inside."
            )
    said = _json_if_there(folder / "1_Pooling" / "config.json")
    chosen = [name for name, on in said.items() if name.startswith("pooling_mode_") and on is True]
    if len(chosen) > 1 or any(name not in _POOLING for name in chosen):
        raise InvalidInput(
            f"Tokens are pooled in one way, {', '.join(_POOLING.values())}; "
            f"{folder / '1_Pooling'} asks for {', '.join(chosen)}."
        )
    return _POOLING[chosen[0]] if chosen else None


def _size(said: Any) -> tuple[int, int] | int | None:
    """A size as these files write it: a side, both sides, or the shorter one."""
    sides: Mapping[str, Any] = said if isinstance(said, Mapping) else {"shortest_edge": said}
    if "shortest_edge" in sides:
        shorter = int(sides["shortest_edge"])
        both = (shorter, shorter)
    else:
        shorter, both = 0, (int(sides["height"]), int(sides["width"]))
    if not all(1 <= side <= MOST_SIDE for side in both):
        raise ValueError(f"sides are 1 to {MOST_SIDE}")
    return shorter or both
