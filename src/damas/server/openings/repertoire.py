"""A person's repertoire: lines that they want to play, and the positions in which a move of theirs is due in them.

A position of a line is an item of the deck `opening:RULEBOOK-SIDE` (`learning.repetition`). Lines that meet share items.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from damas.board import Color
from damas.errors import DamasError
from damas.game import Game, Record
from damas.notation import BadGame, read_games
from damas.openings.lines import position_key
from damas.rules import Rulebook

MAX_LINE_PLIES = 60
"""Plies of a line at most; a longer game is cut."""


class Question(NamedTuple):
    """A position of a line in which the person moves."""

    ply: int
    """Plies played before it."""
    item: str
    """What it is called in its deck."""
    move: str


class CheckedLine(NamedTuple):
    """A line as it is stored: its moves in the rulebook's own notation."""

    id: str
    rulebook: str
    name: str
    moves: tuple[str, ...]
    items: tuple[str, ...]
    """Items of the positions in which the person moves."""


def deck_of(rulebook: str, side: str) -> str:
    """The deck of a repertoire."""
    return f"opening:{rulebook}-{side}"


def questions(book: Rulebook, side: Color, moves: Sequence[str]) -> list[Question]:
    """The positions of a line in which a side moves; raises `DamasError` for a move that is not legal."""
    record, asked = Record(Game.start(book).position), []
    for ply, text in enumerate(moves):
        move = record.position.parse(text)
        if record.position.turn is side:
            item = f"{position_key(record.position) % (1 << 64):016x}"
            asked.append(Question(ply, item, move.text))
        record = record.play(move)
    return asked


def checked_line(book: Rulebook, side: Color, moves: Sequence[str], name: str = "") -> CheckedLine:
    """A line that ends with a move of the side; raises `DamasError`, and `NoOwnMove` where the side never moves in it."""
    record = Record(Game.start(book).position)
    for text in moves[:MAX_LINE_PLIES]:
        record = record.play(text)
    texts = [move.text for move in record.moves]
    asked = questions(book, side, texts)
    if not asked:
        raise NoOwnMove
    texts = texts[: asked[-1].ply + 1]  # a reply to which nothing is known trains nothing
    digest = sha256(f"{book.id} {side.value} {' '.join(texts)}".encode()).hexdigest()[:16]
    return CheckedLine(digest, book.id, name, tuple(texts), tuple(question.item for question in asked))


class NoOwnMove(Exception):
    """A line in which the person never moves."""


def lines_of_pdn(pdn: str, book: Rulebook, side: Color, most: int) -> list[CheckedLine]:
    """The main lines of the games of a PDN, from the first position of the rulebook. Raises the mistake of the first game
    that has one.
    """
    lines: dict[str, CheckedLine] = {}
    for game in read_games(pdn, book):
        if isinstance(game, BadGame):
            raise game.error
        if game.rulebook != book or game.start != Game.start(book).position or not game.moves:
            continue
        name = game.tags.get("Opening", "")
        try:
            line = checked_line(book, side, [node.move.text for node in game.moves], name[:80])
        except (NoOwnMove, DamasError):
            continue
        lines.setdefault(line.id, line)
        if len(lines) == most:
            break
    return list(lines.values())
