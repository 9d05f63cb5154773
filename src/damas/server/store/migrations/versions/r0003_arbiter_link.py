"""Who took the arbiter's link of a game before the other player came."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds the column; of older games nobody knows it any more."""
    op.add_column("game", sa.Column("arbiter_link", sa.Text))
