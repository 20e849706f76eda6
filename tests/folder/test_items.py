"""The names of the items stay with the session, and so do its manners."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from PIL import Image

from askless.assemble import Method, OpenSession, open_session, read_session
from askless.cli import main
from askless.core.probability import Probs
from askless.errors import InvalidInput, StoreInUse
from askless.folder.items import read_items, write_items
from askless.folder.verifying import verify_session
from askless.seams import Pool
from askless.stores.sqlite import SqliteStore

IDS = ["a.png", "dir/b.png", "=c,\n\u2028 'é.png", "\udce9.png"]


class ListedPool(SimpleNamespace):
    """As much of a pool as a folder looks at."""

    def __len__(self) -> int:
        return len(self.ids)


def pool() -> Pool:
    listed = ListedPool(
        ids=IDS,
        checksums=[f"{i:064x}" for i in range(4)],
        copies={1: ("copy",)},
        probs=np.linspace(0.1, 0.9, 4),
    )
    return cast(Pool, listed)


def begin(folder: Path, **more: Any) -> OpenSession:
    return open_session(pool(), folder=folder, **more)


def test_any_name_comes_back_as_it_was(tmp_path: Path) -> None:
    checksum = write_items(tmp_path / "items.jsonl", pool())
    again, items = read_items(tmp_path / "items.jsonl")
    assert again == checksum
    assert list(items.ids) == IDS
    assert list(items.checksums) == list(pool().checksums)
    assert items.copies == {1: ("copy",)}


def test_labels_are_exported_by_name_with_their_duplicates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with begin(tmp_path / "s") as working:
        working.session.correct(1, True, "ann")
    assert main(["export", str(tmp_path / "s"), str(tmp_path / "labels.csv"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["certain"], told["rows"], told["noted"]) == (2, len(IDS) + 1, True)
    with (tmp_path / "labels.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [row["id"] for row in table[:4]] == ["a.png", "dir/b.png", "copy", "'" + IDS[2]]
    assert [row["label"] for row in table[:4]] == ["", "positive", "positive", ""]
    assert main(["export", str(tmp_path / "s"), str(tmp_path / "full.csv"), "--as", "full"]) == 0
    with (tmp_path / "full.csv").open(newline="", encoding="utf-8") as file:
        full = list(csv.DictReader(file))
    assert [row["id"] for row in full] == [row["id"] for row in table]
    assert full[1]["checksum"] == full[2]["checksum"] == f"{1:064x}"
    assert full[2]["copy_of"] == "dir/b.png"


def test_an_export_is_noted_unless_somebody_is_at_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, out = tmp_path / "s", str(tmp_path / "labels.jsonl")
    with begin(session):
        assert main(["export", str(session), out]) == 0
        assert "open in another program" in capsys.readouterr().err
        assert read_session(session).events == 2
    assert main(["export", str(session), out, "--overwrite"]) == 0
    assert capsys.readouterr().err == ""
    assert read_session(session).events == 3
    open_session(folder=session).close()


def test_pictures_need_to_be_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin(tmp_path / "s").close()
    command = ["export", str(tmp_path / "s"), str(tmp_path / "out"), "--as", "folders"]
    assert main(command) == 2
    assert "--source" in capsys.readouterr().err
    assert main([*command, "--source", str(tmp_path)]) == 2
    assert "nothing to label" in capsys.readouterr().err


def test_pictures_are_exported_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(2):
        Image.new("RGB", (4, 4), (number, 0, 0)).save(pictures / f"{number}.png")
    content = [(pictures / f"{number}.png").read_bytes() for number in range(2)]
    listed = ListedPool(
        ids=["0.png", "1.png"],
        checksums=[hashlib.sha256(data).hexdigest() for data in content],
        copies={},
        probs=np.array([0.2, 0.9]),
    )
    with open_session(cast(Pool, listed), folder=tmp_path / "s") as working:
        working.session.correct(0, True, "ann")
    command = ["export", str(tmp_path / "s"), str(tmp_path / "out"), "--as", "folders"]
    command += ["--source", str(pictures)]
    assert main([*command, "--names", "shoes"]) == 2
    assert "two different names" in capsys.readouterr().err
    assert main([*command, "--names", "clothes,shoes"]) == 0
    assert (tmp_path / "out" / "shoes" / "0.png").read_bytes() == content[0]
    assert not list((tmp_path / "out").rglob("1.png"))


def test_what_was_said_at_the_beginning_is_kept(tmp_path: Path) -> None:
    method = Method(test_sample=3, audit_every=5, seed=2)
    begin(tmp_path / "s", method=method, about={"positive": "shoes"}).close()
    kept = read_session(tmp_path / "s")
    assert kept.method == method
    assert kept.about == {"positive": "shoes"}
    with open_session(folder=tmp_path / "s") as working:
        asked = working.session.ask("ann")
        assert asked is not None
        assert asked.in_test_sample


def test_a_session_without_a_pool_calls_its_items_by_number(tmp_path: Path) -> None:
    open_session(Probs(np.full(3, 0.4)), folder=tmp_path / "s").close()
    items = read_session(tmp_path / "s").items()
    assert list(items.ids[:3]) == ["0", "1", "2"]
    assert items.checksums[0] == ""


def test_names_that_were_changed_or_lost_are_found_out(tmp_path: Path) -> None:
    begin(tmp_path / "s").close()
    path = tmp_path / "s" / "items.jsonl"
    content = path.read_bytes()
    path.write_bytes(content.replace(b"a.png", b"b.png"))
    assert "missing or damaged" in verify_session(tmp_path / "s").findings[0]
    path.unlink()
    assert "missing or damaged" in verify_session(tmp_path / "s").findings[0]
    open_session(folder=tmp_path / "s").close()  # answering can go on without them


def test_a_planner_that_does_not_exist_begins_nothing(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="planner"):
        begin(tmp_path / "s", method=Method(planner="no such planner"))
    assert not (tmp_path / "s").exists()


def test_nothing_is_written_by_who_comes_second(tmp_path: Path) -> None:
    with begin(tmp_path / "s"):
        before = (tmp_path / "s" / "probs.npy").read_bytes()
        with pytest.raises(StoreInUse):
            open_session(Probs(np.full(4, 0.5)), folder=tmp_path / "s")
        assert (tmp_path / "s" / "probs.npy").read_bytes() == before


def test_a_session_that_was_killed_before_it_was_opened_can_begin(tmp_path: Path) -> None:

    (tmp_path / "s").mkdir()
    SqliteStore(tmp_path / "s" / "events.sqlite").close()
    with pytest.raises(InvalidInput, match="There is no session"):
        open_session(folder=tmp_path / "s")
    with begin(tmp_path / "s") as working:
        assert working.session.ask("ann") is not None
