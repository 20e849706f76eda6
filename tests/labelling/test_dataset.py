"""Real datasets of Hugging Face in, and out again with their labels."""

from __future__ import annotations

import datasets
import numpy as np
import pandas as pd
import pytest
from PIL import Image

import askless
from askless.errors import InvalidInput
from askless.labelling.question import ShownQuestion

WORDS = [f"{word} {n}" for n in range(15) for word in ("good", "bad")]


def _truth(question: ShownQuestion) -> bool:
    return all(
        text.startswith(label) for text, label in zip(question.texts, question.labels, strict=True)
    )


def _reviews() -> datasets.Dataset:
    columns = {"review": WORDS, "stars": [n % 5 for n in range(30)]}
    stars = datasets.ClassLabel(names=["one", "two", "three", "four", "five"])
    features = datasets.Features({"review": datasets.Value("string"), "stars": stars})
    return datasets.Dataset.from_dict(columns, features=features)


def test_a_dataset_comes_back_with_its_features_and_its_labels() -> None:
    data = _reviews()
    labelling = askless.label(data, text="review", positive="good", negative="bad")
    labelling.run(_truth)
    found = labelling.to_dataset()
    assert found.column_names == ["review", "stars", "label", "certain", "how", "probability"]
    assert {name: found.features[name] for name in data.features} == data.features
    assert found.features["label"].names == ["bad", "good"]
    assert found["label"][:] == [int(word.startswith("good")) for word in WORDS]
    assert all(found["certain"][:])


def test_what_is_not_known_yet_is_none_with_the_same_features() -> None:
    labelling = askless.label(_reviews(), text="review", positive="good", negative="bad")
    found = labelling.to_dataset()
    assert found["label"][:] == [None] * 30
    assert found.features["label"] == datasets.ClassLabel(names=["bad", "good"])
    assert found.features["how"] == datasets.Value("string")
    assert labelling.labels().column_names == ["label", "certain", "how", "probability"]


def test_a_column_called_label_keeps_its_name_and_its_rows_their_order() -> None:
    data = _reviews().rename_column("stars", "label").select(range(29, -1, -1))
    labelling = askless.label(data, text="review", positive="good", negative="bad")
    labelling.run(_truth)
    found = labelling.to_dataset()
    assert found["label"][:] == [n % 5 for n in range(29, -1, -1)]
    said = [found.features["askless_label"].int2str(one) for one in found["askless_label"]]
    assert all(text.startswith(label) for text, label in zip(found["review"], said, strict=True))


def test_pictures_of_a_dataset_stay_pictures() -> None:
    shades = list(range(0, 240, 8))
    pictures = [Image.fromarray(np.full((6, 6, 3), shade, np.uint8)) for shade in shades]
    features = datasets.Features({"img": datasets.Image()})
    data = datasets.Dataset.from_dict({"img": pictures}, features=features)
    with askless.label(data, positive="bright", negative="dark") as labelling:
        labelling.run(
            lambda question: all(
                (shades[row] > 127) == (label == "bright")
                for row, label in zip(question.ids, question.labels, strict=True)
            )
        )
        found = labelling.to_dataset()
    assert isinstance(found.features["img"], datasets.Image)
    assert found["label"][:] == [int(shade > 127) for shade in shades]
    assert found[3]["img"].getpixel((0, 0)) == (24, 24, 24)


def test_features_are_a_column_of_the_dataset() -> None:
    vectors = [[float(word.startswith("good")), 1.0] for word in WORDS]
    data = _reviews().add_column("vector", vectors)
    labelling = askless.label(
        data, text="review", features="vector", positive="good", negative="bad"
    )
    assert labelling.run(_truth).settled == 30
    assert labelling.to_dataset().column_names[:3] == ["review", "stars", "label"]


def test_a_table_and_a_list_of_pictures_become_datasets_too() -> None:
    frame = pd.DataFrame({"review": WORDS, "n": range(30)})
    labelling = askless.label(frame, text="review", positive="good", negative="bad")
    labelling.run(_truth)
    found = labelling.to_dataset()
    assert found["n"][:] == list(range(30))
    assert found["label"][:] == [int(word.startswith("good")) for word in WORDS]
    pictures = [Image.fromarray(np.full((6, 6, 3), shade, np.uint8)) for shade in (0, 99, 250)]
    found = askless.label(pictures, positive="bright").to_dataset()
    assert found[1]["image"].getpixel((0, 0)) == (99, 99, 99)


def test_splits_are_refused_at_the_door() -> None:
    with pytest.raises(InvalidInput, match="One split is labelled at a time"):
        askless.label(datasets.DatasetDict({"train": _reviews()}), text="review")
