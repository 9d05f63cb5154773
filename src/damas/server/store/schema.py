"""The tables. `migrations` builds them, and brings older ones up to date.

Truth is `event`, which only grows. Of `game`, the columns up to `public` are a summary for lists, written in the same
transaction as the events they sum up; `seq` and `chain` are its last event's. Times are milliseconds since 1970, except
`mono_ms`, which is a node's monotonic clock. No column counts by itself, so tables can be copied between databases.
"""

from types import NoneType
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import fields
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)

from damas.server.store.rows import (
    Alive,
    ChapterRow,
    ChatLine,
    EventRow,
    GameRow,
    Homework,
    OwnPuzzle,
    Pupil,
    PuzzleAttempt,
    PuzzleResult,
    RatingRow,
    RepertoireLine,
    ReportJobRow,
    Review,
    SchoolClass,
    Study,
    TournamentKey,
    TournamentLine,
    TournamentRow,
)


def _columns(row: type[Struct]) -> list[Column[Any]]:
    """A column for each field of a row, in their order; a field that may be None may be NULL."""
    columns = []
    for field in fields(row):
        number = BigInteger if field.name.endswith("_ms") else Integer
        types = {field.type, *get_args(field.type)}
        kind = Boolean if bool in types else number if int in types else Float if float in types else Text
        columns.append(Column(field.encode_name, kind, nullable=NoneType in types))
    return columns


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""All tables, with the names of their keys and indexes."""

game = Table(
    "game",
    metadata,
    *_columns(GameRow),
    PrimaryKeyConstraint("id"),
    ForeignKeyConstraint(["previous"], ["game.id"], ondelete="SET NULL"),
    Index("ix_game_white_id_updated_ms", "white_id", "updated_ms"),
    Index("ix_game_black_id_updated_ms", "black_id", "updated_ms"),
    Index("ix_game_status_updated_ms", "status", "updated_ms"),
    Index("ix_game_rulebook_updated_ms", "rulebook", "updated_ms"),
    Index("ix_game_updated_ms", "updated_ms"),
)
"""Games: their terms, players, and a summary of their events."""

event = Table(
    "event",
    metadata,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
    *_columns(EventRow),
    PrimaryKeyConstraint("game", "seq"),
    Index("uq_event_game_client_msg_id", "game", "client_msg_id", unique=True),
    # A ply is played once. `line` counts take-backs and the like, after which the same ply is played anew.
    Index(
        "uq_event_game_line_ply",
        "game",
        "line",
        "ply",
        unique=True,
        sqlite_where=text("kind = 'moved'"),
        postgresql_where=text("kind = 'moved'"),
    ),
)
"""What happened in games, one row an event."""

game_owner = Table(
    "game_owner",
    metadata,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("node", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("lease_until_ms", BigInteger, nullable=False),
)
"""The node that may write to a game, and the epoch of its ownership."""

alive = Table(
    "alive",
    metadata,
    *_columns(Alive),
    Column("lease_until_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("node"),
)
"""The last sign of life of each node."""

chat = Table(
    "chat",
    metadata,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
    *_columns(ChatLine),
    PrimaryKeyConstraint("game", "number"),
)
"""Lines of chat."""

account = Table(
    "account",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("password", Text, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("closed_ms", BigInteger),
    Column("look", Text),
    Column("look_upper", Text),
    Index("ix_account_look", "look"),
    Index("ix_account_look_upper", "look_upper"),
    Index("uq_account_name_key", "name_key", unique=True),
)
"""Accounts; a closed one keeps its name. `look` and `look_upper` are the name's `lookalikes.looks`."""

