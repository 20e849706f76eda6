"""Talking to one SQLite file: connections with the right settings, and errors as sentences.

Settings, and what each is for:

- ``journal_mode=WAL``: a commit is one write and one ``fsync`` at the end of a log, and
  readers work beside the writer.
- ``synchronous=FULL``: that ``fsync`` happens at every commit and not now and then. Without
  it an acknowledged answer can be lost with the power.
- ``fullfsync``, ``checkpoint_fullfsync``: the same on macOS, where a plain ``fsync`` leaves
  data in the drive; nothing elsewhere.
- ``cell_size_check``: look for damage when a page is read.
- ``trusted_schema=OFF``: whatever the file defines runs no function with side effects.

A file may come from a stranger. SQLite follows links, so the database and the files beside it are
looked at before it opens them and once more after that: what stood under the name before and after
is what SQLite has open, since nobody else may write to the folder meanwhile. A text in the file has
at most `_LONGEST` bytes, and a statement of a reader ends after `_MOST_STEPS` steps of SQLite's.

Tested in tests/stores/test_sqlite.py.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

import sqlalchemy as sa

from askless.errors import Damaged, NotWritten, StoreError
from askless.files import check_plain, sync

APPLICATION_ID: Final = 0x61736B6C
"""Marks a SQLite file as ours: 'askl'."""

WRITER_SETTINGS: Final = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "fullfsync": "ON",
    "checkpoint_fullfsync": "ON",
}

_LONGEST: Final = 1 << 28
_STRIDE: Final = 100_000
_MOST_STEPS: Final = 100_000_000
"""A few seconds; reading two thousand events takes some fifty thousand steps."""

_NONSENSE: Final = (ArithmeticError, LookupError, TypeError, ValueError, sa.exc.SQLAlchemyError)
"""What the layers below us raise when a file says something that nobody would have written."""

ERRORS: Final = (OSError, sqlite3.Error, *_NONSENSE)
"""What can go wrong below us."""

_DAMAGE: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_UNREADABLE: Final = {
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
}
"""Of the many codes for input and output, those that speak of what is on the disk."""


def connect(path: Path, mode: Literal["ro", "rw", "rwc", "immutable"]) -> sa.Connection:
    """One connection; whoever closes it calls `disconnect`."""
    query = "immutable=1" if mode == "immutable" else f"mode={mode}"
    uri = f"file:{quote(str(path))}?{query}"
    steps = _Steps()

    def open_() -> sqlite3.Connection:
        # isolation_level None: transactions begin where we say, DDL included.
        driver = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        driver.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        if mode in ("ro", "immutable"):
            driver.set_progress_handler(steps.count, _STRIDE)
        for setting in ("trusted_schema=OFF", "cell_size_check=ON"):
            driver.execute(f"PRAGMA {setting}")
        return driver

    def begin(begun: sa.Connection) -> None:
        steps.taken = 0
        begun.exec_driver_sql("BEGIN")

    before = check_files(path)
    engine = sa.create_engine("sqlite://", creator=open_, poolclass=sa.StaticPool)
    sa.event.listen(engine, "begin", begin)
    connection = engine.connect()
    after = check_files(path)
    if before is not None and (after is None or not os.path.samestat(before, after)):
        disconnect(connection)
        raise StoreError(f"{path} was replaced while it was being opened; try again.")
    return connection


def check_files(path: Path) -> os.stat_result | None:
    """What the database is, if it is there; it and the files beside it must be plain files."""
    for suffix in ("-wal", "-shm", "-journal", "-head"):
        check_plain(path.with_name(path.name + suffix))
    return check_plain(path)


class _Steps:
    """Counts what a statement does, and ends one that does too much."""

    def __init__(self) -> None:
        self.taken = 0

    def count(self) -> bool:
        self.taken += _STRIDE
        return self.taken > _MOST_STEPS


def connect_writer(path: Path) -> sa.Connection:
    """A connection whose commits are durable when they return."""
    connection = connect(path, "rw")
    try:
        driver = connection.connection
        for setting, value in WRITER_SETTINGS.items():
            driver.execute(f"PRAGMA {setting}={value}")
        (mode,) = driver.execute("PRAGMA journal_mode").fetchone()
        if mode != "wal":
            raise StoreError(
                f"{path} must be on a file system where SQLite can share memory (WAL mode); "
                f"here it falls back to {mode!r}. Use a local disk."
            )
    except BaseException:
        disconnect(connection)
        raise
    return connection


def connect_reader(path: Path) -> sa.Connection:
    """A connection that changes nothing, also where nothing may be written."""
    connection = connect(path, "ro")
    try:
        connection.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        disconnect(connection)
        if code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        # In a folder that cannot be written SQLite cannot make its shared memory. Without a
        # log there is nothing to share, and the file may be read as it stands.
        if not os.access(path, os.R_OK):
            raise
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size > 0:
            raise StoreError(
                f"{path} cannot be read here: its newest events are still in its log, and SQLite "
                "reads that only in a folder it may write to. Copy the folder to such a place."
            ) from error
        return connect(path, "immutable")
    except BaseException:
        disconnect(connection)
        raise
    return connection


def disconnect(connection: sa.Connection) -> None:
    """Close a connection and everything behind it."""
    engine = connection.engine
    connection.close()
    engine.dispose()


def empty_log(connection: sa.Connection, path: Path) -> None:
    """Move the log into the database and make that durable before anything is built on it.

    After an ``fsync`` that failed, the log may be on the disk with holes in it, though it
    reads well from memory; no later ``fsync`` mends that.
    """
    busy, _, _ = connection.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StoreError(
            f"{path} is being read by a program that does not come to an end; "
            "close that and try again."
        )
    sync(path.with_name(path.name + "-wal"))
    # SQLite syncs the name of a new log itself, but says nothing if it cannot.
    sync(path.parent)


def code(error: BaseException) -> int:
    """SQLite's primary code of an error; 0 if it has none."""
    return int(getattr(_origin(error), "sqlite_errorcode", 0)) & 0xFF


