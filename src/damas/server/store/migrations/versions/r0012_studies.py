"""Studies with chapters."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Adds the chapters and what a study has besides them; older rows are reports."""
    op.add_column("study", sa.Column("by_link", sa.Boolean))
    op.add_column("study", sa.Column("version", sa.Integer))
    key = sa.ForeignKey("study.id", name="fk_study_chapter_study", ondelete="CASCADE")
    texts = ("id", "title", "rulebook", "mode", "orientation", "data")
    op.create_table(
        "study_chapter",
        sa.Column("study", sa.Text, key, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in texts),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("study", "id", name="pk_study_chapter"),
    )
