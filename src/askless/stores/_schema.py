"""The one table, and how a database gets it.

The migrations under ``migrations/versions`` are the only way a table is made or changed, so
that an old file and a new one end up the same; a test holds this description against them.
`HEAD` lets an up-to-date file be opened without loading Alembic.
Tested in tests/stores/test_sqlite.py.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from askless.errors import StoreError
from askless.files import sync
from askless.stores._file import APPLICATION_ID, connect, disconnect

HEAD: Final = "0001"
"""The newest schema; the name of the last file in ``migrations/versions``."""

METADATA: Final = sa.MetaData()

EVENT: Final = sa.Table(
    "event",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("annotator", sa.Text, nullable=False),
    sa.Column("at_s", sa.Double, nullable=False),
    sa.Column("key", sa.Text),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("link", sa.LargeBinary, nullable=False),
    sa.Index(
        "event_key",
        "key",
        unique=True,
        sqlite_where=sa.text("key IS NOT NULL"),
        postgresql_where=sa.text("key IS NOT NULL"),
    ),
)


_OBJECTS: Final = {
    ("table", "event"): (
        "createtableevent(numberintegernotnull,formatintegernotnull,kindtextnotnull,"
        "annotatortextnotnull,at_sdoublenotnull,keytext,payloadtextnotnull,linkblobnotnull,"
        "primarykey(number))"
    ),
    ("index", "event_key"): "createuniqueindexevent_keyonevent(key)wherekeyisnotnull",
    ("table", "alembic_version"): (
        "createtablealembic_version(version_numvarchar(32)notnull,"
        "constraintalembic_version_pkcprimarykey(version_num))"
    ),
    ("index", "sqlite_autoindex_alembic_version_1"): "",
}
"""All that the migrations have ever made: the statements without spaces, quotes and capitals. A
view, a trigger or a virtual table would let a file run what its maker likes."""


def check_objects(connection: sa.Connection, path: Path) -> None:
    """Refuse a database that defines anything else than the migrations do.

    Raises
    ------
    StoreError
        The sentence names it.
    """
    rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master LIMIT 20").all()
    for kind, name, sql in rows:
        plain = "".join(str(sql or "").lower().replace('"', "").split())
        if _OBJECTS.get((kind, name)) != plain:
            raise StoreError(
                f"{path} is not a store of askless: among others it holds the {str(kind)[:20]} "
                f"{str(name)[:60]!r} that askless did not make. Name another file."
            )


def version(connection: sa.Connection) -> str | None:
    """The schema of a database; None if it has none yet."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return found if isinstance(found, str) and len(found) <= 32 else None


def create(path: Path) -> None:
    """Make an empty store, whole or not at all: under another name, which it then loses."""
    making = path.with_name(path.name + "-new")
    for left_behind in ("", "-journal", "-wal", "-shm"):
        making.with_name(making.name + left_behind).unlink(missing_ok=True)
    # SQLite gives the files beside it the same mode.
    os.close(os.open(making, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    connection = connect(making, "rw")
    try:
        with connection.begin():
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
            upgrade(connection)
        connection.connection.execute("PRAGMA journal_mode=WAL").fetchone()
    finally:
        disconnect(connection)
    sync(making)
    making.rename(path)
    sync(path.parent)


def upgrade(
    connection: sa.Connection,
    migrations: str = "migrations",
    head: str = HEAD,
    schema: str | None = None,
) -> None:
    """Take a database, empty or old, to the newest schema, within the open transaction.

    Parameters
    ----------
    connection
        To the database.
    migrations
        The folder beside this file that holds them.
    head
        The newest of them.
    schema
        The name in the database below which the version is kept; None for where it looks first.
    """
    # Loaded here, since a file that is up to date needs none of it.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    script = ScriptDirectory(str(Path(__file__).with_name(migrations)))
    environment = EnvironmentContext(Config(), script)
    environment.configure(
        connection=connection,
        fn=lambda revision, _: script._upgrade_revs(head, revision),
        transactional_ddl=True,
        version_table_schema=schema,
    )
    try:
        environment.run_migrations()
    except CommandError as error:  # as when there are too many open files to look for them
        raise StoreError(
            f"A store needs the migrations that come with askless, {script.dir}; they cannot be "
            f"read now: {error}. Close something and try again, or install askless again."
        ) from error
