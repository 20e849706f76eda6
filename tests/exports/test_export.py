"""Labels in files, as their readers will find them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.exports import export, export_formats
from askless.exports.row import COLUMNS, Row, rows_of
from askless.session.labels import Labelled

ENTRIES = [
    Labelled(0, True, "alone", (3, 9), ("ann", "bob"), 0.875, "", drawn=True, definition=1),
    Labelled(1, None, "unsure", (), (), 0.5, '=1+1, "so" to say'),
    Labelled(2, False, "predicted", (), (), 0.1, "", drawn=True),
]


def rows() -> list[Row]:
    return list(rows_of(ENTRIES, name=lambda item: f"-{item}", checksum=lambda item: f"c{item}"))


def test_duplicates_follow_their_item_and_share_its_label_and_split() -> None:
    copies = {0: ("a copy", "another")}
    found = list(rows_of(ENTRIES, copies=lambda item: copies.get(item, ())))
    assert [row.id for row in found] == ["0", "a copy", "another", "1", "2"]
    assert [row.copy_of for row in found] == ["", "0", "0", "", ""]
    assert [row.label for row in found] == [True, True, True, None, False]
    assert [row.test_split for row in found] == [True, True, True, False, False]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_names_that_are_no_proper_unicode_can_be_exported(suffix: str, tmp_path: Path) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"labels.{suffix}"
    export(rows_of(ENTRIES[:1], name=lambda _: "caf\udce9.png"), path)
    assert b"udce9" in path.read_bytes()


def test_csv_has_one_line_an_item_and_no_cell_that_a_spreadsheet_would_run(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    export(rows(), path)
    with path.open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert tuple(table[0]) == COLUMNS
    assert [row["label"] for row in table] == ["true", "", "false"]
    assert [row["final"] for row in table] == ["true", "false", "false"]
    assert table[0]["answers"] == "3 9"
    assert float(table[0]["prob"]) == 0.875
    assert table[1]["note"] == '\'=1+1, "so" to say'
    assert [row["id"] for row in table] == ["'-0", "'-1", "'-2"]


def test_jsonl_keeps_every_value_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    export(rows(), path)
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert found[0]["answers"] == [3, 9]
    assert found[1]["label"] is None
    assert found[1]["note"] == '=1+1, "so" to say'
    assert found[2]["how"] == "predicted"


def test_parquet_gives_back_the_same_columns(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "labels.parquet"
    export(rows(), path)
    table = parquet.read_table(path).to_pydict()
    assert tuple(table) == COLUMNS
    assert table["label"] == [True, None, False]
    assert table["answers"] == [[3, 9], [], []]


def test_an_export_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("old")

    def broken() -> Iterator[Row]:
        yield rows()[0]
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        export(broken(), path)
    assert path.read_text() == "old"


def test_what_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnknownPart, match="export format named 'docx'"):
        export(rows(), tmp_path / "labels.docx")
    with pytest.raises(InvalidInput, match="cannot be written"):
        export(rows(), tmp_path / "nowhere" / "labels.csv")
    assert export_formats() == ("csv", "jsonl", "parquet")
