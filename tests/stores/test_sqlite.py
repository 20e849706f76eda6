from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from askless.core.event import Event
from askless.errors import RepeatedKey, StoreError
from askless.stores import _schema
from askless.stores._file import connect, disconnect
from askless.stores.sqlite import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store with three events is."""
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.append([Event("opened"), Event("asked", "ann"), Event("answered", "ann", key="k")])
    return path


def test_store_is_synced_at_every_commit_and_keeps_a_log(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        driver = store._usable().connection
        assert driver.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert driver.execute("PRAGMA synchronous").fetchone() == (2,)


def test_closed_store_is_one_file_and_its_head(path: Path) -> None:
    assert sorted(file.name for file in path.parent.iterdir()) == ["store.db", "store.db-head"]


def test_names_with_odd_characters_are_file_names_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "50% of? #1 ü.db"
    for count in range(2):
        with closing(SqliteStore(path)) as store:
            assert store.verify() == count
            store.append([Event("opened")])
    assert path.exists()


def test_store_stays_where_it_is_when_the_process_moves(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    with closing(SqliteStore(path.name, write=False)) as store:
        monkeypatch.chdir("/")
        assert store.verify() == 3


def test_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "store.db").touch()
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.append([Event("opened")])
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        assert store.verify() == 1


def test_half_made_store_is_made_again(tmp_path: Path) -> None:
    for part in ("-new", "-new-journal", "-new-wal"):
        (tmp_path / f"store.db{part}").write_bytes(b"half")
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        assert store.verify() == 0
    assert not list(tmp_path.glob("*-new*"))


def test_opening_for_reading_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened for reading"):
        SqliteStore(tmp_path / "store.db", write=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("write", [True, False])
def test_database_of_somebody_else_is_refused_and_left_alone(tmp_path: Path, write: bool) -> None:
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path)) as theirs:
        theirs.execute("CREATE TABLE event (number)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is not a store of askless"):
        SqliteStore(path, write=write)
    assert path.read_bytes() == before


@pytest.mark.parametrize("write", [True, False])
def test_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, write: bool) -> None:
    path = tmp_path / "text.db"
    path.write_text("My diary, " * 100)
    with pytest.raises(StoreError, match="is no SQLite file, or its first page"):
        SqliteStore(path, write=write)
    assert path.read_text() == "My diary, " * 100


@pytest.mark.parametrize("write", [True, False])
def test_store_of_a_newer_askless_is_refused(path: Path, write: bool) -> None:
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute("UPDATE alembic_version SET version_num = '9999'")
        stranger.commit()
    with pytest.raises(StoreError, match="has schema 9999; this askless knows up to"):
        SqliteStore(path, write=write)


def test_event_in_a_newer_format_is_refused(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.append([Event("opened"), Event("opened", format=99)])
        events = store.read()
        assert next(events).number == 0
        with pytest.raises(StoreError, match="Event 1 is written in format 99"):
            next(events)


def test_migrations_make_the_table_that_the_code_describes(path: Path) -> None:
    connection = connect(path, "ro")
    found = compare_metadata(MigrationContext.configure(connection), _schema.METADATA)
    disconnect(connection)
    assert found == []
    script = ScriptDirectory(str(Path(_schema.__file__).with_name("migrations")))
    assert script.get_heads() == [_schema.HEAD]


def test_store_of_an_older_schema_is_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Played with a database at no schema at all, since there is only one so far."""
    path = tmp_path / "store.db"
    connection = connect(path, "rwc")
    with connection.begin():
        connection.exec_driver_sql(f"PRAGMA application_id={0x61736B6C}")
        connection.execute(
            sa.text(
                "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
                "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
            )
        )
        connection.execute(sa.text("INSERT INTO alembic_version VALUES ('0000')"))
    disconnect(connection)
    with pytest.raises(StoreError, match="must be brought to 0001 before it can be read"):
        SqliteStore(path, write=False)

    def upgrade(connection: sa.Connection) -> None:
        connection.execute(sa.text("DELETE FROM alembic_version"))
        _schema.upgrade(connection)

    monkeypatch.setattr("askless.stores.sqlite.upgrade", upgrade)
    with closing(SqliteStore(path)) as store:
        store.append([Event("opened")])
    with closing(SqliteStore(path, write=False)) as store:
        assert store.verify() == 1


def test_opening_an_up_to_date_store_loads_no_alembic(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from askless.stores.sqlite import SqliteStore;"
        f"SqliteStore(Path({str(path)!r})).close();"
        "print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_threads_take_turns(path: Path) -> None:
    with closing(SqliteStore(path)) as store:

        def append(name: str) -> None:
            for _ in range(20):
                store.append([Event("asked", name), Event("answered", name)])
                list(store.read(after=10))

        threads = [threading.Thread(target=append, args=(f"thread {n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        events = list(store.read(after=2))
        assert len(events) == 160
        assert all(a.annotator == b.annotator for a, b in zip(events[::2], events[1::2]))  # noqa: B905


def test_interrupted_append_must_be_looked_into(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C between the commit and its acknowledgement: only opening again tells."""
    store = SqliteStore(path)
    commit = sa.Connection._commit_impl

    def interrupted(self: sa.Connection) -> None:
        commit(self)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sa.Connection, "_commit_impl", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.append([Event("answered", key="in doubt")])
    with pytest.raises(StoreError, match="open the store again to go on"):
        store.append([Event("answered", key="in doubt")])
    store.close()
    with closing(SqliteStore(path)) as store, pytest.raises(RepeatedKey):
        store.append([Event("answered", key="in doubt")])


def test_other_program_that_keeps_the_file_locked_is_named_and_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStore(path)) as store:
        store._usable().connection.execute("PRAGMA busy_timeout=10")
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="Another program keeps") as caught:
                store.append([Event("opened")])
            assert caught.value.reopen is False  # type: ignore[attr-defined]
        assert store.append([Event("opened")]) == 3


def test_events_of_another_writer_are_not_written_over(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        with closing(sqlite3.connect(path)) as other:
            other.execute(
                "INSERT INTO event SELECT 3,1,kind,'',0,NULL,'{}',link FROM event LIMIT 1"
            )
            other.commit()
        with pytest.raises(StoreError, match="it was changed by another program"):
            store.append([Event("opened")])
