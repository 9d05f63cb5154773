"""Puzzles made of people's own mistakes."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Adds the table."""
    op.create_table(
        "own_puzzle",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("person", "rulebook", "id", "data")),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "rulebook", "id", name="pk_own_puzzle"),
    )
