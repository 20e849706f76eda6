"""The store on a PostgreSQL server, tried against a real one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from askless.cli import app
from askless.core.event import Event
from askless.errors import (
    Damaged,
    InvalidInput,
    NotWritten,
    RepeatedKey,
    StoreError,
    StoreInUse,
)
from askless.stores import open_store
from askless.stores._server import Address, connect, unsafe_defaults, unsafe_settings
from tests.stores.servers import Server, running, server

if TYPE_CHECKING:
    from askless.stores.postgresql import PostgresqlStore

__all__ = ["server"]  # a fixture

pytestmark = pytest.mark.postgres
THREE = (Event("opened"), Event("asked", "ann"), Event("answered", "ann", key="k"))


@pytest.fixture
def url(server: Server) -> str:
    """A session with three events."""
    url = server.url()
    with closing(_open(url)) as store:
        store.append(THREE)
    return url


def _open(url: str, *, write: bool = True, silent_s: float = 10.0) -> PostgresqlStore:
    from askless.stores.postgresql import PostgresqlStore

    return PostgresqlStore(url, write=write, silent_s=silent_s)


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("postgresql://ann:secret@host/db#pool", "password"),
        ("postgresql://host/db?password=secret#pool", "password"),
        ("postgresql://host/db", "#SESSION"),
        ("postgresql://host/#pool", "DATABASE"),
        ("postgresql://host/db#no spaces", "#SESSION"),
        ("postgresql://host/db#" + "x" * 101, "#SESSION"),
        ("mysql://host/db#pool", "postgresql://"),
        ("postgresql://[host/db#pool", "postgresql://"),
    ],
)
def test_addresses_that_name_no_session_are_refused(url: str, word: str) -> None:
    with pytest.raises(InvalidInput, match=word) as refused:
        Address.parse(url)
    assert "secret" not in str(refused.value)


def test_sessions_of_one_server_do_not_see_each_other(server: Server, url: str) -> None:
    other = server.url()
    with closing(_open(other)) as store:
        assert list(store.read()) == []
        store.append([Event("opened", key="k")])  # the same key, in another session
    with closing(_open(url)) as store:
        assert store.verify() == 3


def test_second_writer_is_told_who_writes_and_may_read(url: str) -> None:
    with closing(_open(url)) as store:
        with pytest.raises(StoreInUse, match=f"process {os.getpid()} on "):
            _open(url)
        with closing(_open(url, write=False)) as reader:
            store.append([Event("exported")])
            assert len(list(reader.read())) == 4
            with pytest.raises(StoreError, match="reading only"):
                reader.append([Event("exported")])


def test_lock_goes_with_a_process_that_is_killed(url: str) -> None:
    with _writer(url) as pid:
        with pytest.raises(StoreInUse):
            _open(url)
        os.kill(pid, signal.SIGKILL)
        with closing(_patiently(url)) as store:
            assert store.append([Event("exported")]) == 3


def test_writer_that_hangs_is_deposed_and_can_never_write_again(server: Server, url: str) -> None:
    hung = _open(url)
    # Silent from now on, as if the process were stopped.
    assert hung._lock is not None
    hung._lock._over.set()
    server.execute("UPDATE askless.writer SET alive = alive - interval '1 minute'")
    with closing(_open(url)) as store:
        assert store.append([Event("exported", "second")]) == 3
        with pytest.raises(NotWritten) as refused:
            hung.append([Event("exported", "first")])
        assert refused.value.reopen
        with pytest.raises(NotWritten):
            hung.append([Event("exported", "first")])
        assert [event.annotator for event in store.read()][3:] == ["second"]
    hung.close()


def test_stopped_process_is_deposed_by_the_servers_clock(url: str) -> None:
    with _writer(url) as pid:
        os.kill(pid, signal.SIGSTOP)
        with closing(_patiently(url, silent_s=3.0)) as store:
            assert store.append([Event("exported")]) == 3


def test_event_of_another_writer_at_the_same_position_is_found_out(
    server: Server, url: str
) -> None:
    with closing(_open(url)) as store:
        server.execute(
            "INSERT INTO askless.event "
            "SELECT session, 3, format, kind, annotator, at_s, NULL, payload, link "
            "FROM askless.event WHERE session = %s AND number = 2",
            url.partition("#")[2],
        )
        with pytest.raises(NotWritten, match="did not write") as refused:
            store.append([Event("exported")])
        assert refused.value.reopen
    with pytest.raises(Damaged, match="event 3"):
        _open(url)


def test_connection_that_the_server_ends_costs_no_acknowledged_answer(
    server: Server, url: str
) -> None:
    store = _open(url)
    server.execute("SELECT pg_terminate_backend(backend) FROM askless.writer")
    with pytest.raises(NotWritten) as refused:
        store.append([Event("answered", "ann", key="lost?")])
    assert refused.value.reopen
    store.close()
    with closing(_open(url)) as again:
        assert again.append([Event("answered", "ann", key="lost?")]) == 3
        with pytest.raises(RepeatedKey):
            again.append([Event("answered", "ann", key="lost?")])


def test_what_was_acknowledged_outlives_a_server_that_is_killed() -> None:
    with running() as own:
        url = own.url()
        store = _open(url)
        acknowledged = [store.append([Event("answered", key=str(n))]) for n in range(20)]
        own.kill()
        with pytest.raises(NotWritten) as refused:
            store.append([Event("answered", key="20")])
        assert refused.value.reopen
        store.close()
        own.start()
        with closing(_patiently(url)) as again:
            assert [event.number for event in again.read()] == acknowledged


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("DELETE FROM askless.event WHERE session = %s AND number = 1", "event 1"),
        ("UPDATE askless.event SET annotator = 'bob' WHERE session = %s AND number = 1", "event 1"),
        ("UPDATE askless.event SET link = '\\x00' WHERE session = %s AND number = 2", "event 2"),
    ],
)
def test_events_that_were_changed_are_not_believed(
    server: Server, url: str, change: str, word: str
) -> None:
    server.execute(change, url.partition("#")[2])
    with closing(_open(url, write=False)) as reader, pytest.raises(Damaged, match=word):
        reader.verify()
    with pytest.raises(Damaged, match=word):
        _open(url)


def test_server_that_could_lose_answers_is_refused() -> None:
    with running() as own:
        own.stop()
        own.start("fsync=off", "synchronous_commit=off")
        with pytest.raises(StoreError, match="fsync = off"):
            _open(own.url())
        with closing(connect(Address.parse(own.url()))) as connection:
            assert len(unsafe_settings(connection)) == 1
            (default,) = unsafe_defaults(connection)
            assert "synchronous_commit = off" in default
            row = connection.execute("SHOW synchronous_commit").fetchone()
            assert row == ("on",)  # of our own connections, whatever the default is


def test_safe_server_has_nothing_against_it(server: Server) -> None:
    with closing(connect(Address.parse(server.url()))) as connection:
        assert [*unsafe_settings(connection), *unsafe_defaults(connection)] == []


def test_newer_schema_is_refused_and_no_session_is_said() -> None:
    with running() as own:
        url = own.url()
        with pytest.raises(StoreError, match="no session"):
            _open(url, write=False)
        _open(url).close()
        own.execute("UPDATE askless.alembic_version SET version_num = '9999'")
        for write in (False, True):
            with pytest.raises(StoreError, match="9999"):
                _open(url, write=write)


def test_no_server_is_a_sentence(server: Server) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        _open(server.url().replace(str(server.port), "1"))


def test_open_store_knows_stores_by_their_address(url: str, tmp_path: Path) -> None:
    with closing(open_store(url)) as store:
        assert len(list(store.read())) == 3
    for named in (tmp_path / "a.db", str(tmp_path / "b.db"), f"sqlite:///{tmp_path}/c.db"):
        with closing(open_store(named)) as store:
            store.append([Event("opened")])
    assert sorted(path.name for path in tmp_path.glob("*.db")) == ["a.db", "b.db", "c.db"]
    with pytest.raises(InvalidInput, match="mysql"):
        open_store("mysql://host/db")


def test_doctor_says_whether_a_server_is_safe(server: Server) -> None:
    safe = CliRunner().invoke(app, ["doctor", "--json", "--store", server.url()])
    found = {each["what"]: each for each in json.loads(safe.stdout)["findings"]}
    assert found["server"]["found"]
    nobody = server.url().replace(str(server.port), "1")
    unsafe = CliRunner().invoke(app, ["doctor", "--store", nobody])
    assert unsafe.exit_code == 1
    assert "cannot be opened" in unsafe.stdout


# --- other processes --------------------------------------------------------------------------

_WRITE = """
import sys, time
from askless.stores.postgresql import PostgresqlStore
store = PostgresqlStore(sys.argv[1])
print("open", flush=True)
time.sleep(600)
"""


@contextmanager
def _writer(url: str) -> Iterator[int]:
    """A process that has the store open for writing."""
    command = [sys.executable, "-c", _WRITE, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
            yield process.pid
        finally:
            process.kill()


def _patiently(url: str, silent_s: float = 10.0) -> PostgresqlStore:
    """Open the store as soon as that is possible."""
    for _ in range(600):
        try:
            return _open(url, silent_s=silent_s)
        except StoreError as error:
            last = error
            time.sleep(0.1)
    raise last
