"""Folders for the loaders of Hugging Face datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from askless.exports import export
from tests.exports.making import table_of
from tests.exports.test_picture_folder import IDS, Pictures, files


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_pictures_drawn_at_random_are_the_test_split(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(Pictures(IDS), out, "huggingface")
    found = {}
    for split in ("train", "test"):
        table = lines(out / split / "metadata.jsonl")
        assert {row["file_name"] for row in table} == files(out / split) - {"metadata.jsonl"}
        found[split] = {row["id"]: (row["label"], row["certain"]) for row in table}
    assert found == {
        "test": {"a.png": ("foot/wear", True)},
        "train": {"deep/b.png": ("clothes", True)},
    }


def test_texts_are_json_lines_for_each_split_and_stay_as_they_were(tmp_path: Path) -> None:
    source = {"text": ["=one", "two", "-drei", "four"], "file_name": ["a", "b", "c", "d"]}
    export(table_of(source), tmp_path / "out", "huggingface")
    assert files(tmp_path / "out") == {"train.jsonl", "test.jsonl"}
    (test,) = lines(tmp_path / "out" / "test.jsonl")
    assert (test["text"], test["label"], test["file_name"]) == ("=one", "foot/wear", "a")
    (train,) = lines(tmp_path / "out" / "train.jsonl")
    assert (train["text"], train["label"]) == ("-drei", "clothes")


def test_a_split_that_nothing_is_in_is_not_there(tmp_path: Path) -> None:
    export(table_of(["one"]), tmp_path / "out", "huggingface")
    assert files(tmp_path / "out") == {"test.jsonl"}
    export(Pictures(IDS[:1]), tmp_path / "pictures", "huggingface")
    assert {name.partition("/")[0] for name in files(tmp_path / "pictures")} == {"test"}
