"""Sessions of every format there was can be read, verified, exported and gone on with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from askless import folder as folders
from askless.assemble import open_session, read_session
from askless.core.event import NEWEST_FORMAT
from tests.golden.make_session import what_is_known

FOLDERS = sorted(path for path in Path(__file__).parent.glob("session-*") if path.is_dir())


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name)
def copied(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A copy to work on, and what should come out of it."""
    shutil.copytree(request.param, tmp_path / "s")
    return tmp_path / "s", request.param.with_suffix(".json")


def test_there_is_a_session_of_today() -> None:
    assert f"session-format-{NEWEST_FORMAT}" in [folder.name for folder in FOLDERS]


def test_an_old_session_means_what_it_meant_and_goes_on(copied: tuple[Path, Path]) -> None:
    folder, known = copied
    assert folders.verify(folder).sound
    with open_session(folder=folder) as working:
        session = working.session
        assert json.loads(json.dumps(what_is_known(session))) == json.loads(known.read_text())
        asked = session.ask("ann")
        assert asked is not None
        session.tell(asked.id, asked.question.yes(), "one more")
    kept = read_session(folder)
    assert kept.items().ids[3] == "pictures/3.png"
    assert kept.items().copies[2] == ("pictures/copy of 2.png",)
    assert kept.about["positive"] == "shoes"
    assert kept.method.test_sample == 2


def test_every_kind_of_event_is_in_it(copied: tuple[Path, Path]) -> None:
    from typing import get_args

    from askless.core.event import Kind
    from askless.stores.sqlite import SqliteStore

    store = SqliteStore(copied[0] / "events.sqlite", write=False)
    kinds = {event.kind for event in store.read()}
    store.close()
    assert kinds >= set(get_args(Kind)) - {"planned"}  # which came with format 2
