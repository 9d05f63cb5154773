"""A position in a game as a page names it, and whether it is one that the visitor is playing: nobody gets help then."""

from collections.abc import Mapping, Sequence

from damas.errors import IllegalMove, UnknownRulebook
from damas.game import Position, Record
from damas.game.game import rests
from damas.rules import Rulebook, rulebook, rulebook_ids
from damas.rules.library import builtin_id
from damas.tablebase.stats import white_to_move

SEPARATOR = "."
"""Separator of moves in a URL; no notation uses it."""


def book_named(name: str) -> Rulebook:
    """A built-in rulebook; visitors may not name files."""
    book_id = builtin_id(name)
    if not book_id:
        raise UnknownRulebook(name, rulebook_ids())
    return rulebook(book_id)


def record_of(book: str, fen: str, moves: str | Sequence[str]) -> Record:
    """The game from a position (empty: the usual one) through these moves; as text they are separated by dots.

    Raises `DamasError` for a bad position or move.

    >>> record_of("brasileira", "", "c3-d4.f6-g5").position.fen[:2]
    'W:'
    """
    rules = book_named(book)
    record = Record(Position.from_fen(fen, rules) if fen else Position.start(rules))
    texts = [text for text in moves.split(SEPARATOR) if text.strip()] if isinstance(moves, str) else moves
    for text in texts:
        move = record.position.parse(text)
        if why := rests(record, move):
            raise IllegalMove(why)
        record = record.play(move)
    return record


def game_concerned(record: Record, games: Mapping[str, tuple[str, str]]) -> str | None:
    """The id of the first of these games, given by rulebook and FEN of their positions, that a record is about.

    It is about a game if it concerns its position, a continuation through it, or a position one move ahead, under
    whatever rulebook, or with the board turned and the colours exchanged: the best move there is help too. Diagrams are
    equal under all rulebooks of a board and of its mirror image. The opening position does not count.
    """
    seen = {white_to_move(position).diagram for position in record.positions}
    shown = white_to_move(record.position).diagram
    for game, (book, fen) in games.items():
        there = Position.from_fen(fen, rulebook(book))
        if there == Position.start(there.rulebook) or len(there.diagram) != len(record.position.diagram):
            continue
        ahead = (white_to_move(there.play(move)).diagram for move in there.legal_moves)
        if white_to_move(there).diagram in seen or shown in ahead:
            return game
    return None
