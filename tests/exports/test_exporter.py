"""What an export may ask for beside the rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from askless.errors import InvalidInput
from askless.exports.exporter import ExportContext
from askless.exports.row import rows_of
from askless.pools.opening import open_pool
from askless.session.labels import Labelled

ENTRIES = [Labelled(item, True, "alone", (1,), ("ann",), 1.0, "") for item in range(2)]


def test_an_export_can_read_the_text_of_a_row_and_of_its_duplicate(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text\ngood\nbad\ngood\n")
    context = ExportContext(open_pool=lambda: open_pool(table))
    assert context.kind == "texts"
    rows = rows_of(ENTRIES, open_pool(table))
    assert [context.text(row) for row in rows] == ["good", "good", "bad"]
    with pytest.raises(InvalidInput, match="they have no pictures"):
        context.picture(next(rows_of(ENTRIES)))


def test_nothing_is_read_before_an_export_asks_for_it() -> None:
    def fail() -> tuple[str, str]:
        raise InvalidInput("read")

    context = ExportContext(read_names=fail)
    with pytest.raises(InvalidInput, match="read"):
        _ = context.label_names
    with pytest.raises(InvalidInput, match="does not know where they are; say so with --source"):
        context.text(next(rows_of(ENTRIES)))


def test_labels_are_called_by_their_names() -> None:
    context = ExportContext(lambda: ["dogs", "cats"])
    assert context.label_names[True] == "cats"
