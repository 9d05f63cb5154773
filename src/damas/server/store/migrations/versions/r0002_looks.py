"""How the names of accounts look, so that a new name cannot pass for one of them."""

import sqlalchemy as sa
from alembic import op

from damas.server.store.lookalikes import looks
from damas.server.store.rows import is_text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the columns, and fills them for the accounts that are there: all of them stay, also those that look alike."""
    for name in ("look", "look_upper"):
        op.add_column("account", sa.Column(name, sa.Text))
        op.create_index(f"ix_account_{name}", "account", [name])
    fill_looks()


def fill_looks() -> None:
    """Stores how the name of each account looks; a name that is damaged looks like none."""
    account = sa.table("account", *map(sa.column, ("id", "name", "look", "look_upper")))
    connection = op.get_bind()
    for row in connection.execute(sa.select(account.c.id, account.c.name)).all():
        if not is_text(row.id) or not is_text(row.name):
            continue
        look, upper = looks(row.name)
        change = sa.update(account).where(account.c.id == row.id).values(look=look, look_upper=upper)
        connection.execute(change)
