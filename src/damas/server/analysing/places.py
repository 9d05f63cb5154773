"""A position in a game as a page names it, and whether it is one that the visitor is playing: nobody gets help then."""

from collections.abc import Mapping, Sequence

from damas.errors import IllegalMove, UnknownRulebook
from damas.game import Position, Record
from damas.game.game import rests
from damas.rules import Rulebook, rulebook, rulebook_ids
from damas.rules.library import builtin_id

SEPARATOR = "."
"""Separator of moves in a URL; no notation uses it."""
EXCHANGED = str.maketrans("wbWB", "bwBW")
"""The colours of the pieces in a diagram, exchanged."""


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
    whatever rulebook: the best move under a similar one is help too. So is that of the position turned by half a circle
    with the colours exchanged. The opening position does not count.
    """
    seen = {pieces for position in record.positions for pieces in _both_ways(position)}
    shown = _both_ways(record.position)
    for game, (book, fen) in games.items():
        there = Position.from_fen(fen, rulebook(book))
        if there == Position.start(there.rulebook) or len(there.diagram) != len(record.position.diagram):
            continue
        if _pieces(there) in seen or any(_pieces(there.play(move)) in shown for move in there.legal_moves):
            return game
    return None


def _pieces(position: Position) -> tuple[str, bool]:
    """The pieces and whose turn it is: equal under all rulebooks of a board and of its mirror image."""
    return position.diagram, position.black_to_move


def _both_ways(position: Position) -> set[tuple[str, bool]]:
    """The pieces as they stand, and turned by half a circle with the colours exchanged."""
    diagram, black_to_move = _pieces(position)
    return {(diagram, black_to_move), (diagram[::-1].translate(EXCHANGED), not black_to_move)}
