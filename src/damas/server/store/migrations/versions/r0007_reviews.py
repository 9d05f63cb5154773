"""Items that people learn by repetition."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Adds the table."""
    op.create_table(
        "review",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("person", "deck", "item", "memory")),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("due_ms", "updated_ms")),
        sa.PrimaryKeyConstraint("person", "deck", "item", name="pk_review"),
    )
    op.create_index("ix_review_person_due_ms", "review", ["person", "due_ms"])
