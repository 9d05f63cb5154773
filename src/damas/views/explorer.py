"""Moves of an opening, with how often they were played and what the engine thinks of them."""

from dataclasses import dataclass

from damas.game import Position
from damas.openings.explorer import Explorer


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
