"""Columns of a table that are shown with its items."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.pools import open_pool
from askless.pools.reopened import as_before


def _table(folder: Path, content: str) -> Path:
    path = folder / "t.csv"
    path.write_text(content)
    return path


def test_columns_are_shown_beside_a_text_in_the_order_named_and_blank_ones_left_out(
    tmp_path: Path,
) -> None:
    path = _table(tmp_path, "text,town,stars\ngood, Ulm ,5\nbad,,1\n")
    pool = open_pool(path, show=["stars", "town"])
    assert pool.facts(0) == [("stars", "5"), ("town", "Ulm")]
    assert pool.facts(1) == [("stars", "1")]
    assert open_pool(path, show="town").facts(0) == [("town", "Ulm")]
    assert open_pool(path).facts(0) == []


def test_of_rows_all_columns_are_shown_or_those_that_are_named(tmp_path: Path) -> None:
    path = _table(tmp_path, "age,town,label\n31,Ulm,1\n44,Bonn,0\n")
    assert open_pool(path, label="label").facts(0) == [("age", "31"), ("town", "Ulm")]
    chosen = open_pool(path, label="label", show=["town"])
    assert chosen.facts(1) == [("town", "Bonn")]
    assert chosen.checksums == open_pool(path, label="label").checksums
    assert list(chosen.columns()) == ["age", "town"]  # the model sees them all


def test_a_row_that_has_moved_keeps_what_is_shown_beside_it(tmp_path: Path) -> None:
    before = open_pool(_table(tmp_path, "text,town\na,Ulm\nb,Bonn\n"), show="town")
    after = open_pool(_table(tmp_path, "text,town\nb,Bonn\nc,Trier\na,Ulm\n"), show="town")
    again = as_before(after, before.ids, before.checksums).pool
    assert [again.facts(item) for item in (0, 1)] == [[("town", "Ulm")], [("town", "Bonn")]]


def test_half_characters_are_spelt_out() -> None:
    pool = open_pool({"text": ["a"], "more": ["\ud800"]}, show="more")
    assert pool.facts(0) == [("more", "\\ud800")]


def test_a_column_that_is_not_there_or_has_no_text_beside_it_is_refused(tmp_path: Path) -> None:
    path = _table(tmp_path, "text,town\na,Ulm\n")
    with pytest.raises(InvalidInput, match="no column 'city'"):
        open_pool(path, show="city")
    with pytest.raises(InvalidInput, match="the items are pictures"):
        open_pool({"image": ["a.png"], "town": ["Ulm"]}, show="town")
    with pytest.raises(InvalidInput, match="show='town' names a column of a table"):
        open_pool(np.zeros((2, 3)), show="town")
    with pytest.raises(InvalidInput, match="is a folder of pictures"):
        open_pool(tmp_path, show="town")
