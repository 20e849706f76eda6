"""A store whose file is taken away while it is open acknowledges nothing more.

SQLite keeps writing to a file that has been deleted or replaced, and every commit succeeds. Before
the store looked for its own files, all 32 answers after each of these attacks were acknowledged and
lost.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from askless.core.event import Event
from askless.errors import NotWritten
from askless.stores.sqlite import SqliteStore
from tests.web.services import client_of, pictures, post, service_on, tell, truthfully

Attack = Callable[[Path], object]


def _suffixed(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _replace_by_a_copy(path: Path) -> None:
    shutil.copy(path, _suffixed(path, "-copy"))
    os.replace(_suffixed(path, "-copy"), path)


def _replace_by_a_link(path: Path) -> None:
    moved = path.with_name("moved")
    path.rename(moved)
    path.symlink_to(moved)


def _write_over(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(os.urandom(size))


def _delete_all(path: Path) -> None:
    for each in path.parent.iterdir():
        if each.is_file():
            each.unlink()


ATTACKS: dict[str, Attack] = {
    "the database is deleted": Path.unlink,
    "the database is emptied": lambda path: os.truncate(path, 0),
    "the database is cut short": lambda path: os.truncate(path, 4096),
    "the database is replaced by a copy": _replace_by_a_copy,
    "the database is replaced by a link": _replace_by_a_link,
    "the database is moved away": lambda path: path.rename(path.with_name("moved")),
    "the database is written over": _write_over,
    "the log is deleted": lambda path: _suffixed(path, "-wal").unlink(),
    "the log is emptied": lambda path: os.truncate(_suffixed(path, "-wal"), 0),
    "the log is written over": lambda path: _write_over(_suffixed(path, "-wal")),
    "the log is replaced by a copy": lambda path: _replace_by_a_copy(_suffixed(path, "-wal")),
    "the lock is deleted": lambda path: _suffixed(path, "-head").unlink(),
    "the folder is removed": lambda path: shutil.rmtree(path.parent),
    "the folder is moved away": lambda path: path.parent.rename(path.parent.with_name("away")),
    "all files are deleted": _delete_all,
}


IN_PLACE = ("the database is written over", "the log is written over", "the log is emptied")
"""Looks like SQLite's own writing if it falls into the microseconds of a commit."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "s").mkdir()
    return tmp_path / "s" / "events.sqlite"


def append(store: SqliteStore, times: int) -> int:
    """How many of so many appends were acknowledged."""
    acknowledged, refused = 0, list[NotWritten]()
    for number in range(times):
        try:
            store.append([Event("answered", "a", {"n": number, "text": "x" * 300})])
            acknowledged += 1
        except NotWritten as error:
            refused.append(error)
    for each in refused:
        assert each.reopen
        assert "events.sqlite" in str(each)
        assert "start askless again" in str(each)
    return acknowledged


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_acknowledged_into_a_store_that_is_gone(attack: str, path: Path) -> None:
    store = SqliteStore(path)
    try:
        assert append(store, 40) == 40
        ATTACKS[attack](path)
        assert append(store, 32) == 0
    finally:
        store.close()


@pytest.mark.parametrize("attack", [name for name in ATTACKS if name not in IN_PLACE])
def test_a_store_that_is_gone_just_before_a_commit_does_not_acknowledge_it(
    attack: str, path: Path
) -> None:
    store = SqliteStore(path)
    try:
        assert append(store, 40) == 40
        assert store._connection is not None

        def strike(_: sa.Connection) -> None:
            if not done:
                done.append(attack)
                ATTACKS[attack](path)

        done: list[str] = []
        sa.event.listen(store._connection.engine, "commit", strike)
        assert append(store, 32) == 0
        assert done == [attack]
    finally:
        store.close()


def test_a_store_beside_which_others_read_and_touch_goes_on(path: Path) -> None:
    store = SqliteStore(path)
    try:
        for _ in range(3):
            assert append(store, 5) == 5
            os.utime(path)
            os.utime(_suffixed(path, "-wal"))
            reader = SqliteStore(path, write=False)
            assert reader.verify() == store.count
            reader.close()
        assert append(store, 5) == 5
    finally:
        store.close()
    SqliteStore(path).close()


def test_a_log_that_is_moved_into_the_database_is_no_attack(path: Path) -> None:
    store = SqliteStore(path)
    try:
        size = path.stat().st_size
        for _ in range(40):  # past the 1,000 pages after which SQLite moves its log
            store.append([Event("answered", "a", {"text": "x" * 4000}) for _ in range(40)])
        assert path.stat().st_size > size
        assert append(store, 5) == 5
    finally:
        store.close()


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_app_acknowledges_no_answer_that_is_not_on_the_disk(
    attack: str, tmp_path: Path
) -> None:
    service = service_on(pictures(tmp_path / "photos", 80))
    path = tmp_path / "photos.askless" / "events.sqlite"
    acknowledged, refused = [], []
    try:
        client = client_of(service)
        question = post(client, "/api/ask", tab="t")["question"]
        question = tell(client, question)["question"]
        ATTACKS[attack](path)
        for number in range(32):
            body = {"tab": "t", "question_id": question["id"], "ticket": question["ticket"]}
            body |= {"key": f"after-{number:08}", "seconds": 1.5, **truthfully(question)}
            reply = client.post("/api/tell", json=body)
            if reply.status_code == 200:
                acknowledged.append(body["key"])
                question = reply.json()["question"]
            else:
                refused.append((reply.status_code, reply.json()["again"]))
    finally:
        service.close()
    # It goes on with a complete copy under the old name; otherwise it says that it cannot.
    assert set(refused) == {(503, True)}
    if acknowledged:
        reader = SqliteStore(path, write=False)
        kept = {event.key for event in reader.read()}
        reader.close()
        assert kept >= set(acknowledged)
