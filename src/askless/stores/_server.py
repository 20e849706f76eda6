"""Talking to a PostgreSQL server: addresses, connections with the right settings, what is unsafe.

Settings of a connection, and what each is for:

- ``synchronous_commit=on``: a commit returns once it is on the server's disk, whatever the default
  of the database is.
- ``keepalives``, ``tcp_user_timeout``: a connection to a machine that is gone ends within some
  ten seconds. Until then nothing is acknowledged.
- ``statement_timeout``, ``lock_timeout``: no statement of ours waits for ever.

Used by `askless.stores.postgresql`, `askless.stores._writer_lock` and ``askless doctor``; tested in
tests/stores/test_postgresql.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from askless.errors import InvalidInput, NotInstalled, StoreError

if TYPE_CHECKING:
    import psycopg

SCHEMES: Final = ("postgresql", "postgres")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SETTINGS: Final = (
    "SET synchronous_commit = on",
    "SET statement_timeout = '60s'",
    "SET lock_timeout = '20s'",
    "SET client_encoding = 'UTF8'",
)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a session's events are on a server.

    Parameters
    ----------
    server
        What the driver connects to: the URL without its fragment.
    session
        Which of the sessions there.
    """

    server: str
    session: str

    @classmethod
    def parse(cls, url: str) -> Address:
        """Read ``postgresql://[user@]host[:port]/database#session``.

        Raises
        ------
        InvalidInput
            It is no such URL, or it holds a password.
        """
        expected = "postgresql://[USER@]HOST[:PORT]/DATABASE#SESSION"
        try:
            parts = urlsplit(url)
            password = parts.password
        except ValueError as error:
            raise InvalidInput(f"A store on a server is named {expected}; {error}.") from None
        if password is not None or "password" in parts.query:
            raise InvalidInput(
                "The address of a store must not hold a password, which other users of the machine "
                "could read; keep it in ~/.pgpass or in the variable PGPASSWORD."
            )
        if parts.scheme not in SCHEMES or not parts.path.strip("/"):
            raise InvalidInput(f"A store on a server is named {expected}; got {url!r}.")
        if not _NAME.fullmatch(parts.fragment):
            raise InvalidInput(
                "The address of a store ends in #SESSION: a letter or digit, then letters, digits, "
                f"dots, dashes and underscores, 100 at most; got {parts.fragment[:120]!r}."
            )
        return cls(parts._replace(scheme="postgresql", fragment="").geturl(), parts.fragment)

    def __str__(self) -> str:
        """As it may be shown to others and kept."""
        return f"{self.server}#{self.session}"


def psycopg_module() -> Any:
    """The driver, or a sentence that says how to get it."""
    try:
        return import_module("psycopg")
    except ImportError:
        raise NotInstalled(
            "A store on a PostgreSQL server needs the package psycopg, which is not installed; "
            "install askless[postgres]."
        ) from None


def connect(address: Address) -> psycopg.Connection[Any]:
    """One connection, each statement a transaction of its own unless one is begun.

    Raises
    ------
    StoreError
        The server does not answer, or refuses.
    """
    driver = psycopg_module()
    try:
        connection: psycopg.Connection[Any] = driver.connect(
            address.server,
            autocommit=True,
            connect_timeout=10,
            application_name="askless",
            keepalives=1,
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=3,
            tcp_user_timeout=10_000,
        )
    except driver.Error as error:
        raise StoreError(f"{address} cannot be opened: {in_one_line(error)}.") from error
    try:
        for setting in _SETTINGS:
            connection.execute(setting)
    except driver.Error as error:
        connection.close()
        raise StoreError(f"{address} cannot be opened: {in_one_line(error)}.") from error
    return connection


def in_one_line(error: BaseException) -> str:
    """What a driver says, without its line breaks and its last full stop."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__


def is_pooled(connection: psycopg.Connection[Any]) -> bool:
    """Whether a pooler hands each transaction to another backend, as PgBouncer may.

    The lock of a writer belongs to a backend, so it would belong to everybody.
    """
    pids = {connection.execute("SELECT pg_backend_pid()").fetchone() for _ in range(3)}
    # A transaction pooler with one idle backend gives the same one each time, but answers for it
    # with a process number of its own.
    return pids != {(connection.info.backend_pid,)}


def unsafe_settings(connection: psycopg.Connection[Any]) -> list[str]:
    """Why an acknowledged answer could be lost on this server; empty if it could not."""

    def setting(name: str) -> str:
        row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
        return str(row[0]) if row else ""

    found = [
        f"The server runs with {name} = off, so that a power loss can cost answers that were "
        f"acknowledged; set {name} = on."
        for name in ("fsync", "full_page_writes")
        if setting(name) == "off"
    ]
    if is_pooled(connection):
        found.append(
            "The address leads to a pooler that shares connections between transactions; a "
            "writer's lock needs one of its own. Use session pooling, or connect directly."
        )
    return found


def unsafe_defaults(connection: psycopg.Connection[Any]) -> list[str]:
    """What is unsafe about the server beyond what a connection of ours can set or see to."""
    found = []
    with connection.transaction():
        connection.execute("RESET synchronous_commit")
        row = connection.execute("SELECT current_setting('synchronous_commit')").fetchone()
        if row is not None and row[0] in ("off", "local"):
            found.append(
                f"The server's default is synchronous_commit = {row[0]}: other programs that write "
                "here, such as a restore, acknowledge what a crash can lose; set it to on."
            )
        connection.execute(_SETTINGS[0])
    row = connection.execute(
        "SELECT current_setting('synchronous_standby_names'), "
        "(SELECT count(*) FROM pg_stat_replication)"
    ).fetchone()
    if row is not None and not row[0] and row[1]:
        found.append(
            f"The server has {row[1]} standby servers and none of them is synchronous: after a "
            "failover answers that were acknowledged could be missing. Name one in "
            "synchronous_standby_names."
        )
    return found
