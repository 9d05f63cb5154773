"""Rows for tests."""

from typing import Any

from damas.server.store.rows import FIRST_EPOCH, EventRow, GameRow


def game(id: str, **fields: Any) -> GameRow:
    given: dict[str, Any] = {
        "rulebook": "brasileira",
        "rulebook_hash": "hash",
        "preset": "casual",
        "time_control": "none",
        "created_ms": 1,
        "updated_ms": 1,
        "fen": "W:Wc3:Bd6",
    }
    return GameRow(id=id, **(given | fields))


def event(seq: int, **fields: Any) -> EventRow:
    given: dict[str, Any] = {
        "epoch": FIRST_EPOCH,
        "kind": "moved",
        "line": 0,
        "ply": seq,
        "data": "{}",
        "wall_ms": 1_800_000_000_000 + seq,
        "mono_ms": seq,
    }
    return EventRow(seq=seq, **(given | fields))


def events(first: int, last: int, **fields: Any) -> list[EventRow]:
    return [event(seq, **fields) for seq in range(first, last + 1)]


LATER_TABLES = (
    "report_job",
    "study_chapter",
    *("opening_game", "opening_move", "repertoire_line"),
    *("puzzle_level", "puzzle_rating", "puzzle_result", "own_puzzle", "review"),
    *("homework", "class_game", "pupil_login", "pupil", "class_teacher", "school_class"),
    *("tournament_line", "tournament_key", "tournament"),
)
"""Tables of revisions 0005 to 0013, those that refer to others first."""
WITHOUT_LATER_COLUMNS = (
    "ALTER TABLE alive DROP COLUMN address",
    "ALTER TABLE study DROP COLUMN by_link",
    "ALTER TABLE study DROP COLUMN version",
)
"""Statements that take columns of these revisions from older tables."""
WITHOUT_LATER_TABLES = (*(f"DROP TABLE {name}" for name in LATER_TABLES), *WITHOUT_LATER_COLUMNS)
"""Statements that make a database one of before revision 0005."""
