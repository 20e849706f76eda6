"""Encoders as ONNX files: preprocessing from the files beside them, real graphs, no torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from askless.errors import InvalidInput
from askless.features import check_features, make_features, may_run_code
from askless.features.onnx_encoder import OnnxEncoder
from askless.pools import open_pool
from tests.features.onnx_models import (
    CLIP,
    PATCH,
    SIGLIP,
    TABLE,
    WORDS,
    text_model,
    tokenizer,
    vision_model,
    write,
)
from tests.web.services import pictures

TEXTS = ["good day", "a bad cat", "dog of a day and a photo of a cat"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def made(pool: Any, **options: Any) -> NDArray[np.float64]:
    check_features(pool, {"onnx": options})
    return np.asarray(make_features(pool, {"onnx": options})["onnx"], np.float64)


def refusal(pool: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as found:
        make_features(pool, {"onnx": options})
    return str(found.value)


def unit(rows: Any) -> Any:
    rows = np.asarray(rows, np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def seen(image: Image.Image, steps: dict[str, Any]) -> Any:
    """What the graph of `vision_model` says of a picture, worked out by hand."""
    if "shortest_edge" in steps["size"]:
        short = min(image.size)
        image = image.resize((16 * image.width // short, 16 * image.height // short), 3)
        left, top = (image.width - 16) // 2, (image.height - 16) // 2
        image = image.crop((left, top, left + 16, top + 16))
    else:
        image = image.resize((16, 16), 3)
    values = (np.asarray(image) / 255 - steps["image_mean"]) / steps["image_std"]
    blocks = values.transpose(2, 0, 1).reshape(3, 2, 8, 2, 8).transpose(1, 3, 0, 2, 4)
    return np.einsum("yxcij,wcij->yxw", blocks, PATCH).mean((0, 1))


def tokens(text: str, most: int = 6) -> list[int]:
    known = [WORDS.index(word) if word in WORDS else 1 for word in text.split()]
    return [2, *known[: most - 2], 3]


@pytest.mark.parametrize("steps", [CLIP, SIGLIP], ids=["clip", "siglip"])
@pytest.mark.parametrize(
    "outputs", [("last_hidden_state", "pooler_output"), ("last_hidden_state",), ("image_embeds",)]
)
@pytest.mark.parametrize("place", ["model.onnx", "onnx/model.onnx", "onnx/vision_model.onnx"])
def test_pictures_go_through_the_steps_beside_the_model(
    steps: dict[str, Any], outputs: tuple[str, ...], place: str
) -> None:
    vision_model(Path("m", place), outputs)
    write(Path("m/preprocessor_config.json"), steps)
    folder, rng = Path("p"), np.random.default_rng(1)
    folder.mkdir()
    shown = [Image.fromarray(rng.integers(0, 256, (20, w, 3), np.uint8)) for w in (20, 30, 15)]
    for at, image in enumerate(shown):
        image.save(folder / f"{at}.png")
    wanted = unit([seen(image, steps) for image in shown])
    found = made(open_pool(folder), model=Path("m"))
    assert np.allclose(found, wanted, atol=2e-3)
    assert np.allclose(made(open_pool(folder), model=Path("m", place)), found)


@pytest.mark.parametrize("pooling", ["cls_token", "mean_tokens", "max_tokens", "lasttoken", None])
def test_texts_are_cut_and_pooled_as_the_files_say(pooling: str | None) -> None:
    text_model(Path("m/onnx/model.onnx"))
    tokenizer(Path("m"))
    write(Path("m/sentence_bert_config.json"), {"max_seq_length": 5})
    if pooling:
        said = {f"pooling_mode_{each}": each == pooling for each in ("cls_token", "mean_tokens")}
        write(Path("m/1_Pooling/config.json"), said | {f"pooling_mode_{pooling}": True})
    ways: dict[str, Callable[[Any], Any]] = {
        "cls_token": lambda rows: rows[0],
        "max_tokens": lambda rows: rows.max(0),
        "lasttoken": lambda rows: rows[-1],
    }
    join = ways.get(pooling or "", lambda rows: rows.mean(0))
    wanted = unit([join(TABLE[tokens(text, 5)]) for text in TEXTS])
    assert np.allclose(made(open_pool(TEXTS), model=Path("m")), wanted, atol=2e-3)


def test_a_model_without_a_mask_is_given_texts_of_its_full_length() -> None:
    text_model(Path("m/text_model.onnx"), ("last_hidden_state", "pooler_output"), ("input_ids",))
    tokenizer(Path("m"))
    found = made(open_pool(TEXTS), model=Path("m"))
    assert np.allclose(found, unit([TABLE[[2]][0]] * 3), atol=2e-3)  # the first token of each


def test_the_checksum_of_the_model_is_part_of_the_key(tmp_path: Path) -> None:
    text_model(Path("m/model.onnx"))
    tokenizer(Path("m"))
    first = OnnxEncoder(model=Path("m"), prompt="a cat").about()
    assert OnnxEncoder(model=Path("m"), negative_prompt="b", prompt="c").about() == first
    tokenizer(Path("m"), model_max_length=4)
    second = OnnxEncoder(model=Path("m")).about()
    text_model(Path("m/model.onnx"), ("sentence_embedding",))
    third = OnnxEncoder(model=Path("m")).about()
    assert len({str(each) for each in (first, second, third)}) == 3
    assert may_run_code({"onnx": {"model": "m"}}) == []


def test_what_is_missing_or_strange_is_a_sentence() -> None:
    texts, images = open_pool(TEXTS), open_pool(pictures(Path("p"), 2))
    assert "say where its folder or file is" in refusal(texts)
    assert "there is none at m" in refusal(texts, model=Path("m"))
    Path("m").mkdir()
    assert "no file that ends in .onnx" in refusal(texts, model=Path("m"))
    text_model(Path("m/model.onnx"))
    assert "there is none in m. It is published" in refusal(texts, model=Path("m"))
    assert "preprocessor_config.json beside it" in refusal(images, model=Path("m"))
    tokenizer(Path("m"))
    write(Path("m/preprocessor_config.json"), CLIP)
    assert "it takes no pictures" in refusal(images, model=Path("m"))
    vision_model(Path("m/model.onnx"))
    assert "it takes no texts" in refusal(texts, model=Path("m"))
    Path("m/model.onnx").write_bytes(b"no graph")
    assert "must be an encoder as an ONNX file" in refusal(texts, model=Path("m"))
    Path("m/model.onnx").rename("m/a.onnx")
    text_model(Path("m/b.onnx"))
    assert "has a.onnx, b.onnx. Name the file" in refusal(texts, model=Path("m"))
    assert made(texts, model=Path("m/b.onnx")).shape == (3, 8)


def test_a_graph_that_asks_for_huge_inputs_is_a_sentence() -> None:
    texts = open_pool(TEXTS)
    text_model(Path("m/model.onnx"), length=2**40)
    tokenizer(Path("m"))
    assert "8,192 are the most" in refusal(texts, model=Path("m"))
    text_model(Path("m/model.onnx"), beside=(1, 2**20, 2**20))
    assert "an input of the shape" in refusal(texts, model=Path("m"))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("preprocessor_config.json", CLIP | {"image_std": [0, 0, 0]}, "three numbers each"),
        ("preprocessor_config.json", CLIP | {"size": {"longest_edge": 9}}, "KeyError"),
        ("preprocessor_config.json", CLIP | {"crop_size": 10**6}, "sides are 1 to 1024"),
        ("preprocessor_config.json", CLIP | {"do_center_crop": False}, "come out in one size"),
        ("preprocessor_config.json", [1], "must hold a JSON object"),
    ],
)
def test_steps_that_are_not_known_are_a_sentence(name: str, value: Any, words: str) -> None:
    vision_model(Path("m/model.onnx"))
    write(Path("m", name), value)
    assert words in refusal(open_pool(pictures(Path("p"), 2)), model=Path("m"))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("tokenizer.json", {}, "must describe a tokenizer"),
        ("1_Pooling/config.json", {"pooling_mode_weightedmean_tokens": True}, "asks for pooling"),
        ("modules.json", [{"type": "sentence_transformers.models.Dense"}], "adds 'Dense'"),
        ("modules.json", 5, "must list modules"),
    ],
)
def test_texts_that_would_be_read_otherwise_are_a_sentence(
    name: str, value: Any, words: str
) -> None:
    text_model(Path("m/model.onnx"))
    tokenizer(Path("m"))
    write(Path("m", name), value)
    assert words in refusal(open_pool(TEXTS), model=Path("m"))
