"""Where events are kept: `sqlite`, in a file, or `postgresql`, on a server.

A new store is one file in this folder, and obeys the laws in `askless.checks.store_laws`.
Importing this module loads no store and no database.
Tested in tests/stores.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askless.errors import InvalidInput

if TYPE_CHECKING:
    from askless.stores.postgresql import PostgresqlStore
    from askless.stores.sqlite import SqliteStore


def open_store(address: str | Path, *, write: bool = True) -> SqliteStore | PostgresqlStore:
    """The store at an address.

    Parameters
    ----------
    address
        A file, ``sqlite:///FILE``, or ``postgresql://[user@]host[:port]/database#session``.
    write
        Whether events will be appended.

    Raises
    ------
    InvalidInput
        The address names no kind of store.
    StoreError
        It cannot be opened.
    """
    scheme, separator, rest = str(address).partition("://")
    if not separator or scheme == "sqlite":
        from askless.stores.sqlite import SqliteStore  # a database takes a third of a second

        return SqliteStore(rest.removeprefix("/") if separator else address, write=write)
    if scheme in ("postgresql", "postgres"):
        from askless.stores.postgresql import PostgresqlStore

        return PostgresqlStore(str(address), write=write)
    raise InvalidInput(
        "A store is a file, sqlite:///FILE or postgresql://HOST/DATABASE#SESSION; got an address "
        f"that begins with {scheme}://."
    )
