"""Classes of a school: teachers, pupils, their logins, games and homework."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Adds the tables."""
    op.create_table(
        "school_class",
        *_texts("id", "title", "code", "language", "rulebook", "preset", "time_control"),
        sa.Column("chat", sa.Boolean, nullable=False),
        sa.Column("link", sa.Integer, nullable=False),
        sa.Column("held", sa.Boolean, nullable=False),
        *_texts("notice"),
        _ms("created_ms"),
        sa.PrimaryKeyConstraint("id", name="pk_school_class"),
    )
    op.create_index("uq_school_class_code", "school_class", ["code"], unique=True)
    op.create_table(
        "class_teacher",
        _of_class("class_teacher"),
        *_texts("person"),
        sa.PrimaryKeyConstraint("school_class", "person", name="pk_class_teacher"),
    )
    op.create_index("ix_class_teacher_person", "class_teacher", ["person"])
    op.create_table(
        "pupil",
        _of_class("pupil"),
        *_texts("id"),
        sa.Column("number", sa.Integer, nullable=False),
        *_texts("name", "pin"),
        _ms("created_ms"),
        sa.PrimaryKeyConstraint("id", name="pk_pupil"),
    )
    op.create_index("uq_pupil_school_class_number", "pupil", ["school_class", "number"], unique=True)
    op.create_table(
        "pupil_login",
        *_texts("token_hash"),
        _reference("pupil_login", "pupil"),
        _ms("created_ms"),
        _ms("seen_ms"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_pupil_login"),
    )
    op.create_index("ix_pupil_login_pupil", "pupil_login", ["pupil"])
    op.create_table(
        "class_game",
        _reference("class_game", "game"),
        _of_class("class_game"),
        sa.PrimaryKeyConstraint("game", name="pk_class_game"),
    )
    op.create_index("ix_class_game_school_class", "class_game", ["school_class"])
    op.create_table(
        "homework",
        _of_class("homework"),
        *_texts("id", "kind", "rulebook", "lesson"),
        sa.Column("count", sa.Integer, nullable=False),
        *_texts("due"),
        _ms("created_ms"),
        sa.PrimaryKeyConstraint("id", name="pk_homework"),
    )
    op.create_index("ix_homework_school_class", "homework", ["school_class"])


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _ms(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False)


def _of_class(table: str) -> sa.Column[str]:
    return _reference(table, "school_class")


def _reference(table: str, parent: str) -> sa.Column[str]:
    key = sa.ForeignKey(f"{parent}.id", name=f"fk_{table}_{parent}", ondelete="CASCADE")
    return sa.Column(parent, sa.Text, key, nullable=False)
