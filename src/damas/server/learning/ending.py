"""Endings to practise against the endgame tables: few pieces and a goal."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from damas.board import Color, Piece, Setup
from damas.errors import DamasError
from damas.game import LETTER, Game, Position
from damas.rules import Rulebook, rulebook_ids
from damas.rules.about import about


@dataclass(frozen=True)
class Ending:
    """The pieces of the learner, who is White and to move, and of the opponent: K is a king, M a man."""

    id: str
    mine: str
    theirs: str
    goal: str
    """win or draw."""
    on_diagonal: bool | None = None
    """Whether the lone king stands on the main diagonal; None: wherever."""


ENDINGS = (
    Ending("three-kings", "KKK", "K", "win", on_diagonal=False),
    Ending("hold-diagonal", "K", "KKK", "draw", on_diagonal=True),
    Ending("two-kings", "KK", "K", "win"),
    Ending("king-and-man", "KM", "K", "win"),
    Ending("king-two-men", "K", "MM", "win"),
    Ending("two-men", "MM", "M", "win"),
    Ending("man-man", "M", "M", "win"),
)
"""Three kings against one, its defence, and endings that decide ordinary games; each rulebook names its own of them."""

TRIES = 400
"""Random positions tried for one exercise."""


def endings_of(rulebook_id: str) -> list[Ending]:
    """The endings that can be practised under a rulebook."""
    return [each for each in ENDINGS if each.id in about(rulebook_id).endings]


def candidates(chosen: Ending, book: Rulebook, random: Random) -> list[Position]:
    """Random positions of the ending in which the game is not over and neither side can capture."""
    positions = []
    for _ in range(TRIES):
        position = _random_position(chosen, book, random)
        if position is not None and not Game.start(book, fen=position.fen, customs=LETTER).outcome:
            positions.append(position)
    return positions


def _random_position(chosen: Ending, book: Rulebook, random: Random) -> Position | None:
    squares = random.sample(list(book.geometry.squares), len(chosen.mine) + len(chosen.theirs))
    letters = [*chosen.mine, *chosen.theirs]
    pieces: dict[int, Piece] = {}
    for number, (square, letter) in enumerate(zip(squares, letters, strict=True)):
        white = number < len(chosen.mine)
        if letter == "M" and not _man_may_stand(book, square, white=white):
            return None
        if letter == "K":
            pieces[square] = Piece.WHITE_KING if white else Piece.BLACK_KING
        else:
            pieces[square] = Piece.WHITE_MAN if white else Piece.BLACK_MAN
    if chosen.on_diagonal is not None:
        lone = squares[0] if len(chosen.mine) == 1 else squares[-1]
        if (lone in book.geometry.main_diagonal) != chosen.on_diagonal:
            return None
    try:
        position = Position.of(Setup(pieces, Color.WHITE), book)
        waiting = Position.of(Setup(pieces, Color.BLACK), book)
    except DamasError:
        return None
    quiet = not position.must_capture() and not waiting.must_capture()
    return position if quiet and position.count_moves() else None


def _man_may_stand(book: Rulebook, square: int, *, white: bool) -> bool:
    """Whether a man may stand there: neither on the last row nor on the one before it."""
    row, last = book.geometry.places[square][0], book.size.value - 1
    rows_behind = row if white else last - row
    return rows_behind < last - 1


def books_with_endings() -> list[str]:
    """Ids of the rulebooks under which endings can be practised."""
    return [name for name in rulebook_ids() if about(name).endings]
