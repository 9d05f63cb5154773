"""The queue of reports."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Adds the table."""
    op.create_table(
        "report_job",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("format", sa.Integer, nullable=False),
        sa.Column("person", sa.Text),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("keep", sa.Boolean, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("task", "state")),
        sa.Column("node", sa.Text),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("lease_until_ms", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("attempts", "done", "total")),
        sa.Column("result", sa.Text),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("created_ms", "updated_ms")),
        sa.PrimaryKeyConstraint("id", name="pk_report_job"),
    )
