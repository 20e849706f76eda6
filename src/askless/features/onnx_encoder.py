"""Pictures or texts through any encoder given as an ONNX file: strong features without torch.

    --features onnx --feature-option onnx.model=siglip-base/

`model` is a folder as such encoders are published in, or the file in it. Its preprocessing is read
from the files beside it (`askless.features._encoder_files`). Of a pair, as CLIP and SigLIP have,
pictures go through ``vision_model.onnx`` and sentences through ``text_model.onnx``; one file may
hold both. The features are the vectors the encoder was trained to compare, at unit length.

The file is run by onnxruntime on the processor: a graph of known operations, without code of its
own. Its checksum is part of the key in the cache. Cost: the encoder's, some 50 ms a picture for a
ViT-B/32 on one thread. Nothing is fetched. Tested in tests/features/test_onnx_encoder.py.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features._checksum import checksum_of_files
from askless.features._encoder_files import MOST_TOKENS, TextSteps, picture_steps, text_steps
from askless.features._torch import lacking
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.prompted import Prompted
from askless.features.reduction import unit_rows
from askless.features.text import read
from askless.features.thumbnails import seen
from askless.seams import Pool, PoolKind

_FILES: Final[Mapping[PoolKind, tuple[str, ...]]] = {
    "images": ("vision_model.onnx", "visual.onnx", "image_encoder.onnx", "model.onnx"),
    "texts": ("text_model.onnx", "textual.onnx", "text_encoder.onnx", "model.onnx"),
}
_OUTPUTS: Final[Mapping[PoolKind, tuple[str, ...]]] = {
    "images": ("image_embeds", "image_features", "pooler_output"),
    "texts": ("text_embeds", "text_features", "sentence_embedding"),
}
_TOKENS: Final = ("last_hidden_state", "token_embeddings")
_INNER: Final = "onnx"
"""The subfolder that many models keep their ONNX files in."""
_AT_ONCE: Final = 32
_MOST_BLANK: Final = 2**24
_DTYPES: Final = {"tensor(float16)": np.float16, "tensor(int32)": np.int32}

Describe = Callable[[list[Any]], NDArray[np.float32]]


@dataclass(kw_only=True)
class OnnxEncoder(Prompted):
    """An encoder in an ONNX file.

    Parameters
    ----------
    model
        Its folder, or the file.
    text_model
        The file that reads sentences, for a prompt, where it is not beside `model` under a usual
        name; None to find it there.
    prompt, negative_prompt
        As in `askless.features.prompted.Prompted`.
    """

    model: Path | None = None
    text_model: Path | None = None

    kind = ("images", "texts")
    version = 1
    row_by_row = True
    cost_ms = 40.0

    def __post_init__(self) -> None:
        self.check_prompts()
        if self.model is None:
            raise InvalidInput(
                "The feature set 'onnx' runs an encoder that you have; say where its folder or "
                "file is with the option model, on the command line --feature-option "
                "onnx.model=PATH."
            )

    @property
    def where(self) -> Path:
        """The model's folder or file, which was given."""
        assert self.model is not None
        return self.model

    def lacks(self) -> str | None:
        """The packages, or the model."""
        for path in (self.where, self.text_model):
            if path is not None and not path.exists():
                return f"An encoder is a folder or an ONNX file; there is none at {path}."
        needs = {"onnxruntime": "onnxruntime", "tokenizers": "tokenizers"}
        return lacking("The feature set 'onnx'", needs, "askless[onnx]")

    def misfit(self, pool: Pool) -> str | None:
        """Files that are not beside the model."""
        try:
            self._file(pool.kind)
            _steps(pool.kind, self._beside(self.where))
            if self.prompt is not None:
                text_steps(self._beside(self._text_file()))
        except InvalidInput as error:
            return str(error)
        return super().misfit(pool)

    def about(self) -> Mapping[str, Any]:
        """The encoder by the content of its files; a prompt changes no feature."""
        folder = self._beside(self.where)
        found = (path for each in (".", _INNER, "1_Pooling") for path in (folder / each).glob("*"))
        tells = {
            path
            for path in found
            if path.is_file() and (path.suffix in (".json", ".data") or ".onnx" in path.name)
        }
        named = "" if self.where.is_dir() else self.where.name
        return {"model": checksum_of_files(folder, tells), "file": named}

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        if not len(pool):
            return []
        describe, side = self._encoder(pool.kind, self._file(pool.kind))

        def some(start: int, stop: int) -> NDArray[np.float32]:
            parts = []
            for at in range(start, stop, _AT_ONCE):
                items = range(at, min(at + _AT_ONCE, stop))
                given = [_item(pool, item, side) for item in items]
                parts.append(describe(given))
            return unit_rows(np.concatenate(parts))

        return work.blocks(len(pool), some)

    def describe_sentences(self, sentences: list[str]) -> NDArray[np.float32]:
        """Sentences through the half that reads."""
        return self._encoder("texts", self._text_file())[0](sentences)

    def _text_file(self) -> Path:
        return self.text_model or self._file("texts")

    def _beside(self, path: Path) -> Path:
        """The folder with what is told about a file."""
        folder = path if path.is_dir() else path.parent
        return folder.parent if folder.name == _INNER else folder

    def _file(self, kind: PoolKind) -> Path:
        """The ONNX file for such items."""
        pair = self.where.name in _FILES["images"][:-1] + _FILES["texts"][:-1]
        if self.where.is_file() and not (pair and self.where.name not in _FILES[kind]):
            return self.where
        folder = self.where if self.where.is_dir() else self.where.parent
        folders = (folder, folder / _INNER)
        for name in _FILES[kind]:
            for each in folders:
                if (each / name).is_file():
                    return each / name
        found = sorted(path for each in folders for path in each.glob("*.onnx"))
        if len(found) == 1:
            return found[0]
        told = ", ".join(path.name for path in found[:10]) or "no file that ends in .onnx"
        raise InvalidInput(
            f"An encoder of {kind} is one of {', '.join(_FILES[kind])}, or the only ONNX file in "
            f"its folder; {folder} has {told}. Name the file."
        )

    def _encoder(self, kind: PoolKind, path: Path) -> tuple[Describe, int]:
        """What describes pictures or texts; and how large a picture need be."""
        steps = _steps(kind, self._beside(path))
        runs = _Graph(path)
        if isinstance(steps, TextSteps):
            return lambda texts: runs.texts(texts, steps), 0
        return lambda pictures: runs.pictures(steps.apply(pictures)), 2 * steps.side


