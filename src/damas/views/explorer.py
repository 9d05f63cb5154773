"""Moves of an opening, with how often they were played and what the engine thinks of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from damas.engine.opening_book import book_for
from damas.game import Game, Position
from damas.openings import Opening, named_ballots, openings
from damas.openings.explorer import Explorer
from damas.openings.names import names_of
from damas.rules import Rulebook


@dataclass(frozen=True, slots=True)
class ExploredMoveView:
    """A move of a position, and the games in which it was played."""

    text: str
    games: int
    white: int
    """Games that White won."""
    draws: int
    black: int
    """Games that Black won."""


@dataclass(frozen=True, slots=True)
class ExploredView:
    """A position in a file of opening statistics."""

    names: tuple[str, ...]
    """What games call the opening, the most frequent name first."""
    moves: tuple[ExploredMoveView, ...]
    """The moves that were played, the most frequent first."""


def explored(explorer: Explorer, position: Position) -> ExploredView:
    """What a file says of a position."""
    moves = tuple(
        ExploredMoveView(move.text, each.games, each.white, each.draws, each.black)
        for move, each in explorer.moves(position).items()
    )
    return ExploredView(tuple(explorer.names(position)), moves)


@dataclass(frozen=True, slots=True)
class OpeningLineView:
    """A line of play from the first position of a rulebook, or from another one."""

    source: str
    """`ballot` for one that the rulebook brings, `draw` for one drawn by lot, `book` for a main line of the engine's book."""
    name: str
    """Empty if it has none."""
    moves: tuple[str, ...]
    fen: str
    """The position after the moves."""
    turn: str
    start: str = ""
    """The position before the moves; empty for the first of the rulebook."""


MAX_DRAWN, MAX_BOOK_LINES, BOOK_PLIES = 8, 8, 8
"""Lines drawn by lot, main lines of the book, and their plies at most."""


def opening_lines(book: Rulebook) -> list[OpeningLineView]:
    """Openings to choose from: ballots of the rulebook, main lines of the engine's book, and some drawn by lot."""
    lines = [
        _line("ballot", opening, book) for name in named_ballots(book) for opening in openings(name, book)
    ]
    lines += [_line("book", opening, book) for opening in _main_lines(book)]
    lines += [_line("draw", opening, book) for opening in islice(openings("ballot", book), MAX_DRAWN)]
    return lines


def _line(source: str, opening: Opening, book: Rulebook) -> OpeningLineView:
    position = opening.game(book).position
    name = "" if source == "draw" else opening.name
    return OpeningLineView(source, name, opening.moves, position.fen, position.turn.value, opening.fen or "")


def _main_lines(book: Rulebook) -> Iterator[Opening]:
    """For each first move that the book knows, its best continuation."""
    known = book_for(book)
    if not known:
        return
    names = names_of(book)
    for first in known.moves(Position.start(book))[:MAX_BOOK_LINES]:
        game = Game.start(book).play(first.move)
        while game.record.length < BOOK_PLIES and (best := known.moves(game.position)):
            game = game.play(best[0].move)
        named = (names.get(position.key, "") for position in reversed(game.record.positions))
        yield Opening.of(game, next(filter(None, named), ""))
