"""Positions and games as boards draw them: squares are internal indices, names are only for people."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from damas.game import Game, Move, Position
from damas.views.moves import BoardMoveView, board_moves
from damas.views.outcomes import CountView, OutcomeView, game_counts, outcome_view


@dataclass(frozen=True, slots=True)
class LastMoveView:
    """A move that was played, or that an engine would play."""

    text: str
    route: tuple[int, ...]
    captured: tuple[int, ...]
    promotes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionView:
    """A position and its legal moves."""

    rulebook: str
    fen: str
    turn: str
    pieces: dict[str, str]
    """Letters w, W, b, B by square."""
    legal: Sequence[BoardMoveView]
    must_capture: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView(PositionView):
    """A game at one of its plies: the position, the last move, what is counted and how it ended."""

    ply: int
    last: LastMoveView | None
    counts: Sequence[CountView]
    outcome: OutcomeView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameView(GameView):
    """One of the positions of a game that is shown step by step."""

    claimed: bool | None = None
    """Whether a player has just made a claim."""


def position_fields(position: Position, playable: Iterable[Move] | None = None) -> dict[str, Any]:
    """The fields of a `PositionView`; `playable` says which moves are open, where that is not all of them."""
    return {
        "rulebook": position.rulebook.id,
        "fen": position.fen,
        "turn": position.turn.value,
        "pieces": {str(square): letter for square, letter in enumerate(position.diagram) if letter != "."},
        "legal": board_moves(position, position.legal_moves if playable is None else playable),
        "must_capture": position.must_capture(),
    }


def position_view(position: Position) -> PositionView:
    """A position with all its legal moves.

    >>> position_view(Position.from_fen("W:Wc3:Bb4,d4,f6", "faraes")).legal
    [BoardMoveView(text='c3xe5xg7', routes=((9, 18, 27),), captured=(13, 22), promotes=False)]
    """
    return PositionView(**position_fields(position))


def last_move(move: Move) -> LastMoveView:
    """A single move with its route."""
    return LastMoveView(move.text, move.route, move.captured, move.promotes)


def game_view(game: Game, language: str, *, claimed: bool | None = None) -> FrameView:
    """A game that is played at no table."""
    record = game.record
    return FrameView(
        **position_fields(game.position, game.legal_moves),
        ply=record.length,
        last=last_move(record.move(record.length)) if record.length else None,
        counts=game_counts(game, language),
        outcome=outcome_view(game.outcome, language),
        claimed=claimed,
    )
