"""Labels in files, as their readers will find them."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.exports import EXPORTERS, export, file_exporters
from askless.exports.contents import Contents, Row, numbered_contents
from askless.exports.exporter import Exporter, FolderExporter
from askless.exports.record import FULL
from tests.exports.making import LABELS, record_of, table_of

TABLES = [name for name, exporter in file_exporters().items() if exporter.works]
WHOLE = ("csv", "full", "jsonl", "parquet", "xlsx")  # every column of every row is in the file


@pytest.fixture
def contents(tmp_path: Path) -> Contents:
    (tmp_path / "t.csv").write_text("text,Größe\n-one,-1\ntwo,=2\nthree,\nfour,4\n")
    return table_of(tmp_path / "t.csv")


@pytest.mark.parametrize("name", [name for name in TABLES if name in WHOLE])
def test_texts_that_are_not_proper_unicode_can_be_exported(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"labels{file_exporters()[name].suffix}"
    labels = [replace(LABELS[0], annotators=("caf\udce9",)), *LABELS[1:]]
    export(record_of(["a", "b\udce9", "c", "d"], labels), path, "full")
    if name == "xlsx":
        with zipfile.ZipFile(path) as packed:
            assert b"udce9" in b"".join(map(packed.read, packed.namelist()))
    else:
        assert b"udce9" in path.read_bytes()


@pytest.mark.parametrize(
    "name",  # cleanlab is of sessions: tests/exports/test_cleanlab.py
    [name for name in TABLES if not file_exporters()[name].pictures_only and name != "cleanlab"],
)
def test_the_suffix_of_a_file_tells_its_format(
    name: str, tmp_path: Path, contents: Contents
) -> None:
    suffix = file_exporters()[name].suffix
    export(contents, tmp_path / f"by suffix{suffix.upper()}")
    export(contents, tmp_path / "by name", name)
    by_name = (tmp_path / "by name").read_bytes()
    by_suffix = next(tmp_path.glob("by suffix*")).read_bytes()
    assert by_name == by_suffix or (name == "xlsx" and by_name[:2] == by_suffix[:2] == b"PK")


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


def _count(contents: Contents, file: BinaryIO) -> None:
    file.write(b"%d" % len(list(contents.rows())))


COUNT = Exporter("Count", "for this test", ".count", "text/plain", _count)


def test_a_format_of_your_own_is_named_by_its_place(tmp_path: Path, contents: Contents) -> None:
    export(contents, tmp_path / "n", "tests.exports.test_export:COUNT")
    assert (tmp_path / "n").read_text() == "4"
    with pytest.raises(InvalidInput, match=r"an askless\.exports\.exporter\.Exporter or"):
        export(contents, tmp_path / "n", "tests.exports.test_export:TABLES")


def test_csv_has_one_line_a_row_and_no_cell_that_a_spreadsheet_would_run(
    tmp_path: Path, contents: Contents
) -> None:
    export(contents, tmp_path / "labels.csv")
    with (tmp_path / "labels.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert list(table[0].values()) == ["'-one", "-1", "foot/wear", "true", "alone", "0.875"]
    assert list(table[1].values()) == ["two", "'=2", "", "false", "unsure", "0.5"]
    assert list(table[3].values()) == ["four", "4", "", "false", "", "0.96875"]


def test_the_record_is_csv_or_what_the_suffix_says(tmp_path: Path) -> None:
    for name in ("labels.csv", "labels.full.csv", "labels"):
        export(record_of("abcd"), tmp_path / name, "full")
        assert (tmp_path / name).read_text().startswith(",".join(FULL))
    export(record_of("abcd"), tmp_path / "labels.jsonl", "full")
    found = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    assert tuple(found[0]) == tuple(FULL)
    assert found[0]["answers"] == [3, 9]
    assert found[1]["note"] == '=1+1, "so" to say'


def test_jsonl_keeps_every_value_as_it_is(tmp_path: Path) -> None:
    export(
        table_of({"text": ["=1", "ü"], "n": [[1, {"a": None}], float("nan")]}), tmp_path / "a.jsonl"
    )
    found = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert found[0] == {
        "text": "=1", "n": [1, {"a": None}], "label": "foot/wear", "certain": True,
        "how": "alone", "probability": 0.875,
    }  # fmt: skip
    assert (found[1]["text"], found[1]["n"], found[1]["label"]) == ("ü", None, None)


def test_parquet_has_a_type_for_each_column(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    source = {"text": list("abcd"), "n": [1, None, 2.5, 4], "mixed": [1, "x", None, [2]],
              "none": [None] * 4}  # fmt: skip
    export(table_of(source), tmp_path / "labels.parquet")
    table = parquet.read_table(tmp_path / "labels.parquet")
    found = table.to_pydict()
    assert found["n"] == [1.0, None, 2.5, 4.0]
    assert found["mixed"] == ["1", "x", None, "[2]"]
    assert found["label"] == ["foot/wear", None, "clothes", None]
    assert found["certain"] == [True, False, True, False]
    assert table.schema.field("probability").type == pa.float64()
    export(record_of("abcd"), tmp_path / "full.parquet", "full")
    assert parquet.read_table(tmp_path / "full.parquet").to_pydict()["answers"] == [
        [3, 9],
        [],
        [4],
        [],
    ]


def test_an_export_that_fails_leaves_the_old_file(
    tmp_path: Path, contents: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("old")
    first = next(contents.rows())

    def broken(self: Contents) -> Iterator[Row]:
        yield first
        raise RuntimeError("lost")

    monkeypatch.setattr(Contents, "rows", broken)
    with pytest.raises(RuntimeError, match="lost"):
        export(contents, path)
    assert path.read_text() == "old"


def test_what_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    contents = numbered_contents(LABELS, 4)
    with pytest.raises(UnknownPart, match="export format named 'docx'"):
        export(contents, tmp_path / "labels", "docx")
    with pytest.raises(InvalidInput, match=r"ends in .*\.csv, .*; got 'labels\.docx'\. Name the"):
        export(contents, tmp_path / "labels.docx")
    with pytest.raises(InvalidInput, match="cannot be written"):
        export(contents, tmp_path / "nowhere" / "labels.csv")
