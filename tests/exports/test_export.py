"""Labels in files, as their readers will find them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.exports import EXPORTERS, export, file_exporters
from askless.exports.exporter import ExportContext, Exporter, FolderExporter
from askless.exports.row import COLUMNS, Row, rows_of
from askless.folder.items import Items
from askless.pools.opening import open_pool
from askless.session.labels import Labelled

ENTRIES = [
    Labelled(
        0, True, "alone", (3, 9), ("ann", "bob"), 0.875, "", in_test_sample=True, definition=1
    ),
    Labelled(1, None, "unsure", (), (), 0.5, '=1+1, "so" to say'),
    Labelled(2, False, "predicted", (), (), 0.1, "", in_test_sample=True),
]


def rows() -> list[Row]:
    return list(rows_of(ENTRIES, Items(["-0", "-1", "-2"], ["c0", "c1", "c2"])))


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_texts_that_are_not_proper_unicode_can_be_exported(name: str, tmp_path: Path) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / "labels"
    for strange in (
        replace(ENTRIES[0], annotators=("caf\udce9",)),
        replace(ENTRIES[1], note="caf\udce9"),
    ):
        export(rows_of([strange]), path, name)
        assert b"udce9" in path.read_bytes()


@pytest.mark.parametrize("name", file_exporters())
def test_the_suffix_of_a_file_tells_its_format(name: str, tmp_path: Path) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    (tmp_path / "t.csv").write_text("text\none\ntwo\nthree\n")
    context = ExportContext(open_pool=lambda: open_pool(tmp_path / "t.csv"))
    suffix = file_exporters()[name].suffix
    export(rows(), tmp_path / f"by suffix{suffix.upper()}", None, context)
    export(rows(), tmp_path / "by name", name, context)
    assert (tmp_path / "by name").read_bytes() == next(tmp_path.glob("by suffix*")).read_bytes()


def test_no_two_formats_share_a_suffix() -> None:
    suffixes = [exporter.suffix for exporter in file_exporters().values()]
    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes)


@pytest.mark.parametrize("name", EXPORTERS.names())
def test_every_registered_format_is_an_exporter_with_a_title_and_a_purpose(name: str) -> None:
    exporter = EXPORTERS.find(name)
    assert isinstance(exporter, Exporter | FolderExporter)
    assert exporter.title
    assert exporter.purpose


def _count(rows: Iterable[Row], file: BinaryIO, _: ExportContext) -> None:
    file.write(b"%d" % len(list(rows)))


COUNT = Exporter("Count", "for this test", ".count", "text/plain", _count)


def test_a_format_of_your_own_is_named_by_its_place(tmp_path: Path) -> None:
    export(rows(), tmp_path / "n", "tests.exports.test_export:COUNT")
    assert (tmp_path / "n").read_text() == "3"
    with pytest.raises(InvalidInput, match=r"an askless\.exports\.exporter\.Exporter or"):
        export(rows(), tmp_path / "n", "tests.exports.test_export:ENTRIES")


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
        export(rows(), tmp_path / "labels", "docx")
    with pytest.raises(InvalidInput, match=r"ends in \.csv, .*; got 'labels\.docx'\. Name the"):
        export(rows(), tmp_path / "labels.docx")
    with pytest.raises(InvalidInput, match="cannot be written"):
        export(rows(), tmp_path / "nowhere" / "labels.csv")
