"""Events, numbered, each with a checksum chained to the one before."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the table of events."""
    op.create_table(
        "event",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("format", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("annotator", sa.Text, nullable=False),
        sa.Column("at_s", sa.Double, nullable=False),
        sa.Column("key", sa.Text),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("link", sa.LargeBinary, nullable=False),
    )
    op.create_index(
        "event_key",
        "event",
        ["key"],
        unique=True,
        sqlite_where=sa.text("key IS NOT NULL"),
        postgresql_where=sa.text("key IS NOT NULL"),
    )