def is_damage(error: BaseException) -> bool:
    """Whether the error speaks of the file's content and not of the moment."""
    origin = _origin(error)
    if not isinstance(origin, (sqlite3.Error, OSError)):
        return isinstance(origin, _NONSENSE)
    # SQLite calls a schema that makes no sense an error of the moment.
    told = str(origin)
    unreadable = getattr(origin, "sqlite_errorcode", 0) in _UNREADABLE
    if code(error) in (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_TOOBIG):
        return True  # it goes beyond the limits of `connect`
    return code(error) in _DAMAGE or unreadable or "decode" in told or "malformed" in told


def not_opened(path: Path, error: BaseException, *, write: bool) -> StoreError:
    """Why a store cannot be opened."""
    why = getattr(error, "strerror", None) or _origin(error)
    how = "for writing, which needs a folder that may be written to" if write else "for reading"
    return StoreError(f"{path} cannot be opened {how}: {why}.")


def not_written(path: Path, error: sa.exc.DBAPIError) -> NotWritten:
    """Why an append failed, and whether the store can go on."""
    if code(error) == sqlite3.SQLITE_FULL:
        return NotWritten(
            f"The disk of {path} is full: the append was not kept, everything before it is "
            "safe. Free some space and try again.",
            reopen=False,
        )
    if code(error) == sqlite3.SQLITE_BUSY:
        return NotWritten(
            f"Another program keeps {path} locked: the append was not kept, everything before "
            "it is safe. Try again when that program is done.",
            reopen=False,
        )
    return NotWritten(
        f"{path} could not be written: {error.orig}. Everything acknowledged before is safe. "
        "Open the store again to see whether this append was kept, and to go on.",
        reopen=True,
    )


def damaged(place: object, what: str, sound: int) -> Damaged:
    """What is wrong with a store, and what can still be done with it."""
    return Damaged(
        f"{place} is damaged: {what}. Nothing was changed. Its first {sound} events are sound "
        "and can still be read; put back a good copy to go on.",
        sound,
    )


def _origin(error: BaseException) -> BaseException | None:
    """The driver's own error, whether SQLAlchemy has wrapped it or not."""
    return error.orig if isinstance(error, sa.exc.DBAPIError) else error
