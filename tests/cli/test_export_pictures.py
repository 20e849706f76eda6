"""`askless export --as folders`: the session knows where its pictures are and what they are."""

from pathlib import Path

import numpy as np
import pytest

from askless.app.service import LabellingService
from askless.cli import main
from tests.web.services import client_of, is_red, label_all, pictures, service_on, tell


def _labelled(service: LabellingService) -> Path:
    label_all(client_of(service))
    service.close()
    return service.settings.folder


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_pictures_are_sorted_by_what_the_labels_are_called_in_the_app(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 6)
    (source / "copy of 0.png").write_bytes((source / "000.png").read_bytes())
    session, out = _labelled(service_on(source)), tmp_path / "out"
    (source / "003.png").rename(source / "renamed.png")
    (source / "copy of 0.png").unlink()
    assert main(["export", str(session), str(out), "--as", "folders"]) == 0
    assert _names(out) == {"red", "blue", "labels.csv"}
    assert _names(out / "red") == {"000.png", "copy of 0.png", "003.png"}
    assert (out / "red" / "000.png").read_bytes() == (source / "000.png").read_bytes()


def test_pictures_in_a_table_are_found_too(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 6)
    rows = "".join(f"p/{item:03}.png,thing {item}\n" for item in range(6))
    (tmp_path / "t.csv").write_text("path,name\n" + rows)
    session = _labelled(service_on(tmp_path / "t.csv", image="path", id="name"))
    out = tmp_path / "out"
    assert main(["export", str(session), str(out), "--as", "folders"]) == 0
    assert _names(out / "red") == {"thing 0.png", "thing 3.png"}
    assert (out / "red" / "thing 3.png").read_bytes() == (source / "003.png").read_bytes()


def test_pictures_in_an_array_are_written_as_png(tmp_path: Path) -> None:
    images = np.arange(6 * 16, dtype=np.uint8).reshape(6, 4, 4)
    np.savez(tmp_path / "a.npz", images=images)
    session, out = _labelled(service_on(tmp_path / "a.npz")), tmp_path / "out"
    assert main(["export", str(session), str(out), "--as", "folders"]) == 0
    assert _names(out / "red") == {f"{item}.png" for item in range(6) if is_red(item)}


def test_what_has_changed_is_refused_and_can_be_named_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = pictures(tmp_path / "p", 6)
    session, out = _labelled(service_on(source)), tmp_path / "out"
    source.rename(tmp_path / "moved")
    command = ["export", str(session), str(out), "--as", "folders"]
    assert main(command) == 2
    assert "There is no" in capsys.readouterr().err
    (tmp_path / "moved" / "001.png").write_bytes((tmp_path / "moved" / "002.png").read_bytes())
    command += ["--source", str(tmp_path / "moved")]
    assert main(command) == 2
    assert "001.png has changed" in capsys.readouterr().err
    assert not out.exists()


def test_texts_are_not_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("text\ngood\nbad\n")
    service = service_on(tmp_path / "t.csv")
    client = client_of(service)
    tell(client, client.post("/api/ask", json={"tab": "t"}).json()["question"])
    service.close()
    out = str(tmp_path / "out")
    assert main(["export", str(service.settings.folder), out, "--as", "huggingface"]) == 2
    assert "are texts; export them as csv" in capsys.readouterr().err
