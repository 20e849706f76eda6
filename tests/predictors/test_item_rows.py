"""The items themselves, in memory and in a file, as a pipeline takes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.pools import open_pool
from askless.predictors.item_rows import items_of, read_items, rows_of, write_items
from tests.web.services import pictures


def test_items_come_back_from_a_file_as_they_were(tmp_path: Path) -> None:
    some = np.array([2, 0])
    texts = open_pool(["a", "b", "ü"])
    table = open_pool({"kind": ["x", "y", "z"], "size": [1.5, float("nan"), 3.0]})
    array = open_pool(np.arange(6.0).reshape(3, 2))
    for pool in (texts, table, array):
        write_items(tmp_path / "items.json", items_of(pool))
        here, there = rows_of(items_of(pool)), rows_of(read_items(tmp_path / "items.json"))
        assert np.asarray(here(some)).tolist() == np.asarray(there(some)).tolist()
        assert type(here(some)) is type(there(some))
    assert rows_of(items_of(texts))(some) == ["ü", "a"]
    assert list(rows_of(items_of(table))(some)["kind"]) == ["z", "x"]


def test_pictures_and_other_files_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="these are pictures"):
        items_of(open_pool(pictures(tmp_path / "p", 2)))
    (tmp_path / "items.json").write_text("[]")
    with pytest.raises(InvalidInput, match="items that askless wrote"):
        read_items(tmp_path / "items.json")
