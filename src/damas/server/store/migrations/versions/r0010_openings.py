"""How games were opened, and the lines that people want to play."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Adds the tables."""
    op.create_table(
        "opening_move",
        *_texts("person", "side"),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("position", "after")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("white", "draws", "black")),
        sa.PrimaryKeyConstraint("person", "position", "side", "after", name="pk_opening_move"),
    )
    key = sa.ForeignKey("game.id", name="fk_opening_game_game_game", ondelete="CASCADE")
    op.create_table(
        "opening_game",
        sa.Column("game", sa.Text, key, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        *_texts("result", "keys"),
        sa.PrimaryKeyConstraint("game", name="pk_opening_game"),
    )
    op.create_index("ix_opening_game_updated_ms", "opening_game", ["updated_ms"])
    op.create_table(
        "repertoire_line",
        *_texts("person", "id", "rulebook", "side", "name", "moves"),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "id", name="pk_repertoire_line"),
    )


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]
