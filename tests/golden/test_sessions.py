"""Sessions of every format there was can be read, verified, exported and gone on with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from askless.assemble import open_session, read_session
from askless.core.event import NEWEST_FORMAT
from askless.folder.verifying import verify_session
from askless.history.labels import accepted_of
from askless.session.session import Session
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
    assert verify_session(folder).sound
    with open_session(folder=folder) as working:
        session = working.session
        was = _in_words_of_now(json.loads(known.read_text()), session)
        assert json.loads(json.dumps(what_is_known(session))) == was
        asked = session.ask("ann")
        assert asked is not None
        session.tell(asked.id, asked.question.yes(), "one more")
    kept = read_session(folder)
    assert kept.items().ids[3] == "pictures/3.png"
    assert kept.items().copies[2] == ("pictures/copy of 2.png",)
    assert kept.about["positive"] == "shoes"
    assert kept.method.test_sample == 2


def _in_words_of_now(known: dict[str, Any], session: Session) -> dict[str, Any]:
    """What has another word now.

    An open item once had a predicted label; whoever was beside a pointed one, was pointed; an item
    that was gone without a label was unsure, though nobody had marked it; open items of a claim
    were not called accepted.
    """
    history = session.history
    accepted = accepted_of(history)
    for item, entry in enumerate(known["labels"]):
        if entry[1] == "unsure" and item in history.source.gone and item not in history.unsure:
            entry[1] = ""
        if entry[1] == "predicted":
            entry[:2] = None, ""
        if accepted is not None and accepted.items[item]:
            entry[1] = "accepted"
        elif (
            entry[1] == "pointed" and item not in session.history.answers[entry[2][0]].answer.wrong
        ):
            entry[1] = "group"
    return known


def test_every_kind_of_event_is_in_it(copied: tuple[Path, Path]) -> None:
    from typing import get_args

    from askless.core.event import Event, Kind
    from askless.stores.sqlite import SqliteStore

    store = SqliteStore(copied[0] / "events.sqlite", write=False)
    events = list(store.read())
    store.close()
    newest = max(event.format for event in events)
    known = {kind for kind in get_args(Kind) if Event(kind).format <= newest}
    assert {event.kind for event in events} == known
