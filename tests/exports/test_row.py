"""Rows: what is exported of each item."""

from __future__ import annotations

from dataclasses import fields

from askless.exports.row import COLUMNS, column_types, rows_of
from askless.folder.items import Items
from askless.session.labels import Labelled

ENTRIES = [
    Labelled(
        0, True, "alone", (3, 9), ("ann", "bob"), 0.875, "", in_test_sample=True, definition=1
    ),
    Labelled(1, None, "unsure", (), (), 0.5, "why"),
    Labelled(2, False, "predicted", (), (), 0.1, "", in_test_sample=True),
]


def test_duplicates_follow_their_item_and_share_its_label_and_split() -> None:
    items = Items(["a", "b", "c"], ["1", "2", "3"], {0: ("a copy", "another")})
    found = list(rows_of(ENTRIES, items))
    assert [row.id for row in found] == ["a", "a copy", "another", "b", "c"]
    assert [row.checksum for row in found] == ["1", "1", "1", "2", "3"]
    assert [row.copy_of for row in found] == ["", "a", "a", "", ""]
    assert [row.label for row in found] == [True, True, True, None, False]
    assert [row.test_split for row in found] == [True, True, True, False, False]


def test_without_a_pool_items_are_called_by_their_numbers() -> None:
    assert [row.id for row in rows_of(ENTRIES)] == ["0", "1", "2"]


def test_every_field_of_a_labelled_item_is_a_column_but_two() -> None:
    assert {field.name for field in fields(Labelled)} - set(COLUMNS) == {"item", "in_test_sample"}
    row = next(rows_of(ENTRIES))
    assert row.values() == tuple(getattr(row, column) for column in COLUMNS)


def test_every_column_has_a_type() -> None:
    types = column_types()
    assert tuple(types) == COLUMNS
    assert types["answers"] == tuple[int, ...]
    assert types["definition"] == int | None
