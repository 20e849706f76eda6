"""Contents of exports, made of a few labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askless.exports.contents import (
    Contents,
    ExportOptions,
    Items,
    rows_of_items,
)
from askless.exports.label_arrays import LabelArrays
from askless.exports.record import FullContents
from askless.folder import items as stored
from askless.history.labels import Labelled
from askless.pools import OpenedPool, open_pool

NAMES = ("clothes", "foot/wear")
LABELS = [
    Labelled(
        0, True, "alone", (3, 9), ("ann", "bob"), 0.875, "", in_test_sample=True, definition=1
    ),
    Labelled(1, None, "unsure", (), (), 0.5, '=1+1, "so" to say'),
    Labelled(2, False, "group", (4,), ("ann",), 0.25, "", definition=1),
    Labelled(3, None, "", (), (), 0.96875, "", in_test_sample=True),
]


def table_of(
    source: Any, labels: Sequence[Labelled] = LABELS, options: ExportOptions | None = None
) -> Contents:
    """The table with the labels of its items, the first on."""
    pool: OpenedPool = open_pool(source)
    items = Items(lambda: NAMES, lambda: pool)
    arrays = LabelArrays(labels[: len(pool)], len(pool))
    return Contents(pool.source_rows, arrays, pool.ids, items, options)


def record_of(
    ids: Sequence[str],
    labels: Sequence[Labelled] = LABELS,
    copies: dict[int, tuple[str, ...]] | None = None,
    options: ExportOptions | None = None,
) -> FullContents:
    """The record of items that are called so."""
    names = stored.Items(ids, [f"c{item}" for item in range(len(ids))], copies or {})
    arrays = LabelArrays(labels, len(ids))
    items = Items(lambda: NAMES)
    return FullContents(rows_of_items(names), arrays, names, lambda: labels, items, options)