login = Table(
    "login",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("account", Text, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("agent", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Index("ix_login_account", "account"),
)
"""Browsers that are logged in."""

api_token = Table(
    "api_token",
    metadata,
    Column("id", Text, primary_key=True),
    Column("token_hash", Text, nullable=False),
    Column("account", Text, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger),
    Index("uq_api_token_token_hash", "token_hash", unique=True),
    Index("ix_api_token_account", "account"),
)
"""Tokens of programs."""

progress = Table(
    "progress",
    metadata,
    Column("person", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("person", "key"),
)
"""What a person has learnt, by lesson or course."""

puzzle_attempt = Table(
    "puzzle_attempt",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False),
    *_columns(PuzzleAttempt),
    Index("ix_puzzle_attempt_person_wall_ms", "person", "wall_ms"),
)
"""Tries at puzzles."""

puzzle_result = Table(
    "puzzle_result",
    metadata,
    Column("person", Text, nullable=False),
    *_columns(PuzzleResult),
    PrimaryKeyConstraint("person", "rulebook", "puzzle"),
    Index("ix_puzzle_result_person_wall_ms", "person", "wall_ms"),
)
"""Tries by which people are rated: one a person and puzzle."""

puzzle_rating = Table(
    "puzzle_rating",
    metadata,
    Column("person", Text, nullable=False),
    Column("rulebook", Text, nullable=False),
    *_columns(RatingRow),
    PrimaryKeyConstraint("person", "rulebook"),
)
"""Ratings of those who solve puzzles, by rulebook."""

puzzle_level = Table(
    "puzzle_level",
    metadata,
    Column("rulebook", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    *_columns(RatingRow),
    PrimaryKeyConstraint("rulebook", "puzzle"),
)
"""Ratings of puzzles; one that nobody has tried has that of its sheet."""

own_puzzle = Table(
    "own_puzzle",
    metadata,
    Column("person", Text, nullable=False),
    *_columns(OwnPuzzle),
    PrimaryKeyConstraint("person", "rulebook", "id"),
)
"""Puzzles made of people's own mistakes."""

review = Table(
    "review",
    metadata,
    Column("person", Text, nullable=False),
    *_columns(Review),
    PrimaryKeyConstraint("person", "deck", "item"),
    Index("ix_review_person_due_ms", "person", "due_ms"),
)
"""Items that people learn by spaced repetition, by deck."""

opening_move = Table(
    "opening_move",
    metadata,
    Column("person", Text, nullable=False),
    Column("side", Text, nullable=False),
    *(Column(name, BigInteger, nullable=False) for name in ("position", "after")),
    *(Column(name, Integer, nullable=False) for name in ("white", "draws", "black")),
    PrimaryKeyConstraint("person", "position", "side", "after"),
)
"""How often games went from a position to another, and how they ended: of all (no person, no side), and of each person by
their side. Positions are `openings.lines.position_key`.
"""

opening_game = Table(
    "opening_game",
    metadata,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    *(Column(name, Text, nullable=False) for name in ("result", "keys")),
    Index("ix_opening_game_updated_ms", "updated_ms"),
)
"""What each finished game has added to `opening_move`: its result and the keys of its first positions, 16 digits each."""

repertoire_line = Table(
    "repertoire_line",
    metadata,
    Column("person", Text, nullable=False),
    *_columns(RepertoireLine),
    PrimaryKeyConstraint("person", "id"),
)
"""Lines that people want to play."""

study = Table(
    "study",
    metadata,
    *_columns(Study),
    PrimaryKeyConstraint("id"),
    Index("ix_study_owner_updated_ms", "owner", "updated_ms"),
)
"""Studies, and reports on games."""

study_chapter = Table(
    "study_chapter",
    metadata,
    Column("study", Text, ForeignKey("study.id", ondelete="CASCADE"), nullable=False),
    *_columns(ChapterRow),
    PrimaryKeyConstraint("study", "id"),
)
"""Chapters of studies."""

report_job = Table("report_job", metadata, *_columns(ReportJobRow), PrimaryKeyConstraint("id"))
"""Reports on games that wait, are being made, or ended within the hour."""

secret = Table(
    "secret",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""Random bytes that all nodes share."""

tournament = Table(
    "tournament",
    metadata,
    *_columns(TournamentRow),
    PrimaryKeyConstraint("id"),
    Index("ix_tournament_updated_ms", "updated_ms"),
)
"""Tournaments of people: a summary of their logs."""

tournament_line = Table(
    "tournament_line",
    metadata,
    Column("tournament", Text, ForeignKey("tournament.id", ondelete="CASCADE"), nullable=False),
    *_columns(TournamentLine),
    PrimaryKeyConstraint("tournament", "seq"),
    Index("uq_tournament_line_tournament_client_id", "tournament", "client_id", unique=True),
)
"""What happened in tournaments of people, one row an entry."""

tournament_key = Table(
    "tournament_key",
    metadata,
    Column("tournament", Text, ForeignKey("tournament.id", ondelete="CASCADE"), nullable=False),
    *_columns(TournamentKey),
    PrimaryKeyConstraint("tournament", "id"),
)
"""The links to tournaments of people."""

school_class = Table(
    "school_class",
    metadata,
    *_columns(SchoolClass),
    PrimaryKeyConstraint("id"),
    Index("uq_school_class_code", "code", unique=True),
)
"""Classes of pupils."""

class_teacher = Table(
    "class_teacher",
    metadata,
    Column("school_class", Text, ForeignKey("school_class.id", ondelete="CASCADE"), nullable=False),
    Column("person", Text, nullable=False),
    PrimaryKeyConstraint("school_class", "person"),
    Index("ix_class_teacher_person", "person"),
)
"""Who teaches a class: accounts, and visitors without one."""

pupil = Table(
    "pupil",
    metadata,
    Column("school_class", Text, ForeignKey("school_class.id", ondelete="CASCADE"), nullable=False),
    *_columns(Pupil),
    PrimaryKeyConstraint("id"),
    Index("uq_pupil_school_class_number", "school_class", "number", unique=True),
)
"""Pupils. Their names are here and nowhere else."""

pupil_login = Table(
    "pupil_login",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("pupil", Text, ForeignKey("pupil.id", ondelete="CASCADE"), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Index("ix_pupil_login_pupil", "pupil"),
)
"""Browsers in which a pupil is logged in."""

class_game = Table(
    "class_game",
    metadata,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("school_class", Text, ForeignKey("school_class.id", ondelete="CASCADE"), nullable=False),
    Index("ix_class_game_school_class", "school_class"),
)
"""Games that a teacher has started."""

homework = Table(
    "homework",
    metadata,
    Column("school_class", Text, ForeignKey("school_class.id", ondelete="CASCADE"), nullable=False),
    *_columns(Homework),
    PrimaryKeyConstraint("id"),
    Index("ix_homework_school_class", "school_class"),
)
"""Homework of classes."""
