"""The first tables, which `schema` builds: no database is older."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Nothing: a database at this revision already has its tables."""
