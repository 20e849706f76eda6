"""Labels of a labelling in files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import askless
from askless.cli import app
from askless.errors import InvalidInput, UnknownPart

WORDS = [f"{word} {n}" for n in range(10) for word in ("good", "bad")]


def test_labels_are_written_in_the_format_of_the_suffix_or_the_one_that_is_named(
    tmp_path: Path,
) -> None:
    labelling = askless.label(WORDS, positive="good", negative="bad")
    labelling.run(
        lambda question: all(
            text.startswith(label)
            for text, label in zip(question.texts, question.labels, strict=True)
        )
    )
    assert labelling.export(tmp_path / "a.csv") == []
    with (tmp_path / "a.csv").open() as file:
        assert all(row["text"].startswith(row["label"]) for row in csv.DictReader(file))
    (note,) = labelling.export(tmp_path / "a.json", "label-studio")
    assert "<Choices" in note
    assert len(list(tmp_path.iterdir())) == 2


def test_the_source_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text\n" + "\n".join(WORDS))
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="never written over their source"):
        askless.label(path).export(path)
    assert path.read_bytes() == before


def test_a_file_that_is_there_is_replaced_only_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("labels of another day")
    labelling = askless.label(WORDS)
    with pytest.raises(InvalidInput, match=r"a\.csv is there already.*overwrite=True"):
        labelling.export(path)
    assert path.read_text() == "labels of another day"
    labelling.export(path, overwrite=True)
    assert path.read_text().startswith("text,label,certain")


def test_the_record_and_unknown_formats_are_refused(tmp_path: Path) -> None:
    labelling = askless.label(WORDS)
    with pytest.raises(InvalidInput, match="The record is written from a folder"):
        labelling.export(tmp_path / "a.csv", "full")
    with pytest.raises(UnknownPart):
        labelling.export(tmp_path / "a.csv", "nonsense")
    assert list(tmp_path.iterdir()) == []


def test_a_session_on_a_file_of_another_tool_is_exported_by_the_command(tmp_path: Path) -> None:
    files = Path(__file__).parents[1] / "pools" / "annotated" / "files"
    source, session = tmp_path / "tasks.json", tmp_path / "session"
    source.write_bytes((files / "label-studio.json").read_bytes())
    with askless.label(
        source, folder=session, text="review", label="sentiment", true="praise", false="complaint"
    ) as labelling:
        labelling.run(lambda question: True, max_questions=2)
        settled = labelling.progress.settled
    out = tmp_path / "back.json"
    done = CliRunner().invoke(app, ["export", str(session), str(out), "--as", "label-studio"])
    assert done.exit_code == 0, done.output
    tasks = json.loads(out.read_text())
    assert sum(bool(task["annotations"]) for task in tasks) == settled > 2
    assert [task["id"] for task in tasks] == [101, 102, 103, 104, 105, 106]
    again = CliRunner().invoke(app, ["export", str(session), str(tmp_path / "a.json")])
    assert "Name the format (on the command line with --as)" in str(again.exception)
