"""A store in one SQLite file: the embedded default.

An append is one transaction, synced before it returns: a few milliseconds on an ordinary
disk, whatever the number of events. Every event is read with its checksum
(`askless.stores._codec`), so nothing damaged is believed; a hundred thousand events
take some seconds. One process writes at a time, any number may read meanwhile.

Beside ``FILE`` stand ``FILE-wal`` and ``FILE-shm``, which are SQLite's, and ``FILE-head``
(`askless.stores._head`). Copy all of them or, better, close the store first.

Not for a folder on a network drive, where locks and ``fsync`` promise less than they say.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import RLock
from typing import Any, cast

import sqlalchemy as sa

from askless.core.event import Event
from askless.errors import AsklessError, Damaged, NotWritten, RepeatedKey, StoreError
from askless.stores._checked import checked
from askless.stores._codec import FIRST, chained, refuse_shared_keys
from askless.stores._file import (
    APPLICATION_ID,
    ERRORS,
    check_files,
    connect_reader,
    connect_writer,
    damaged,
    disconnect,
    empty_log,
    is_damage,
    not_opened,
    not_written,
)
from askless.stores._head import Head, Mark, read_mark
from askless.stores._schema import EVENT, HEAD, check_objects, create, upgrade, version
from askless.stores._watch import Watch, gone

_TAIL = 1000
_CHUNK_BYTES = 1 << 26
_PAYLOAD = list(EVENT.c.keys()).index("payload")
_INSERT = f"INSERT INTO event VALUES ({', '.join('?' * len(EVENT.c))})"
"""Written out, since SQLAlchemy would compile it for every append."""
_SELECT = (
    sa.select(EVENT)
    .where(EVENT.c.number >= sa.bindparam("first"))
    .order_by(EVENT.c.number)
    .limit(sa.bindparam("most"))
)
_LAST = sa.select(EVENT.c.number, EVENT.c.link).order_by(EVENT.c.number.desc()).limit(1)


class SqliteStore:
    """Keeps events in a SQLite file; obeys `askless.seams.Store`. Threads take turns.

    Opening looks before it touches anything: if the file is damaged it is left as it is.
    To read what is sound in it, open it with `write` False.

    Parameters
    ----------
    path
        The file; made if there is none and `write` is True.
    write
        Whether events will be appended. Only one such store can be open at a time.

    Raises
    ------
    StoreInUse
        Another process, or this one, has it open for writing.
    Damaged
        The file is not as it was written; only when opened for writing, or if nothing at all
        can be read.
    StoreError
        It cannot be opened, is no store, or was written by a newer askless.
    """

    def __init__(self, path: str | Path, *, write: bool = True) -> None:
        self._path = Path(path).absolute()
        self._pid = os.getpid()
        self._lock = RLock()
        self._head: Head | None = None
        self._connection: sa.Connection | None = None
        self._watch: Watch | None = None
        self._broken = ""
        self._count, self._link = 0, FIRST
        try:
            if write:
                self._head = Head(self._path)
                self._look()
                self._connection = connect_writer(self._path)
                self._take_up()
            else:
                self._refuse_emptied(read_mark(self._path))
                self._connection = connect_reader(self._path)
                self._check_version()
        except BaseException as error:
            self.close()
            if isinstance(error, AsklessError) or not isinstance(error, ERRORS):
                raise
            if is_damage(error):
                what = "it is no SQLite file, or its first page is not as it was written"
                raise damaged(self._path, what, 0) from error
            raise not_opened(self._path, error, write=write) from error

    @property
    def count(self) -> int:
        """How many events it holds; only known to who writes."""
        return self._count

    def append(self, events: Sequence[Event]) -> int:
        """Keep these events, all or none of them; durable when it returns."""
        with self._lock:
            connection = self._usable()
            if self._head is None or self._watch is None:
                raise StoreError(f"{self._path} was opened for reading only.")
            if self._broken:
                raise NotWritten(self._broken, reopen=True)
            refuse_shared_keys(events)
            first = self._count
            if not events:
                return first
            rows = chained(first, self._link, events)
            try:
                self._check_files()
                with connection.begin():
                    connection.exec_driver_sql(_INSERT, rows)
                self._watch.check()
            except NotWritten as error:
                self._broken = str(error)
                raise
            except sa.exc.IntegrityError as error:
                raise self._refusal(connection, events) from error
            except sa.exc.DBAPIError as error:
                failure = not_written(self._path, error)
                if failure.reopen:
                    self._broken = str(failure)
                raise failure from error
            except BaseException:
                # Interrupted: the commit may or may not have happened.
                self._broken = (
                    f"An append to {self._path} was interrupted; open the store again to go on."
                )
                raise
            self._count, self._link = first + len(rows), rows[-1][-1]
            self._head.advance(Mark(self._count, self._link))
            return first

    def read(self, after: int = -1) -> Iterator[Event]:
        """The events whose number is above `after`, in order, each checked."""
        with self._lock:
            self._usable()
            # Looked up before the events are, so that it cannot be ahead of them.
            mark = Mark(self._count, self._link) if self._head else read_mark(self._path)
        return self._read(max(after, -1) + 1, mark)

    def verify(self) -> int:
        """Check the whole file, indexes too, and return the number of events.

        Raises
        ------
        Damaged
            Something is not as it was written.
        """
        count = sum(1 for _ in self.read())
        self.check_pages()
        return count

    def close(self) -> None:
        """Let go of everything; a second time does nothing."""
        with self._lock:
            if self._connection is not None:
                disconnect(self._connection)
                self._connection = None
            if self._head is not None:
                self._head.close()

    # --- opening --------------------------------------------------------------------------------

    def _look(self) -> None:
        """Refuse what is damaged or not ours, through a connection that changes nothing."""
        assert self._head is not None
        mark = self._head.mark
        if self._refuse_emptied(mark):
            create(self._path)
        self._connection = connect_reader(self._path)
        known = self._check_version()
        self.check_pages()
        if known == HEAD:
            with self._connection.begin():
                last = self._connection.execute(_LAST).first()
            count = 0 if last is None else last.number + 1
            for _ in self._read(max(count - _TAIL, 0), mark):
                pass
        disconnect(self._connection)
        self._connection = None

    def _refuse_emptied(self, mark: Mark | None) -> bool:
        """Whether there is nothing, as there should be by the mark."""
        status = check_files(self._path)
        empty = status is None or status.st_size == 0
        if empty and mark is not None and mark.count:
            raise damaged(self._path, f"it is empty or gone, and held {mark.count} events", 0)
        return empty

    def _take_up(self) -> None:
        """Bring the tables up to date, leave nothing in the log, and find the end."""
        connection = self._usable()
        with connection.begin():
            if version(connection) != HEAD:
                upgrade(connection)
        empty_log(connection, self._path)
        with connection.begin():
            last = connection.execute(_LAST).first()
        if last is not None:
            self._count, self._link = last.number + 1, last.link
        assert self._head is not None
        self._head.advance(Mark(self._count, self._link))
        self._watch = Watch(self._path)

    def _check_files(self) -> None:
        """Refuse to append to files that are gone, or that somebody else has written to."""
        assert self._watch is not None
        if not self._watch.check():
            return
        try:
            other = SqliteStore(self._path, write=False)
            try:
                sound = other.verify() == self._count
            finally:
                other.close()
        except StoreError as error:
            raise gone(self._path, "it was changed by another program", error) from error
        if not sound:
            raise gone(self._path, "it was changed by another program")

    def _check_version(self) -> str:
        connection = self._usable()
        with connection.begin():
            check_objects(connection, self._path)
            found = version(connection)
            theirs = connection.exec_driver_sql("PRAGMA application_id").scalar()
        if found is None or theirs != APPLICATION_ID:
            raise StoreError(f"{self._path} is not a store of askless; name another file.")
        if found > HEAD:
            raise StoreError(
                f"{self._path} has schema {found}; this askless knows up to {HEAD}. "
                "Use the askless that wrote it, or a newer one."
            )
        if found < HEAD and self._head is None:
            raise StoreError(
                f"{self._path} has schema {found} and must be brought to {HEAD} before it can "
                "be read. Open it for writing once."
            )
        return found

    def check_pages(self) -> None:
        """Check the file's pages and indexes, and no event; `verify` does both."""
        connection = self._usable()
        try:
            with self._lock, connection.begin():
                found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        except sa.exc.SQLAlchemyError as error:
            if not is_damage(error):
                raise StoreError(f"{self._path} cannot be read: {error}.") from error
            found = str(getattr(error, "orig", error))
        if found != "ok":
            raise damaged(self._path, f"SQLite finds: {found}", self._sound())

    def _sound(self) -> int:
        """How many events can be read from the first on."""
        count = 0
        try:
            for _ in self._read(0, None):
                count += 1
        except Damaged:
            pass
        return count

    # --- reading --------------------------------------------------------------------------------

    def _read(self, number: int, mark: Mark | None) -> Iterator[Event]:
        return checked(self._path, self._rows, number, mark)

    def _rows(self, first: int, most: int) -> Sequence[Sequence[Any]]:
        with self._lock:
            connection = self._usable()
            with connection.begin():
                found = connection.execute(_SELECT, {"first": first, "most": most})
                rows, size = [], 0
                # The driver's own rows: plain tuples, which take SQLAlchemy nothing to make.
                for row in cast("sqlite3.Cursor", found.cursor):
                    rows.append(row)
                    size += len(row[_PAYLOAD])
                    if size > _CHUNK_BYTES:
                        break
                found.close()
                return rows

    # --- what to say ----------------------------------------------------------------------------

    def _usable(self) -> sa.Connection:
        if self._connection is None:
            raise StoreError(f"{self._path} is closed; open it again to use it.")
        if os.getpid() != self._pid:
            raise StoreError(
                f"{self._path} was opened by the process this one was forked from; "
                "open it again here."
            )
        return self._connection

    def _refusal(self, connection: sa.Connection, events: Sequence[Event]) -> Exception:
        """Why an append broke a rule of the table."""
        keys = [event.key for event in events if event.key is not None]
        with connection.begin():
            first = connection.execute(
                sa.select(EVENT.c.key, EVENT.c.number)
                .where(EVENT.c.key.in_(keys))
                .order_by(EVENT.c.number)
            ).first()
        if first is not None:
            return RepeatedKey(first.key, first.number)
        self._broken = (
            f"{self._path} has events that this process did not write; open the store again."
        )
        return NotWritten(self._broken, reopen=True)
