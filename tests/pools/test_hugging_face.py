"""Real datasets of Hugging Face, made in memory, as pools."""

from __future__ import annotations

import io
from pathlib import Path

import datasets
import numpy as np
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.pools import open_pool

SHADES = (10, 60, 110, 160, 210)


def _texts() -> datasets.Dataset:
    features = datasets.Features(
        {"review": datasets.Value("string"), "y": datasets.ClassLabel(names=["neg", "pos"])}
    )
    columns = {"review": ["fine", "poor", "good", "bad"], "y": [1, 0, -1, None]}
    return datasets.Dataset.from_dict(columns, features=features)


def _picture(shade: int) -> Image.Image:
    return Image.fromarray(np.full((6, 8, 3), shade, np.uint8))


def _pictures() -> datasets.Dataset:
    features = datasets.Features(
        {"img": datasets.Image(), "label": datasets.ClassLabel(names=["cat", "dog"])}
    )
    columns = {"img": [_picture(shade) for shade in SHADES], "label": [0, 1, 0, 1, 0]}
    return datasets.Dataset.from_dict(columns, features=features)


def test_texts_come_with_the_names_of_their_classes() -> None:
    pool = open_pool(_texts(), text="review", label="y", true="pos")
    assert (pool.kind, pool.text(2)) == ("texts", "good")
    assert pool.known.tolist() == [1, 0, -1, -1]
    assert pool.label_names == ("pos", "neg")
    assert next(values for _, values in pool.source_rows) == ("fine", "pos")


def test_an_only_column_of_pictures_is_shown_whatever_it_is_called() -> None:
    pool = open_pool(_pictures(), label="label", true="dog")
    assert pool.kind == "images"
    assert pool.known.tolist() == [0, 1, 0, 1, 0]
    assert [int(pool.picture(item).mean()) for item in range(5)] == list(SHADES)


def test_rows_that_were_selected_or_shuffled_are_those_that_are_shown() -> None:
    pool = open_pool(_pictures().select([4, 1]).shuffle(seed=1), label="label", true="dog")
    shown = {int(pool.picture(item).mean()): int(pool.known[item]) for item in range(2)}
    assert shown == {210: 0, 60: 1}


def test_a_format_that_was_set_changes_nothing() -> None:
    pool = open_pool(_texts().with_format("numpy"), text="review", label="y", true="pos")
    assert pool.known.tolist() == [1, 0, -1, -1]


def test_pictures_named_by_a_path_are_read_and_addresses_are_not_fetched(tmp_path: Path) -> None:
    _picture(60).save(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes(b"no picture")
    paths = [str(tmp_path / "a.png"), str(tmp_path / "b.png"), str(tmp_path / "gone.png")]
    columns = {"image": [*paths, "https://example.org/c.png", None]}
    made = datasets.Dataset.from_dict(columns).cast_column("image", datasets.Image())
    pool = open_pool(made)
    assert pool.ids == ("a.png",)
    assert [left.id for left in pool.unreadable] == ["b.png", "gone.png", "c.png", "row 5"]


def test_a_damaged_picture_in_a_dataset_is_left_out_with_its_reason() -> None:
    whole = io.BytesIO()
    _picture(60).save(whole, "PNG")
    kept = [{"bytes": whole.getvalue(), "path": "a.png"}, {"bytes": b"\x89PNG", "path": "b.png"}]
    pool = open_pool(
        datasets.Dataset.from_dict({"image": kept}).cast_column("image", datasets.Image())
    )
    assert pool.ids == ("a.png",)
    assert pool.original(0) == (whole.getvalue(), ".png")
    assert [left.id for left in pool.unreadable] == ["b.png"]


def test_several_splits_are_refused_by_their_names() -> None:
    splits = datasets.DatasetDict({"train": _texts(), "test": _texts()})
    with pytest.raises(InvalidInput, match=r"the splits 'train', 'test'.*data\['train'\]"):
        open_pool(splits, text="review")


def test_a_dataset_that_streams_is_refused_with_the_reason() -> None:
    with pytest.raises(InvalidInput, match="gives each of them once, in order"):
        open_pool(_texts().to_iterable_dataset(), text="review")


def test_a_dataset_without_columns_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no column"):
        open_pool(datasets.Dataset.from_dict({}))
