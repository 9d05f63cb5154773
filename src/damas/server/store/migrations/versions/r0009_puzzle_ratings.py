"""Ratings of puzzles and of those who solve them."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Adds the tables."""
    op.create_table(
        "puzzle_result",
        *_texts("person", "rulebook", "puzzle", "attempt"),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("rating", sa.Integer),
        sa.Column("change", sa.Integer, nullable=False),
        sa.Column("wall_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "rulebook", "puzzle", name="pk_puzzle_result"),
    )
    op.create_index("ix_puzzle_result_person_wall_ms", "puzzle_result", ["person", "wall_ms"])
    for table, keys in (("puzzle_rating", ("person", "rulebook")), ("puzzle_level", ("rulebook", "puzzle"))):
        op.create_table(
            table,
            *_texts(*keys),
            *(sa.Column(name, sa.Float, nullable=False) for name in ("rating", "deviation", "volatility")),
            sa.Column("attempts", sa.Integer, nullable=False),
            sa.Column("updated_ms", sa.BigInteger, nullable=False),
            sa.PrimaryKeyConstraint(*keys, name=f"pk_{table}"),
        )


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]
