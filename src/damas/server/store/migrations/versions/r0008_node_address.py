"""Where nodes that share a database reach each other."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Adds the column; a node writes it with its next sign of life."""
    op.add_column("alive", sa.Column("address", sa.Text))
