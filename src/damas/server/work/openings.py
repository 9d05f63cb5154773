"""Questions about openings, answered in a worker process."""

import logging
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from damas.board import Color
from damas.engine.opening_book import book_for
from damas.errors import BadBook, DamasError
from damas.game import Position
from damas.openings.explorer import Explorer, Results
from damas.openings.lines import MAX_PLIES, line_keys, position_key
from damas.openings.names import names_of
from damas.rules import Rulebook
from damas.server.analysing.places import book_named, record_of
from damas.server.encoding import encode
from damas.server.openings.repertoire import CheckedLine, Question, checked_line, lines_of_pdn, questions
from damas.server.work.files import StoredGame
from damas.views.explorer import OpeningLineView, opening_lines

log = logging.getLogger("damas")


class KnownMove(NamedTuple):
    """A legal move, as far as files know it."""

    text: str
    after: int
    """Key of the position after it."""
    results: Results
    """Of the games in the operator's file."""
    score: int | None
    """Of the engine's book, for the side to move."""
    name: str


class KnownPlace(NamedTuple):
    """A position, as far as files know it."""

    key: int
    names: list[str]
    moves: list[KnownMove]
    has_file: bool
    """Whether the operator has put a file of statistics there."""


def first_keys(game: StoredGame) -> tuple[int, ...]:
    """The keys of the first positions of a game."""
    return line_keys(game.record().positions[: MAX_PLIES + 1])


def known_place(file: Path, rulebook: str, fen: str, moves: Sequence[str]) -> KnownPlace:
    """What the built-in names, the engine's book and the operator's file know of a position."""
    position = record_of(rulebook, fen, moves).position
    explorer = _explorer(file, _changed_ns(file))
    played = explorer.moves(position) if explorer else {}
    book = book_for(position.rulebook)
    scores = {each.move: each.score for each in book.moves(position)} if book else {}
    names = names_of(position.rulebook)
    known = []
    for move in position.legal_moves:
        after = position.play(move)
        known.append(
            KnownMove(
                move.text,
                position_key(after),
                played.get(move, Results()),
                scores.get(move),
                names.get(after.key) or next(iter(_named(explorer, after)), ""),
            )
        )
    own = [names[position.key]] if position.key in names else []
    return KnownPlace(
        position_key(position),
        list(dict.fromkeys([*own, *_named(explorer, position)])),
        known,
        explorer is not None,
    )


def _named(explorer: Explorer | None, position: Position) -> list[str]:
    return explorer.names(position) if explorer else []


def _changed_ns(file: Path) -> int:
    """When a file was changed last; 0 if there is none."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=2)
def _explorer(file: Path, changed_ns: int) -> Explorer | None:
    """The file as it is now; a new file is opened anew. None also for one that is no such file."""
    try:
        return Explorer(file) if changed_ns else None
    except BadBook as error:
        log.error("the file of opening statistics is not read: %s", error)
        return None


def lines(rulebook: str) -> bytes:
    """The named openings of a rulebook, its ballots, and the main lines of the engine's book."""
    listed: list[OpeningLineView] = opening_lines(book_named(rulebook))
    return encode({"rulebook": book_named(rulebook).id, "lines": listed})


def checked_lines(
    rulebook: str, side: str, moves: Sequence[str], name: str, pdn: str, most: int
) -> list[CheckedLine]:
    """Lines for a repertoire: of a PDN, or else of these moves."""
    book, color = book_named(rulebook), Color(side)
    return lines_of_pdn(pdn, book, color, most) if pdn else [checked_line(book, color, moves, name)]


def questions_of(rulebook: str, lines: Sequence[tuple[str, Sequence[str]]]) -> list[list[Question]]:
    """Of each line, by its side and moves, the positions in which that side moves."""
    book = book_named(rulebook)
    return [_questions(book, side, moves) for side, moves in lines]


def _questions(book: Rulebook, side: str, moves: Sequence[str]) -> list[Question]:
    try:
        return questions(book, Color(side), moves)
    except DamasError:  # a line that an earlier edition of the rulebook allowed
        return []
