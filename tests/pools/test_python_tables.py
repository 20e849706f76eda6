"""What Python people hold their items in is understood, or refused in a sentence."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.pools import open_pool

WORDS = ["good", "bad", "fine"]


@pytest.mark.parametrize(
    "source",
    [
        WORDS,
        tuple(WORDS),
        np.array(WORDS),
        np.array(WORDS, object),
        pd.Series(WORDS, index=[7, 8, 9]),
        pd.DataFrame({"text": WORDS}),
        pl.Series("x", WORDS),
        pl.DataFrame({"text": WORDS}),
        pa.table({"text": WORDS}),
        {"text": WORDS},
        {"text": np.array(WORDS)},
        {"text": pd.Series(WORDS)},
        [{"text": word} for word in WORDS],
    ],
    ids=lambda source: f"{type(source).__module__}.{type(source).__name__}",
)
def test_texts_come_in_whatever_holds_them(source: Any) -> None:
    pool = open_pool(source)
    assert pool.kind == "texts"
    assert [pool.text(item) for item in range(3)] == WORDS


def test_rows_are_called_as_their_table_calls_them() -> None:
    frame = pd.DataFrame({"text": WORDS, "name": list("xyz")}, index=["p", "q", "r"])
    assert list(open_pool(frame, text="text").keys or ()) == ["p", "q", "r"]
    assert list(open_pool(WORDS).keys or ()) == [0, 1, 2]
    other = pl.from_pandas(frame)
    assert list(open_pool(other, text="text", id="name").keys or ()) == ["x", "y", "z"]
    assert list(open_pool(other, text="text").keys or ()) == [0, 1, 2]


def test_what_is_missing_is_no_text() -> None:
    pool = open_pool(pd.DataFrame({"text": pd.array(["good", pd.NA, "bad"], "string")}))
    assert [pool.text(item) for item in range(len(pool))] == ["good", "bad"]
    assert [one.reason for one in pool.unreadable] == ["The text is empty."]


def test_lists_of_rows_and_of_equal_arrays_are_arrays() -> None:
    assert open_pool([[1.0, 2.0], [3.0, 4.0]]).kind == "rows"
    assert open_pool([np.zeros((4, 4)), np.ones((4, 4))]).kind == "images"
    with pytest.raises(InvalidInput, match="each has the same shape"):
        open_pool([np.zeros((4, 4)), np.ones((5, 4))])


def _picture(shade: int) -> Image.Image:
    return Image.new("RGB", (4 + shade, 3), (shade, 0, 0))


def _png(shade: int) -> bytes:
    file = io.BytesIO()
    _picture(shade).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize("make", [_picture, _png])
def test_pictures_in_memory_are_pictures(make: Callable[[int], Any]) -> None:
    made = [make(1), make(2), make(1), None]
    for source in (made, pd.DataFrame({"n": range(4), "image": made}), pd.Series(made)):
        pool = open_pool(source)
        assert pool.kind == "images"
        assert len(pool) == 2  # one is a copy, one is missing
        assert pool.picture(1).shape == (3, 6, 3)
        assert pool.picture(0)[0, 0].tolist() == [1, 0, 0]
        content, suffix = pool.original(0)
        assert suffix == ".png"
        assert Image.open(io.BytesIO(content)).size == (5, 3)
        assert pool.unreadable[0].reason == "The row has no picture."


def test_bytes_that_are_no_picture_are_left_out_with_the_reason() -> None:
    pool = open_pool([_png(1), b"no picture"])
    assert len(pool) == 1
    assert "not a picture" in pool.unreadable[0].reason


def test_paths_are_pictures_wherever_they_lie(tmp_path: Path) -> None:
    for folder, shade in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.png").write_bytes(_png(shade))
    pool = open_pool([tmp_path / "a" / "one.png", tmp_path / "b" / "one.png"])
    assert pool.ids == ("a/one.png", "b/one.png")
    assert pool.picture(1)[0, 0].tolist() == [2, 0, 0]


class _Model:
    def predict(self) -> None:
        """Nothing."""


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (["a.jpg", "b.PNG"], "look like names of pictures"),
        (pl.DataFrame({"text": WORDS}).lazy(), r"collect\(\)"),
        ([1, 2, 3], "got a list of int"),
        (["good", 2], "things of one kind; got int .number 1. and texts .number 0."),
        ([{1: "good"}], "keys, as text; got 1"),
        ([{}, {}], "all of these are empty"),
        ({"text": "good"}, "a list of values; got str for 'text'"),
        ({"text": np.array(1)}, "'text' is one value"),
        ({"a": [1], "b": [1, 2]}, "have one length; got 1, 2"),
        ({}, "got no column"),
        (b"good", "got bytes"),
        (7, "got int"),
        (None, "got NoneType"),
        ({"good", "bad"}, "got set"),
        ((word for word in WORDS), "got generator"),
        (np.array(["2020"], "datetime64[D]"), "got a list of date"),
        (np.array([["a"]]), r"an array of <U1 of shape \(1, 1\)"),
        (_Model(), "a model goes to askless.label"),
        (_Model, "got the class _Model"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "different names|cannot be read"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "different names as text"),
        (pd.DataFrame({"text": [["a"], ["b"]]}), "A column of texts holds texts; got list"),
        (pd.DataFrame({"image": [_png(1), "a.png"]}), "and not both; got str in row 2"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else value[:30],
)
def test_what_is_no_source_is_refused_with_what_to_give_instead(source: Any, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        open_pool(source)


def test_a_sparse_matrix_is_something_to_learn_from() -> None:
    from scipy import sparse

    with pytest.raises(InvalidInput, match="give it as features"):
        open_pool(sparse.eye_array(3).tocsr())


@pytest.mark.parametrize("word", ["text", "image", "label", "prob", "id", "show", "true", "folder"])
@pytest.mark.parametrize("value", [3, [1], np.zeros(2), {"a": 1}, object()])
def test_an_option_of_another_type_is_refused(word: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=f"^{word} is"):
        open_pool({"a": ["x", "y"]}, **{word: value})
