"""Why a move is refused.

The core examines the attempt (`cpp/text/examine.cpp`): it walks it square by square and asks each rule in turn. Here each
broken rule gets its article. Where an attempt breaks several rules, the first in the order of `CODES` names the refusal and
the others stand beside it.
"""

from collections.abc import Sequence
from dataclasses import replace

from damas import _core
from damas.board import Color, Piece, Square
from damas.errors import (
    AmbiguousMove,
    Citation,
    DamasError,
    GameOver,
    IllegalMove,
    NotationError,
    NotYourTurn,
    Problem,
    Refusal,
    SquareName,
)
from damas.game.position import Position
from damas.rules import Rulebook, cite
from damas.rules.schema import STATEMENTS

CODES: tuple[str, ...] = _core.refusal_codes()
"""Stable, never translated; the first that applies is the main reason."""
RECORD_CODES = ("KING_RESTS",)
"""Those that the moves before give, not the position: see `damas.game.game.rests`."""

_SQUARE, _PIECE = 0, 1
"""Kinds of facts; any other is a number."""


def examine(position: Position, text: str) -> Refusal | None:
    """Why `text` may not be played here, or None if it may. Raises `NotationError` if it cannot be read."""
    problems, broken, legal = position.refused(text)
    if problems:
        raise NotationError(text, tuple(Problem(code, token, offset) for code, token, offset, _ in problems))
    if not broken:
        return None
    book = position.rulebook
    first, *others = (
        Refusal(code, text, _citation(book, source, part), _facts(book, facts))
        for code, source, part, facts in broken
    )
    return replace(first, legal=tuple(legal), further=tuple(others))


def _citation(book: Rulebook, source: str, part: int) -> Citation:
    """The article of a statement or of an answer of the rulebook; empty where no text needs to say so."""
    if source in STATEMENTS:
        statement = book.statements.get(source)
        return cite(book, statement.article_of(part) if statement else "")
    return cite(book, getattr(book, source).article_of(part) if source else "")


def _facts(book: Rulebook, facts: list[tuple[str, int, int]]) -> dict[str, object]:
    return {name: _fact(book, kind, value) for name, kind, value in facts}


def _fact(book: Rulebook, kind: int, value: int) -> object:
    if kind == _SQUARE:
        return SquareName(book.square_names[value], book.move_names[value])
    return Piece(chr(value)) if kind == _PIECE else value


def error_for(position: Position, text: str) -> DamasError:
    """The exception for a text that is not one legal move."""
    try:
        why = examine(position, text)
    except NotationError as error:
        return error
    if why is None:
        raise ValueError(f"{text} was made for another board or position")
    kinds = {"AMBIGUOUS": AmbiguousMove, "NOT_YOUR_TURN": NotYourTurn, "GAME_OVER": GameOver}
    return kinds.get(why.code, IllegalMove)(why)


def left_uncrowned(position: Position, route: Sequence[Square]) -> tuple[Square, Citation] | None:
    """Where a man passes the last row without ending its move there, and the article that leaves it a man.

    >>> position = Position.from_fen("W:Wf6:Be7,c7", "brasileira")
    >>> left_uncrowned(position, position.parse("f6xd8xb6").route)[1].id
    '000-23'
    """
    book = position.rulebook
    piece = position.piece_at(route[0]) if route else None
    if piece is None or piece.is_king or book.promotion.value != "passes":
        return None
    last = book.size.value - 1 if piece.color is Color.WHITE else 0
    on_last = [square for square in route[1:] if book.geometry.places[square][0] == last]
    if not on_last or route[-1] == on_last[-1]:
        return None
    return on_last[0], cite(book, book.promotion.article)
