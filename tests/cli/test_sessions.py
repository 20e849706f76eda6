"""`askless status` counts the answers of people; `askless export` and what is there already."""

import json
import os
from pathlib import Path

import pytest

from askless.cli import main
from tests.web.services import service_on


def _begun(source: Path) -> Path:
    source.write_text("text\ngood\nbad\n")
    service = service_on(source)
    service.close()
    return service.settings.folder


@pytest.mark.parametrize("name", ["t.csv", "./sub/../t.csv", "link.csv", "hard.csv"])
def test_labels_are_never_written_over_their_source(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "t.csv"
    session = _begun(source)
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.csv").symlink_to(source)
    os.link(source, tmp_path / "hard.csv")
    out = os.path.join(tmp_path, name)
    for more in ([], ["--as", "full"], ["--source", str(source)]):
        assert main(["export", str(session), out, "--overwrite", *more]) == 2
        assert "never written over their source" in capsys.readouterr().err
    assert source.read_text() == "text\ngood\nbad\n"
    assert (tmp_path / "link.csv").is_symlink()


def test_a_source_that_has_moved_is_not_written_over_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, moved = _begun(tmp_path / "t.csv"), tmp_path / "moved.csv"
    (tmp_path / "t.csv").rename(moved)
    command = ["export", str(session), str(moved), "--overwrite", "--source", str(moved)]
    assert main(command) == 2
    assert "never written over their source" in capsys.readouterr().err
    assert moved.read_text() == "text\ngood\nbad\n"


def test_a_file_is_replaced_only_if_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, out = _begun(tmp_path / "t.csv"), tmp_path / "mine.csv"
    out.write_text("mine")
    assert main(["export", str(session), str(out)]) == 2
    assert "mine.csv is there already" in (said := capsys.readouterr().err)
    assert "--overwrite" in said
    assert out.read_text() == "mine"
    assert main(["export", str(session), str(out), "--overwrite"]) == 0
    assert "Wrote 2 rows to" in capsys.readouterr().out
    assert out.read_text().startswith("text,label")


def test_labels_that_came_with_the_source_are_no_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "t.csv"
    source.write_text("text,y\na,yes\nb,no\nc,\nd,\n")
    service = service_on(source, label="y")
    session = str(service.settings.folder)
    service.close()
    assert main(["status", session]) == 0
    said = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["given", "2", "came", "with", "the", "source"] in said
    assert ["answers", "0"] in said
    assert ["labels", "an", "answer", "-"] in said
    assert main(["status", session, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["given"], found["answers"], found["labels_per_answer"]) == (2, {}, None)


def test_one_row_is_written_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "t.csv"
    source.write_text("text\ngood\n")
    service = service_on(source)
    service.close()
    out = tmp_path / "o"
    assert main(["export", str(service.settings.folder), str(out), "--as", "huggingface"]) == 0
    assert f"Wrote 0 certain labels to {out}, of 1 row: 1 open" in capsys.readouterr().out


def test_an_export_says_how_many_cells_are_not_as_they_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "t.csv", tmp_path / "labels.csv"
    source.write_text("text,n\n=1+1,-4\n@b,'quoted'\nplain,3\n")
    service = service_on(source, text="text")
    session = str(service.settings.folder)
    service.close()
    assert main(["export", session, str(out)]) == 0
    assert "2 cells begin like a formula" in capsys.readouterr().out
    assert out.read_text().splitlines()[1].startswith("'=1+1,-4,")
    for file, told in ((out, 1), (tmp_path / "labels.jsonl", 0)):
        assert main(["export", session, str(file), "--overwrite", "--json"]) == 0
        assert len(json.loads(capsys.readouterr().out)["notes"]) == told