class _Graph:
    """An ONNX file, ready to run."""

    def __init__(self, path: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        threads = os.environ.get("OMP_NUM_THREADS", "")
        options.intra_op_num_threads = int(threads) if threads.isdecimal() else 0
        self._path = path
        try:
            self._run = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # whatever onnxruntime raises about a file
            raise self._wrong(error) from error
        self._inputs = {each.name: each for each in self._run.get_inputs()}
        self._outputs = [each.name for each in self._run.get_outputs()]

    def pictures(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The vectors of pictures that are ready."""
        free = [n for n, each in self._inputs.items() if len(each.shape) == 4]
        if len(free) != 1:
            raise self._wrong("it takes no pictures")
        name = next((each for each in _OUTPUTS["images"] if each in self._outputs), None)
        found = self._compute(name or self._outputs[0], {free[0]: values})
        if found.ndim == 3:  # of tokens the first, that of the whole picture
            found = found[:, 0]
        return np.asarray(found.mean(axis=(2, 3)) if found.ndim == 4 else found)

    def texts(self, texts: list[str], steps: TextSteps) -> NDArray[np.float32]:
        """The vectors of texts."""
        if "input_ids" not in self._inputs:
            raise self._wrong("it takes no texts")
        length = self._inputs["input_ids"].shape[-1]
        if isinstance(length, int) and length > MOST_TOKENS:
            raise self._wrong(f"it takes texts of {length:,} tokens; {MOST_TOKENS:,} are the most")
        masked = "attention_mask" in self._inputs
        fixed = length if isinstance(length, int) else None if masked else steps.length
        given = steps.apply(texts, whole=fixed)
        feeds = {name: values for name, values in given.items() if name in self._inputs}
        name = next((each for each in _OUTPUTS["texts"] if each in self._outputs), None)
        tokens = next((each for each in _TOKENS if each in self._outputs), None)
        if name is None and tokens is not None and (masked or steps.pooling):
            found = self._compute(tokens, feeds)
            return _pooled(found, given["attention_mask"], steps.pooling or "mean")
        if name is None:
            name = "pooler_output" if "pooler_output" in self._outputs else self._outputs[0]
        found = self._compute(name, feeds)
        return _pooled(found, given["attention_mask"], "mean") if found.ndim == 3 else found

    def _compute(self, output: str, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        try:
            ready = {
                name: values.astype(_DTYPES.get(self._inputs[name].type, values.dtype))
                for name, values in feeds.items()
            }
            ready |= {name: self._blank(name) for name in self._inputs if name not in feeds}
            return np.asarray(self._run.run([output], ready)[0], np.float32)
        except InvalidInput:
            raise
        except Exception as error:  # whatever onnxruntime raises about shapes
            raise self._wrong(error) from error

    def _blank(self, name: str) -> NDArray[Any]:
        """For the other half of a file that holds both: one blank picture, or a text of a token."""
        wanted = self._inputs[name]
        usual = (1, 3, 224, 224) if len(wanted.shape) == 4 else (1,) * len(wanted.shape)
        shape = [n if isinstance(n, int) else m for n, m in zip(wanted.shape, usual, strict=True)]
        if math.prod(shape) > _MOST_BLANK:
            raise self._wrong(f"it takes an input of the shape {tuple(shape)}")
        kind = np.float32 if "float" in wanted.type else np.int64
        return np.ones(shape, _DTYPES.get(wanted.type, kind))

    def _wrong(self, error: object) -> InvalidInput:
        said = " ".join(str(error).split())[:300]
        return InvalidInput(
            f"{self._path} must be an encoder as an ONNX file, with its preprocessing beside it; "
            f"got: {said}."
        )


def _steps(kind: PoolKind, folder: Path) -> Any:
    return picture_steps(folder) if kind == "images" else text_steps(folder)


def _item(pool: Pool, item: int, side: int) -> Any:
    return seen(pool, item, side) if pool.kind == "images" else read(pool, item)


def _pooled(tokens: NDArray[np.float32], mask: NDArray[np.int64], how: str) -> NDArray[np.float32]:
    """One vector of the tokens of each text."""
    if how == "cls":
        return tokens[:, 0]
    there = mask[..., None].astype(np.float32)
    if how == "max":
        return np.asarray(np.where(there > 0, tokens, -np.inf).max(axis=1), np.float32)
    if how == "last":
        last = mask.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)
        return np.asarray(tokens[np.arange(len(tokens)), last])
    return np.asarray((tokens * there).sum(1) / np.maximum(there.sum(1), 1), np.float32)
