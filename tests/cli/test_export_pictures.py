"""`askless export --as folders`: the session knows where its pictures are and what they are."""

import re
import zipfile
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
    assert _names(out / "red") == {"000.png", "renamed.png"}  # as the source is now
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


def test_what_has_changed_is_left_out_and_a_source_can_be_named_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = pictures(tmp_path / "p", 6)
    session, out = _labelled(service_on(source)), tmp_path / "out"
    source.rename(tmp_path / "moved")
    command = ["export", str(session), str(out), "--as", "folders"]
    assert main(command) == 2
    assert re.search("There is no .* say where with --source", capsys.readouterr().err)
    (tmp_path / "moved" / "001.png").write_bytes((tmp_path / "moved" / "002.png").read_bytes())
    command += ["--source", str(tmp_path / "moved")]
    assert main(command) == 0
    assert "no longer in the source, and only in --as full: 1." in capsys.readouterr().out
    assert not list(out.rglob("001.png"))[1:]
    for path in (tmp_path / "moved").iterdir():
        path.unlink()
    (tmp_path / "moved" / "x.png").write_bytes(
        pictures(tmp_path / "q", 9).joinpath("007.png").read_bytes()
    )
    assert main([*command[:2], str(tmp_path / "more"), *command[3:]]) == 2
    assert "None of the items of the session" in capsys.readouterr().err


def test_a_zip_file_has_one_folder_for_each_label(tmp_path: Path) -> None:
    session, out = _labelled(service_on(pictures(tmp_path / "p", 6))), tmp_path / "out.ZIP"
    assert main(["export", str(session), str(out)]) == 0
    with zipfile.ZipFile(out) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {
            "red", "blue", "labels.csv",
        }  # fmt: skip


def test_texts_are_no_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("text\ngood\nbad\n")
    service = service_on(tmp_path / "t.csv")
    client = client_of(service)
    tell(client, client.post("/api/ask", json={"tab": "t"}).json()["question"])
    service.close()
    out = str(tmp_path / "out")
    assert main(["export", str(service.settings.folder), out, "--as", "folders"]) == 2
    assert "are texts; export them as csv" in capsys.readouterr().err
