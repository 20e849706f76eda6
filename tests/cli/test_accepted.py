"""Accepted labels on the command line: written only if asked, counted, not certain."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from askless.cli import main
from tests.folder.test_folder import N, work
from tests.folder.test_verifying import check


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_an_export_writes_accepted_labels_only_if_asked_and_says_how_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, plain, asked = str(tmp_path / "s"), tmp_path / "plain.csv", tmp_path / "asked.csv"
    work(tmp_path / "s", 2)
    assert main(["export", folder, str(tmp_path / "none.csv"), "--accepted"]) == 0
    assert "No label is accepted: nothing is claimed." in capsys.readouterr().out
    check(tmp_path / "s", 2)
    assert main(["export", folder, str(plain)]) == 0
    said = capsys.readouterr().out
    certain = sum(row["certain"] == "true" for row in rows(plain))
    assert f"{certain} with a certain label, {N - certain} open" in said
    assert f"Of the open ones {N - certain} are accepted, with the model's label." in said
    assert sum(bool(row["label"]) for row in rows(plain)) == certain
    assert main(["export", folder, str(asked), "--accepted", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["certain"], told["accepted"], told["open"]) == (certain, N - certain, N - certain)
    assert all(row["label"] for row in rows(asked))
    assert {row["how"] for row in rows(asked) if row["certain"] == "false"} == {"accepted"}
    assert main(["export", folder, str(asked), "--accepted", "--overwrite"]) == 0
    assert f"{N - certain} with an accepted one, 0 open" in capsys.readouterr().out
