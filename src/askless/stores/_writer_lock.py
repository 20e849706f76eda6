"""The lock of the one process that may append to a session on a server.

It is a session-level advisory lock, held by the very connection that appends. Whoever loses the
lock has lost the connection and cannot write, so no token needs to be compared at each append; the
primary key of the events is a second fence. The lock goes with the connection, however the process
ends. A process that hangs keeps its connection, so the holder also says every few seconds that
it is alive, and whoever finds it silent for too long has the server end its connection. All times
are the server's own: the clocks of other machines decide nothing.

Not for a pooler that shares connections between transactions (`askless.stores._server.is_pooled`).
Tested in tests/stores/test_postgresql.py.
"""

from __future__ import annotations

import os
import socket
import time
from contextlib import AbstractContextManager, suppress
from hashlib import blake2b
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

from askless.errors import StoreInUse
from askless.stores._server import Address, psycopg_module

if TYPE_CHECKING:
    import psycopg

ALIVE_EVERY_S: Final = 2.0
SILENT_S: Final = 10.0
"""A holder that has not said for so long that it is alive hangs."""
_GONE_WITHIN_S: Final = 10.0
_MOMENT_S: Final = 3.0
"""A connection that was closed or ended may hold its lock for so long."""

_HOLDER: Final = """
SELECT l.pid, w.who, extract(epoch FROM clock_timestamp() - w.alive)
FROM pg_locks l LEFT JOIN askless.writer w ON w.backend = l.pid AND w.session = %(session)s
WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (l.classid::bigint << 32 | l.objid::bigint) = %(key)s
"""
_ENTER: Final = """
INSERT INTO askless.writer VALUES (%(session)s, pg_backend_pid(), %(who)s, clock_timestamp())
ON CONFLICT (session) DO UPDATE
SET backend = excluded.backend, who = excluded.who, alive = excluded.alive
"""
_ALIVE: Final = (
    "UPDATE askless.writer SET alive = clock_timestamp() "
    "WHERE session = %s AND backend = pg_backend_pid()"
)


class WriterLock:
    """Held from its creation until it, or the connection, is closed.

    Parameters
    ----------
    connection
        The one that will append.
    address
        The session.
    turn
        Held by whoever uses the connection.
    silent_s
        After how many seconds of silence a holder is taken to hang.

    Raises
    ------
    StoreInUse
        Somebody who is alive holds it.
    """

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        address: Address,
        turn: AbstractContextManager[object],
        silent_s: float = SILENT_S,
    ) -> None:
        self._connection, self._address, self._turn = connection, address, turn
        self._driver = psycopg_module()
        self._key = _key(address.session)
        self._over = Event()
        self._take(silent_s)
        who = f"process {os.getpid()} on {socket.gethostname()}"
        connection.execute(_ENTER, {"session": address.session, "who": who})
        self._thread = Thread(target=self._say_alive, name="askless-writer-lock", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Give the lock back at once; it would go with the connection, but a little later."""
        self._over.set()
        with self._turn, suppress(self._driver.Error):
            self._connection.execute("SELECT pg_advisory_unlock(%s)", (self._key,))

    def _take(self, silent_s: float) -> None:
        moment, end = time.monotonic() + _MOMENT_S, time.monotonic() + _GONE_WITHIN_S
        while not self._try():
            holder = self._holder()
            if holder is None:
                continue  # gone meanwhile
            pid, who, silence = holder
            if silence is None or silence < silent_s:
                if time.monotonic() < moment:  # the server frees a lock a little after its end
                    time.sleep(0.05)
                    continue
                ago = "" if silence is None else f", last heard of {silence:.0f} s ago"
                raise StoreInUse(
                    f"Only one program at a time may add to {self._address}, and "
                    f"{who or 'another program'} has it open{ago}. Close it there first; reading "
                    "works meanwhile."
                )
            self._connection.execute("SELECT pg_terminate_backend(%s)", (pid,))
            if time.monotonic() >= end:
                raise StoreInUse(
                    f"{who or 'A program'} has {self._address} open, has been silent for "
                    f"{silence:.0f} s, and the server does not end its connection. End that "
                    "program and try again."
                )
            time.sleep(0.1)

    def _try(self) -> bool:
        found = self._connection.execute("SELECT pg_try_advisory_lock(%s)", (self._key,)).fetchone()
        return found is not None and bool(found[0])

    def _holder(self) -> tuple[int, str | None, float | None] | None:
        named = {"session": self._address.session, "key": self._key}
        row = self._connection.execute(_HOLDER, named).fetchone()
        return None if row is None else (row[0], row[1], None if row[2] is None else float(row[2]))

    def _say_alive(self) -> None:
        while not self._over.wait(ALIVE_EVERY_S):
            with self._turn:
                if self._over.is_set():
                    return
                try:
                    self._connection.execute(_ALIVE, (self._address.session,))
                except self._driver.Error:
                    return  # the next append finds that out and says so


def _key(session: str) -> int:
    """The number of the lock, from the session's name: 63 bits, so that it is never negative."""
    digest = blake2b(f"askless writer {session}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
