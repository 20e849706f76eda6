"""Sessions moved to a server and back: every event as it was, wherever it is interrupted."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest
from typer.testing import CliRunner

from askless.assemble import Method, open_session
from askless.cli import app, main
from askless.core.event import Event
from askless.core.probability import Probs
from askless.errors import InvalidInput, StoreInUse
from askless.folder import location, moving
from askless.folder.files import EVENTS, open_store
from askless.folder.forgetting import forget_all
from askless.folder.moving import move_to_folder, move_to_server
from askless.folder.verifying import verify_session
from tests.stores.servers import Server, server

__all__ = ["server"]  # a fixture

pytestmark = pytest.mark.postgres


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A session with some answers."""
    folder = tmp_path / "session"
    _answer(folder, 3)
    return folder


def _answer(folder: Path, count: int) -> None:
    given = None if folder.exists() else Probs(np.linspace(0.01, 0.99, 40))
    with open_session(given, None if given is None else Method(), folder) as opened:
        for _ in range(count):
            asked = opened.session.ask("ann")
            assert asked is not None
            opened.session.tell(asked.id, asked.question.yes(), uuid4().hex, "ann")


def _events(folder: Path) -> list[Event]:
    with closing(open_store(folder, write=False)) as store:
        return list(store.read())


def test_session_goes_on_where_it_was_moved_to_and_back(server: Server, folder: Path) -> None:
    before, url = _events(folder), server.url()
    assert move_to_server(folder, url) == len(before)
    assert not list(folder.glob(f"{EVENTS}*"))
    assert _events(folder) == before
    _answer(folder, 2)
    later = _events(folder)
    assert later[: len(before)] == before
    assert verify_session(folder).sound
    links = server.execute(
        "SELECT link FROM askless.event WHERE session = %s ORDER BY number", url.partition("#")[2]
    )
    assert move_to_folder(folder) == len(later)
    assert _events(folder) == later
    with closing(open_store(folder)) as store:
        assert store._link == links[-1][0]  # the chain is the same on both sides
    _answer(folder, 1)
    assert move_to_server(folder, url) == len(_events(folder))  # what is there is a part of it


class _Killed(BaseException):
    """As if the process ended here."""


@pytest.mark.parametrize("step", ["know_address", "write_address", "_remove_events"])
def test_move_that_is_interrupted_loses_nothing_and_goes_on(
    server: Server, folder: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, url = _events(folder), server.url()
    _interrupted(monkeypatch, step, lambda: move_to_server(folder, url))
    assert _events(folder) == before
    assert move_to_server(folder, url) == len(before)
    assert _events(folder) == before
    assert not list(folder.glob(f"{EVENTS}*"))


@pytest.mark.parametrize("step", ["_copy", "_same", "remove_address"])
def test_move_back_that_is_interrupted_loses_nothing_and_goes_on(
    server: Server, folder: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _events(folder)
    move_to_server(folder, server.url())
    _interrupted(monkeypatch, step, lambda: move_to_folder(folder))
    assert _events(folder) == before
    _answer(folder, 1)
    later = _events(folder)
    assert move_to_folder(folder) == len(later)
    assert _events(folder) == later


def _interrupted(monkeypatch: pytest.MonkeyPatch, step: str, call: Callable[[], object]) -> None:
    def stop(*_: object) -> None:
        raise _Killed

    with monkeypatch.context() as patch:
        patch.setattr(moving, step, stop)
        with pytest.raises(_Killed):
            call()


def test_address_of_another_session_is_refused(
    server: Server, folder: Path, tmp_path: Path
) -> None:
    url, other = server.url(), tmp_path / "other"
    _answer(other, 1)
    move_to_server(other, url)
    with pytest.raises(InvalidInput, match="another session"):
        move_to_server(folder, url)
    with pytest.raises(InvalidInput, match="move them back"):
        move_to_server(other, server.url())
    assert (folder / EVENTS).exists()


def test_session_somebody_is_at_work_in_is_not_moved(server: Server, folder: Path) -> None:
    with closing(open_store(folder)), pytest.raises(StoreInUse):
        move_to_server(folder, server.url())


def test_folder_of_a_stranger_connects_nowhere(folder: Path) -> None:
    location.write_address(folder, "postgresql://127.0.0.1:1/labels#x")
    for call in (open_store, forget_all):
        with pytest.raises(InvalidInput, match="not used yet"):
            call(folder)
    (finding,) = verify_session(folder).findings
    assert "not used yet" in finding


@pytest.mark.parametrize(
    "content", [b"", b"[", b"[]", b"{}", b'{"address": 3}', b"[" * 50_000, b'"\\ud800"']
)
def test_nonsense_about_where_events_are_is_a_sentence(folder: Path, content: bytes) -> None:
    (folder / location.STORE).write_bytes(content)
    with pytest.raises(InvalidInput, match="good copy"):
        open_store(folder)


def test_command_moves_there_and_back(server: Server, folder: Path) -> None:
    there = CliRunner().invoke(app, ["move", str(folder), server.url(), "--json"])
    assert json.loads(there.stdout)["events"] == len(_events(folder))
    with pytest.raises(InvalidInput, match="askless move"):
        forget_all(folder)
    assert main(["status", str(folder)]) == 0
    assert main(["move", str(folder), "--back"]) == 0
    assert (folder / EVENTS).exists()
    for wrong in ([str(folder)], [str(folder), server.url(), "--back"], [str(folder), "--back"]):
        assert main(["move", *wrong]) == 2
