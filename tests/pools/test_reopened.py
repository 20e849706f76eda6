from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.pools import as_before, changed_items, open_pool


def picture(path: Path, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 255, (5, 6, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(path)


def test_an_unchanged_source_is_as_before(tmp_path: Path) -> None:
    for seed in range(4):
        picture(tmp_path / f"{seed % 3}{seed}.png", seed % 3)
    pool = open_pool(tmp_path)
    again = as_before(open_pool(tmp_path), pool.ids, pool.checksums)
    assert (again.missing, again.new) == ({}, ())
    assert (again.pool.ids, again.pool.copies) == (pool.ids, pool.copies)
    assert (again.pool.picture(2) == pool.picture(2)).all()


def test_items_keep_their_numbers_when_files_come_go_change_and_move(tmp_path: Path) -> None:
    for seed, name in enumerate("bcde"):
        picture(tmp_path / f"{name}.png", seed)
    pool = open_pool(tmp_path)
    (tmp_path / "b.png").rename(tmp_path / "z.png")
    (tmp_path / "c.png").unlink()
    picture(tmp_path / "d.png", 7)
    picture(tmp_path / "a.png", 8)
    again = as_before(open_pool(tmp_path), pool.ids, pool.checksums)
    assert again.pool.ids == pool.ids
    assert again.missing == {
        1: "c.png is no longer there.",
        2: "d.png has changed since the session began.",
    }
    assert again.new == ("a.png",)
    assert again.pool.picture(0).shape == again.pool.picture(3).shape == (5, 6, 3)
    for item in (1, 2):
        with pytest.raises(InvalidInput, match=r"no longer there|has changed"):
            again.pool.picture(item)
    assert changed_items(again.pool) == again.missing


def test_rows_that_moved_are_found_by_their_content() -> None:
    pool = open_pool({"text": ["a", "b", "c"], "y": [1, 0, 1]}, text="text", label="y")
    later = open_pool({"text": ["new", "c", "a"], "y": [0, 1, 1]}, text="text", label="y")
    again = as_before(later, pool.ids, pool.checksums)
    assert again.pool.text(0) == "a"
    assert again.pool.text(2) == "c"
    assert list(again.missing) == [1]
    assert again.pool.known.tolist() == [1, -1, 1]


def test_missing_rows_have_blank_columns() -> None:
    pool = open_pool({"n": [1, 2, 3], "word": ["u", "v", "w"]})
    later = open_pool({"n": [3, 1], "word": ["w", "u"]})
    columns = as_before(later, pool.ids, pool.checksums).pool.columns()
    assert np.array_equal(columns["n"], [1, np.nan, 3], equal_nan=True)
    assert columns["word"].tolist() == ["u", "", "w"]


def test_a_copy_that_stayed_stands_in_for_the_file_that_went(tmp_path: Path) -> None:
    picture(tmp_path / "a.png", 0)
    picture(tmp_path / "b.png", 0)
    pool = open_pool(tmp_path)
    (tmp_path / "a.png").unlink()
    again = as_before(open_pool(tmp_path), pool.ids, pool.checksums)
    assert (again.pool.ids, again.missing, again.new) == (("a.png",), {}, ())
    assert again.pool.picture(0).shape == (5, 6, 3)
