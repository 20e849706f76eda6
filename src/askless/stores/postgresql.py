"""A store on a PostgreSQL server: for teams, and where a machine may die.

An append is one transaction, on the server's disk before it returns. Events of many sessions share
one table; each has its own numbers and its own chain of checksums (`askless.stores._codec`), the
same as in a file, so that a session can be moved either way and proved to be the same. One process
writes to a session at a time, fenced by a lock of its own connection
(`askless.stores._writer_lock`); any number may read meanwhile.

Needs the extra `postgres` (psycopg 3). Not behind a pooler that shares connections between
transactions. Tested in tests/laws/test_store_laws.py and tests/stores/test_postgresql.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from askless.core.event import Event
from askless.errors import AsklessError, NotWritten, RepeatedKey, StoreError
from askless.stores._checked import checked
from askless.stores._codec import FIRST, chained, refuse_shared_keys
from askless.stores._file import damaged
from askless.stores._head import Mark
from askless.stores._schema import upgrade
from askless.stores._server import Address, connect, in_one_line, psycopg_module, unsafe_settings
from askless.stores._writer_lock import SILENT_S, WriterLock

if TYPE_CHECKING:
    import psycopg

HEAD: Final = "0001"
"""The newest schema; the name of the last file in ``migrations_postgresql/versions``."""
_SCHEMA: Final = "askless"
_COLUMNS: Final = "number, format, kind, annotator, at_s, key, payload, link"
_INSERT: Final = (
    f"INSERT INTO askless.event (session, {_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
_SELECT: Final = (
    f"SELECT {_COLUMNS} FROM askless.event "
    "WHERE session = %s AND number >= %s ORDER BY number LIMIT %s"
)
_LAST: Final = (
    "SELECT number, link FROM askless.event WHERE session = %s ORDER BY number DESC LIMIT 1"
)
_TAIL: Final = 1000


class PostgresqlStore:
    """Keeps events on a server; obeys `askless.seams.Store`. Threads take turns.

    Parameters
    ----------
    url
        ``postgresql://[user@]host[:port]/database#session``, without a password.
    write
        Whether events will be appended. Only one such store can be open at a time.
    silent_s
        A writer that has not been heard of for so many seconds hangs, and is replaced.

    Raises
    ------
    StoreInUse
        Another process has it open for writing, and is alive.
    StoreError
        The server cannot be reached, could lose what it acknowledges, or holds no such session.
    """

    def __init__(self, url: str, *, write: bool = True, silent_s: float = SILENT_S) -> None:
        self._address = Address.parse(url)
        self._driver = psycopg_module()
        self._pid = os.getpid()
        self._turn = RLock()
        self._lock: WriterLock | None = None
        self._broken = ""
        self._count, self._link = 0, FIRST
        self._connection: psycopg.Connection[Any] | None = connect(self._address)
        try:
            if write:
                self._open_to_write(self._connection, silent_s)
            elif _version(self._connection) != HEAD:
                raise self._unknown_schema(_version(self._connection))
        except BaseException as error:
            self.close()
            if isinstance(error, AsklessError) or not isinstance(
                error, (self._driver.Error, sa.exc.SQLAlchemyError)
            ):
                raise
            raise StoreError(f"{self._address} cannot be opened: {in_one_line(error)}.") from error

    @property
    def count(self) -> int:
        """How many events it holds; only known to who writes."""
        return self._count

    def append(self, events: Sequence[Event]) -> int:
        """Keep these events, all or none of them; durable when it returns."""
        with self._turn:
            connection = self._usable()
            if self._lock is None:
                raise StoreError(f"{self._address} was opened for reading only.")
            if self._broken:
                raise NotWritten(self._broken, reopen=True)
            refuse_shared_keys(events)
            first = self._count
            if not events:
                return first
            rows = chained(first, self._link, events)
            try:
                with connection.transaction(), connection.cursor() as cursor:
                    cursor.executemany(_INSERT, [(self._address.session, *row) for row in rows])
            except self._driver.errors.UniqueViolation as error:
                raise self._refusal(connection, events) from error
            except self._driver.Error as error:
                raise self._not_written(connection, error) from error
            except BaseException:
                # Interrupted: the commit may or may not have happened.
                self._broken = (
                    f"An append to {self._address} was interrupted; open the store again to go on."
                )
                raise
            self._count, self._link = first + len(rows), rows[-1][-1]
            return first

    def read(self, after: int = -1) -> Iterator[Event]:
        """The events whose number is above `after`, in order, each checked."""
        with self._turn:
            self._usable()
            # Looked up before the events are, so that it cannot be ahead of them.
            mark = None if self._lock is None else Mark(self._count, self._link)
        return checked(self._address, self._rows, max(after, -1) + 1, mark)

    def verify(self) -> int:
        """Check every event, and return how many there are.

        Raises
        ------
        Damaged
            Something is not as it was written.
        """
        count = sum(1 for _ in self.read())
        self.check_pages()
        return count

    def check_pages(self) -> None:
        """Check that the table and its index hold the same events; `verify` looks into them too."""
        with self._turn:
            count, last = self._one(
                "SELECT count(*), coalesce(max(number), -1) FROM askless.event WHERE session = %s"
            ) or (0, -1)
        if count != last + 1:
            raise damaged(self._address, f"it holds {count} events, numbered up to {last}", 0)

    def close(self) -> None:
        """Let go of everything; a second time does nothing."""
        with self._turn:
            if os.getpid() == self._pid:  # a fork must not end the connection of its parent
                if self._lock is not None:
                    self._lock.close()
                if self._connection is not None:
                    self._connection.close()
            self._connection = None

    # --- opening --------------------------------------------------------------------------------

    def _open_to_write(self, connection: psycopg.Connection[Any], silent_s: float) -> None:
        if unsafe := unsafe_settings(connection):
            raise StoreError(f"{self._address} is no place for answers. {' '.join(unsafe)}")
        found = _version(connection)
        if found is None or found < HEAD:
            _upgrade(self._address)
        elif found > HEAD:
            raise self._unknown_schema(found)
        self._lock = WriterLock(connection, self._address, self._turn, silent_s)
        last = self._one(_LAST)
        if last is not None:
            self._count, self._link = last[0] + 1, bytes(last[1])
        mark = Mark(self._count, self._link)
        for _ in checked(self._address, self._rows, max(self._count - _TAIL, 0), mark):
            pass

    def _unknown_schema(self, found: str | None) -> StoreError:
        if found is None:
            return StoreError(
                f"{self._address} holds no session: nobody has opened a store there for writing."
            )
        return StoreError(
            f"{self._address} has schema {found}; this askless knows {HEAD}. Use the askless that "
            "wrote it, or open it for writing with a newer one."
        )

    # --- reading --------------------------------------------------------------------------------

    def _rows(self, first: int, most: int) -> Sequence[Sequence[Any]]:
        with self._turn:
            connection = self._usable()
            try:
                found = connection.execute(_SELECT, (self._address.session, first, most)).fetchall()
            except self._driver.Error as error:
                raise StoreError(
                    f"{self._address} cannot be read: {in_one_line(error)}."
                ) from error
        return [(*row[:-1], bytes(row[-1])) for row in found]

    def _one(self, statement: str) -> tuple[Any, ...] | None:
        """The first row of what a statement finds about this session."""
        try:
            row: tuple[Any, ...] | None = (
                self._usable().execute(statement, (self._address.session,)).fetchone()
            )
        except self._driver.Error as error:
            raise StoreError(f"{self._address} cannot be read: {in_one_line(error)}.") from error
        return row

    # --- what to say ----------------------------------------------------------------------------

    def _usable(self) -> psycopg.Connection[Any]:
        if self._connection is None:
            raise StoreError(f"{self._address} is closed; open it again to use it.")
        if os.getpid() != self._pid:
            raise StoreError(
                f"{self._address} was opened by the process this one was forked from; "
                "open it again here."
            )
        return self._connection

    def _refusal(self, connection: psycopg.Connection[Any], events: Sequence[Event]) -> Exception:
        """Why an append broke a rule of the table."""
        keys = [event.key for event in events if event.key is not None]
        try:
            row = connection.execute(
                "SELECT key, number FROM askless.event WHERE session = %s AND key = ANY(%s) "
                "ORDER BY number LIMIT 1",
                (self._address.session, keys),
            ).fetchone()
        except self._driver.Error as error:
            return self._not_written(connection, error)
        if row is not None:
            return RepeatedKey(row[0], row[1])
        self._broken = (
            f"{self._address} has events that this process did not write; open the store again."
        )
        return NotWritten(self._broken, reopen=True)

    def _not_written(self, connection: psycopg.Connection[Any], error: Exception) -> NotWritten:
        """Why an append failed, and whether the store can go on."""
        full = isinstance(error, self._driver.errors.DiskFull)
        waited = isinstance(
            error, self._driver.errors.LockNotAvailable | self._driver.errors.QueryCanceled
        )
        if (full or waited) and not connection.broken:
            why = "The server's disk is full" if full else "The server is busy"
            return NotWritten(
                f"{why}: the append to {self._address} was not kept, everything before it is safe. "
                f"{'Free some space and try again.' if full else 'Try again.'}",
                reopen=False,
            )
        self._broken = (
            f"{self._address} could not be written: {in_one_line(error)}. Everything acknowledged "
            "before is safe. Open the store again to see whether this append was kept, and go on."
        )
        return NotWritten(self._broken, reopen=True)


def _version(connection: psycopg.Connection[Any]) -> str | None:
    """The schema of the database; None if it has none yet."""
    there = connection.execute("SELECT to_regclass('askless.alembic_version')").fetchone()
    if there is None or there[0] is None:
        return None
    found = connection.execute("SELECT version_num FROM askless.alembic_version").fetchone()
    return None if found is None else str(found[0])


def _upgrade(address: Address) -> None:
    """Make or renew the tables, through a connection of its own, all or nothing."""

    def open_() -> psycopg.Connection[Any]:
        connection = connect(address)
        connection.autocommit = False
        return connection

    engine = sa.create_engine("postgresql+psycopg://", creator=open_, poolclass=sa.NullPool)
    with engine.begin() as connection:
        # Of several who try at once one does it, and the others find it done.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('askless schema'))")
        connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
        upgrade(connection, "migrations_postgresql", HEAD, _SCHEMA)
