"""Names that differ by accents alone look alike."""

from damas.server.store.migrations.versions.r0002_looks import fill_looks

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Fills in anew how the names of accounts look; all accounts stay."""
    fill_looks()
