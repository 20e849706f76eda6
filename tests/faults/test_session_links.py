"""A session folder from a stranger, with links and other things where files should be.

`askless label photos` adopts the ``photos.askless`` that lies beside it, whoever made that. Before
names were opened without following links, files elsewhere were truncated, written over, chmodded
and served.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.faults.hostile import (
    BELOW,
    COMMANDS,
    FILES,
    FOLDERS,
    PLANTS,
    make_session,
    run,
    snapshot,
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    make_session(folder)
    return folder


@pytest.fixture
def session(template: Path, tmp_path: Path) -> Path:
    shutil.copytree(template, tmp_path / "here")
    return tmp_path / "here" / "photos.askless"


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("name", [*FILES, *FOLDERS, *BELOW])
def test_nothing_outside_a_session_is_changed_or_served(
    name: str, plant: str, session: Path, tmp_path: Path
) -> None:
    path = session / name
    path.parent.mkdir(exist_ok=True)
    PLANTS[plant](path, tmp_path / "outside")
    before = snapshot(tmp_path / "outside")
    for command in COMMANDS:
        sentence = run(command, session, tmp_path / "labels.csv")
        assert snapshot(tmp_path / "outside") == before, command
        if _is_refused(name, plant, command):
            assert str(path) in sentence, command


def _is_refused(name: str, plant: str, command: str) -> bool:
    if name in FOLDERS:
        return plant != "a folder"  # which is what should be there
    # Files below a folder are replaced and not opened, or looked at when they are opened.
    return name in FILES or (command == "label" and plant not in ("a folder", "a hard link"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_session_folder_that_is_a_link_is_refused(
    command: str, session: Path, tmp_path: Path
) -> None:
    shutil.move(session, tmp_path / "outside")
    session.symlink_to(tmp_path / "outside")
    before = snapshot(tmp_path / "outside")
    sentence = run(command, session, tmp_path / "labels.csv")
    assert f"must not be a symbolic link, and {session} is one" in sentence
    assert snapshot(tmp_path / "outside") == before


def test_a_link_to_no_session_at_all_is_refused_too(session: Path, tmp_path: Path) -> None:
    shutil.rmtree(session)
    (tmp_path / "outside").mkdir()
    session.symlink_to(tmp_path / "outside")
    assert str(session) in run("label", session, tmp_path / "labels.csv")
    assert list((tmp_path / "outside").iterdir()) == []
