"""Tournaments of people: their logs and links."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds the tables."""
    op.create_table(
        "tournament",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("id", "title", "rulebook", "owner")),
        sa.Column("public", sa.Boolean, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("created_ms", "updated_ms")),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("chain", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournament"),
    )
    op.create_index("ix_tournament_updated_ms", "tournament", ["updated_ms"])
    op.create_table(
        "tournament_line",
        _of_tournament("tournament_line"),
        sa.Column("seq", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("data", "chain")),
        sa.Column("client_id", sa.Text),
        sa.PrimaryKeyConstraint("tournament", "seq", name="pk_tournament_line"),
    )
    op.create_index(
        "uq_tournament_line_tournament_client_id", "tournament_line", ["tournament", "client_id"], unique=True
    )
    op.create_table(
        "tournament_key",
        _of_tournament("tournament_key"),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("id", "role", "name")),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("revoked_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("tournament", "id", name="pk_tournament_key"),
    )


def _of_tournament(table: str) -> sa.Column[str]:
    key = sa.ForeignKey("tournament.id", name=f"fk_{table}_tournament_tournament", ondelete="CASCADE")
    return sa.Column("tournament", sa.Text, key, nullable=False)
