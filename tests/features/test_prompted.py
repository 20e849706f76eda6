"""First guesses by words: the right margins, from the encoder that makes the features."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import askless
from askless.assemble import prepare
from askless.errors import InvalidInput
from askless.features import FEATURES, make_features, with_prompt
from askless.features.prompted import SLOPE, Prompted
from askless.pools import open_pool
from tests.features.onnx_models import (
    CLIP,
    TABLE,
    WORDS,
    text_model,
    tokenizer,
    vision_model,
    write,
)
from tests.web.services import pictures

TEXTS = ["good day", "a bad day", "good cat", "bad photo of a dog", "a day"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def encoder() -> Path:
    """An encoder of texts."""
    text_model(Path("m/model.onnx"))
    tokenizer(Path("m"), model_max_length=20)
    return Path("m")


@pytest.fixture
def pair() -> Path:
    """An encoder of pictures and of sentences, in one space."""
    vision_model(Path("pair/onnx/vision_model.onnx"), ("image_embeds",))
    text_model(Path("pair/onnx/text_model.onnx"), ("text_embeds",), ("input_ids",))
    write(Path("pair/preprocessor_config.json"), CLIP)
    tokenizer(Path("pair"))
    return Path("pair")


def vector(text: str) -> Any:
    mean = TABLE[[2, *map(WORDS.index, text.split()), 3]].mean(0)
    return mean / np.linalg.norm(mean)


def guessed(x: Any, toward: Any, *, centred: bool = False) -> Any:
    margins = x @ toward
    margins = margins - margins.mean() if centred else margins
    return 1 / (1 + np.exp(-SLOPE * margins / np.sqrt(np.mean(margins**2))))


def test_texts_nearer_to_the_prompt_are_likelier(encoder: Path) -> None:
    options = {"model": str(encoder), "prompt": "good", "negative_prompt": "bad"}
    found = prepare(open_pool(TEXTS), features={"onnx": options}).options["prior"]
    x = np.stack([vector(text) for text in TEXTS])
    assert np.allclose(found, guessed(x, vector("good") - vector("bad")), atol=0.01)
    del options["negative_prompt"]
    alone = prepare(open_pool(TEXTS), features={"onnx": options}).options["prior"]
    assert np.allclose(alone, guessed(x, vector("good"), centred=True), atol=0.01)
    assert "prior" not in prepare(open_pool(TEXTS), features={"onnx": {"model": "m"}}).options


def test_pictures_are_compared_by_the_other_half_of_a_pair(pair: Path) -> None:
    pool = open_pool(pictures(Path("p"), 6))
    for model in (pair, pair / "onnx" / "vision_model.onnx"):
        options = {"onnx": {"model": str(model), "prompt": "cat"}}
        x = np.asarray(make_features(pool, options)["onnx"], np.float64)
        first = TABLE[2] / np.linalg.norm(TABLE[2])  # the vector of a sentence is its first token's
        wanted = guessed(x, first, centred=True)
        assert np.allclose(prepare(pool, features=options).options["prior"], wanted, atol=0.02)


def test_a_labelling_in_python_starts_from_a_prompt(encoder: Path) -> None:
    labelling = askless.label(
        TEXTS, features={"onnx": {"model": encoder}}, prompt="good", negative_prompt="bad"
    )
    progress = labelling.run(
        lambda asked: all(
            ("good" in text) == (label == "positive")
            for text, label in zip(asked.texts, asked.labels, strict=True)
        )
    )
    assert progress.settled == len(TEXTS)
    with pytest.raises(InvalidInput, match="prompt is a sentence as text"):
        askless.label(TEXTS, features={"onnx": {"model": encoder}}, prompt=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="name it among the feature sets"):
        askless.label(TEXTS, prompt="good")


def test_prompts_go_to_the_one_set_that_reads_sentences() -> None:
    names: dict[str, dict[str, Any]] = {"tf-idf": {}, "sentences": {}}
    assert with_prompt(names, None, None) == names
    assert with_prompt(names, "a", "b") == {
        "tf-idf": {},
        "sentences": {"prompt": "a", "negative_prompt": "b"},
    }
    refused: tuple[dict[str, dict[str, Any]] | None, ...] = (
        None,
        {"tf-idf": {}},
        {"sentences": {}, "onnx": {}},
        {"emb.npy": {}},
    )
    for sets in refused:
        with pytest.raises(InvalidInput, match="name it among the feature sets"):
            with_prompt(sets, "a", None)


def test_every_set_that_takes_prompts_is_prompted() -> None:
    for name in FEATURES.names():
        assert ("prompt" in FEATURES.options(name)) == issubclass(FEATURES.find(name), Prompted)


def test_prompts_that_make_no_sense_are_sentences(encoder: Path) -> None:
    texts = open_pool(TEXTS)
    model = {"model": str(encoder)}
    for options, words in (
        ({"prompt": " "}, "1 to 2,000 letters; got 0"),
        ({"negative_prompt": "bad"}, "got it alone"),
    ):
        with pytest.raises(InvalidInput, match=words):
            prepare(texts, features={"onnx": {**model, **options}})
    with pytest.raises(InvalidInput, match="'logistic' does not"):
        prepare(texts, features={"onnx": {**model, "prompt": "good"}}, predictor="logistic")
    told = open_pool({"text": TEXTS, "p": [0.5] * 5}, text="text", prob="p")
    with pytest.raises(InvalidInput, match="leave one of them out"):
        prepare(told, features={"onnx": {**model, "prompt": "good"}})
    with pytest.raises(InvalidInput, match="reads no sentences"):
        prepare(open_pool(pictures(Path("p"), 2)), features={"backbone": {"prompt": "a"}})


# --- with real architectures ----------------------------------------------------------------------


def clip(folder: Path) -> Any:
    """A CLIP of the real architecture, small, with random weights, as transformers saves it."""
    import torch
    from transformers import CLIPConfig, CLIPModel

    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    half = {**sizes, "num_attention_heads": 4}
    words = {"vocab_size": len(WORDS), "max_position_embeddings": 10, "eos_token_id": 3}
    network = CLIPModel(
        CLIPConfig(
            text_config={**half, **words, "bos_token_id": 2, "pad_token_id": 0},
            vision_config={**half, "image_size": 16, "patch_size": 8},
            projection_dim=24,
        )
    ).eval()
    network.save_pretrained(folder)
    tokenizer(folder, tokenizer_class="PreTrainedTokenizerFast", model_max_length=10)
    write(folder / "preprocessor_config.json", CLIP)
    return network


def module(network: Any, forward: Callable[..., Any]) -> Any:
    """A part of a network as a module of its own, to be exported."""
    import torch

    found = torch.nn.Module()
    found.network, found.forward = network, forward
    return found


def shown(count: int) -> Path:
    folder, rng = Path("shown"), np.random.default_rng(0)
    folder.mkdir()
    for at in range(count):
        Image.fromarray(rng.integers(0, 256, (16, 16, 3), np.uint8)).save(folder / f"{at}.png")
    return folder


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_a_clip_of_transformers_guesses_as_it_does_there_and_as_onnx_files() -> None:
    import torch

    network = clip(Path("clip"))
    pool = open_pool(shown(5))
    prompts = {"prompt": "a photo of a cat", "negative_prompt": "a photo of a dog"}
    values = np.stack([np.asarray(pool.picture(item), np.float32) for item in range(5)]) / 255
    values = (values - np.array(CLIP["image_mean"], "f4")) / np.array(CLIP["image_std"], "f4")
    pixels = torch.tensor(values.transpose(0, 3, 1, 2))
    ids = [[2, *map(WORDS.index, text.split()), 3] for text in prompts.values()]
    with torch.no_grad():
        said = network(pixel_values=pixels, input_ids=torch.tensor(ids))
    x, read = said.image_embeds.numpy(), said.text_embeds.numpy()
    wanted = guessed(x, read[0] - read[1])
    options = {"backbone": {"network": "transformers", "weights": "clip", **prompts}}
    found = prepare(pool, features=options)
    assert np.allclose(make_features(pool, options)["backbone"], x, atol=2e-3)
    assert np.allclose(found.options["prior"], wanted, atol=0.02)

    def images(pixel_values: Any) -> Any:
        return network.visual_projection(network.vision_model(pixel_values).pooler_output)

    def texts(input_ids: Any, attention_mask: Any) -> Any:
        seen = network.text_model(input_ids, attention_mask=attention_mask)
        return network.text_projection(seen.pooler_output)

    folder = Path("clip/onnx")
    folder.mkdir()
    tokens = torch.tensor(ids)
    torch.onnx.export(
        module(network, images), (pixels,), str(folder / "vision_model.onnx"), dynamo=False,
        input_names=["pixel_values"], output_names=["image_embeds"],
        dynamic_axes={"pixel_values": {0: "n"}},
    )  # fmt: skip
    torch.onnx.export(
        module(network, texts), (tokens, torch.ones_like(tokens)),
        str(folder / "text_model.onnx"), dynamo=False,
        input_names=["input_ids", "attention_mask"], output_names=["text_embeds"],
        dynamic_axes={"input_ids": {0: "n", 1: "t"}, "attention_mask": {0: "n", 1: "t"}},
    )  # fmt: skip
    options = {"onnx": {"model": "clip", **prompts}}
    assert np.allclose(make_features(pool, options)["onnx"], x, atol=2e-3)
    assert np.allclose(prepare(pool, features=options).options["prior"], wanted, atol=0.02)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_a_folder_that_is_no_clip_is_a_sentence() -> None:
    import torch
    from transformers import ViTConfig, ViTModel

    torch.manual_seed(0)
    pool = open_pool(shown(2))
    Path("empty").mkdir()
    ViTModel(
        ViTConfig(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2)
    ).save_pretrained("vit")
    for folder in ("empty", "vit"):
        options = {"backbone": {"network": "transformers", "weights": folder}}
        with pytest.raises(InvalidInput, match="The backbone transformers must be known to"):
            make_features(pool, options)
    with pytest.raises(InvalidInput, match="is a folder; there is none at gone"):
        make_features(pool, {"backbone": {"network": "transformers", "weights": "gone"}})


@pytest.mark.foreign
@pytest.mark.filterwarnings("ignore")
def test_a_network_of_open_clip_reads_a_prompt() -> None:
    open_clip, torch = pytest.importorskip("open_clip"), pytest.importorskip("torch")
    name = "ViT-B-32"
    torch.manual_seed(0)
    network = open_clip.create_model(name, pretrained=None).eval()
    torch.save(network.state_dict(), "w.pth")
    pool = open_pool(shown(3))
    options = {"network": f"open_clip/{name}", "weights": "w.pth", "prompt": "a cat"}
    found = prepare(pool, features={"backbone": options})
    with torch.no_grad():
        read = network.encode_text(open_clip.get_tokenizer(name)(["a cat"])).numpy()[0]
    x = np.asarray(make_features(pool, {"backbone": options})["backbone"], np.float64)
    wanted = guessed(x, read / np.linalg.norm(read), centred=True)
    assert np.allclose(found.options["prior"], wanted, atol=0.02)
