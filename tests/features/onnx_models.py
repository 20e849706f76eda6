"""Small random encoders as ONNX files, in the folders and with the inputs that real ones have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "photo", "of", "cat", "dog", "good", "bad", "day")
WIDTH = 8
CLIP = {
    "do_resize": True, "size": {"shortest_edge": 16}, "do_center_crop": True,
    "crop_size": {"height": 16, "width": 16}, "resample": 3, "do_rescale": True,
    "rescale_factor": 1 / 255, "do_normalize": True, "image_mean": [0.48, 0.46, 0.41],
    "image_std": [0.27, 0.26, 0.28],
}  # fmt: skip
SIGLIP = {
    "do_resize": True, "size": {"height": 16, "width": 16}, "resample": 3, "do_rescale": True,
    "rescale_factor": 1 / 255, "do_normalize": True, "image_mean": [0.5] * 3,
    "image_std": [0.5] * 3,
}  # fmt: skip
_RNG = np.random.default_rng(0)
PATCH: NDArray[np.float32] = _RNG.normal(size=(WIDTH, 3, 8, 8)).astype(np.float32)
TABLE: NDArray[np.float32] = _RNG.normal(size=(len(WORDS), WIDTH)).astype(np.float32)


def vision_model(
    path: Path, outputs: tuple[str, ...] = ("last_hidden_state", "pooler_output")
) -> Path:
    """A ViT without its blocks: patches, a token of the whole first, and its projection."""
    nodes = [
        helper.make_node("Conv", ["pixel_values", "patch"], ["grid"], strides=[8, 8]),
        helper.make_node("Reshape", ["grid", "flat"], ["columns"]),
        helper.make_node("Transpose", ["columns"], ["patches"], perm=[0, 2, 1]),
        helper.make_node("ReduceMean", ["patches", "axis"], ["whole"], keepdims=1),
        helper.make_node("Concat", ["whole", "patches"], ["last_hidden_state"], axis=1),
        helper.make_node("Squeeze", ["whole", "axis"], ["image"]),
        *(
            helper.make_node("Identity", ["image"], [name])
            for name in outputs
            if name != "last_hidden_state"
        ),
    ]
    pixels = helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["n", 3, "h", "w"])
    return _save(path, nodes, [pixels], outputs, {"patch": PATCH, **_SHAPES})


def text_model(
    path: Path,
    outputs: tuple[str, ...] = ("last_hidden_state",),
    inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids"),
    length: int | str = "tokens",
    beside: tuple[int | str, ...] | None = None,
) -> Path:
    """A bag of tokens: their vectors, and the first of them; `beside` is one more input's shape."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"]),
        helper.make_node("Gather", ["last_hidden_state", "zero"], ["first"], axis=1),
        *(
            helper.make_node("Identity", ["first"], [name])
            for name in outputs
            if name != "last_hidden_state"
        ),
    ]
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["n", length]) for n in inputs]
    if beside is not None:
        given.append(helper.make_tensor_value_info("beside", TensorProto.FLOAT, beside))
    weights = {"table": TABLE, "zero": np.array(0, np.int64)}
    return _save(path, nodes, given, outputs, weights)


def tokenizer(folder: Path, **settings: Any) -> None:
    """Words between marks, as BERT has them."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    made = Tokenizer(models.WordLevel({w: at for at, w in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    folder.mkdir(parents=True, exist_ok=True)
    made.save(str(folder / "tokenizer.json"))
    write(
        folder / "tokenizer_config.json", {"pad_token": "[PAD]", "model_max_length": 6} | settings
    )


def write(path: Path, value: Any) -> None:
    """JSON in a file, its folder made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


_SHAPES = {"flat": np.array([0, 0, -1], np.int64), "axis": np.array([1], np.int64)}


def _save(path: Path, nodes: Any, given: Any, outputs: Any, weights: dict[str, Any]) -> Path:
    shapes: dict[str, Any] = {"last_hidden_state": ["n", "tokens", WIDTH]}
    made = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes.get(name, ["n", WIDTH]))
        for name in outputs
    ]
    tensors = [numpy_helper.from_array(values, name) for name, values in weights.items()]
    graph = helper.make_graph(nodes, "encoder", given, made, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.SerializeToString())
    return path
