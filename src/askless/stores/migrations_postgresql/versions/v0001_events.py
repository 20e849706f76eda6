"""Events of many sessions, numbered in each, and who writes to which."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables of events and of writers."""
    op.create_table(
        "event",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("format", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("annotator", sa.Text, nullable=False),
        sa.Column("at_s", sa.Double, nullable=False),
        sa.Column("key", sa.Text),
        # Not jsonb, which refuses legal JSON (an escaped NUL) and reorders keys under the checksum.
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("link", sa.LargeBinary, nullable=False),
        schema="askless",
    )
    op.create_index(
        "event_key",
        "event",
        ["session", "key"],
        unique=True,
        postgresql_where=sa.text("key IS NOT NULL"),
        schema="askless",
    )
    op.create_table(
        "writer",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("backend", sa.Integer, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("alive", sa.DateTime(timezone=True), nullable=False),
        schema="askless",
    )
