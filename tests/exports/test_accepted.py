"""Accepted labels in every format: never among the labels unless asked, and never certain."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askless.exports import export
from askless.exports.contents import ExportOptions
from askless.exports.record import FULL
from tests.exports.making import LABELS, record_of, table_of
from tests.exports.test_picture_folder import IDS, Pictures, files

CLAIMED = [
    *LABELS[:3],
    replace(LABELS[3], how="accepted", accepted=True, claim=17, suspect=True),
]
ASKED = ExportOptions(accepted=True)
Rows = list[dict[str, Any]]


def read_csv(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        return [
            {**row, "label": row["label"] or None, "certain": row["certain"] == "true"}
            for row in csv.DictReader(file)
        ]


def read_jsonl(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_parquet(path: Path) -> Rows:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows: Rows = parquet.read_table(path).to_pylist()
    return rows


def read_xlsx(path: Path) -> Rows:
    openpyxl = pytest.importorskip("openpyxl")
    names, *rows = openpyxl.load_workbook(path).active.iter_rows(values_only=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


READ = {"csv": read_csv, "jsonl": read_jsonl, "parquet": read_parquet, "xlsx": read_xlsx}


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("asked", [False, True])
def test_a_table_has_accepted_labels_only_if_asked_and_never_as_certain(
    name: str, asked: bool, tmp_path: Path
) -> None:
    path = tmp_path / f"labels.{name}"
    texts = ["one", "two", "three", "four"]
    export(table_of(texts, CLAIMED, ExportOptions(accepted=asked)), path)
    rows = READ[name](path)
    assert [row["certain"] for row in rows] == [True, False, True, False]
    assert [row["how"] or "" for row in rows] == ["alone", "unsure", "group", "accepted"]
    assert rows[3]["label"] == ("foot/wear" if asked else None)
    assert [row["label"] for row in rows[:3]] == ["foot/wear", None, "clothes"]


@pytest.mark.parametrize("asked", [False, True])
def test_the_record_names_the_claim_and_who_is_suspect(asked: bool, tmp_path: Path) -> None:
    export(record_of("abcd", CLAIMED, options=ExportOptions(accepted=asked)), tmp_path / "r.jsonl")
    rows = read_jsonl(tmp_path / "r.jsonl")
    assert list(rows[0]) == list(FULL)
    assert [row["claim"] for row in rows] == [None, None, None, 17]
    assert [row["suspect"] for row in rows] == [False, False, False, True]
    assert [row["certain"] for row in rows] == [True, False, True, False]
    assert rows[3]["label"] == ("foot/wear" if asked else None)
    assert (rows[3]["how"], rows[3]["probability"]) == ("accepted", 0.96875)
    assert rows[3]["answers"] == []


def test_pictures_with_an_accepted_label_are_in_its_folder_only_if_asked(tmp_path: Path) -> None:
    export(Pictures(IDS, entries=CLAIMED), tmp_path / "not", "folders")
    export(Pictures(IDS, ASKED, CLAIMED), tmp_path / "asked", "folders")
    (more,) = files(tmp_path / "asked") - files(tmp_path / "not")
    assert more.startswith("foot_wear/")
    row = next(row for row in read_csv(tmp_path / "asked/labels.csv") if row["file_name"] == more)
    assert (row["certain"], row["how"]) == (False, "accepted")


def test_hugging_face_has_accepted_labels_in_train_only_if_asked(tmp_path: Path) -> None:
    texts = ["one", "two", "three", "four"]
    export(table_of(texts, CLAIMED), tmp_path / "not", "huggingface")
    export(table_of(texts, CLAIMED, ASKED), tmp_path / "asked", "huggingface")
    known = read_jsonl(tmp_path / "not" / "train.jsonl")
    assert read_jsonl(tmp_path / "asked" / "train.jsonl")[:-1] == known
    accepted = read_jsonl(tmp_path / "asked" / "train.jsonl")[-1]
    assert (accepted["text"], accepted["label"], accepted["certain"]) == (
        "four",
        "foot/wear",
        False,
    )
    tests = [(tmp_path / one / "test.jsonl").read_text() for one in ("not", "asked")]
    assert tests[0] == tests[1]


def test_accepted_labels_are_counted_in_rows_and_are_no_guesses_where_they_are_labels() -> None:
    texts = ["one", "two", "three", "four", "four"]
    plain = table_of(texts, CLAIMED, ExportOptions(0.5)).counts()
    assert (plain.open, plain.accepted, plain.suspect, plain.guesses) == (2, 2, 2, 2)
    asked = table_of(texts, CLAIMED, ExportOptions(0.5, accepted=True)).counts()
    assert (asked.certain, asked.open, asked.accepted, asked.guesses) == (2, 2, 2, 0)
