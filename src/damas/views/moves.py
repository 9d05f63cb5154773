"""A move: with the names of its squares, for people and programs, or with internal squares, for boards."""

from collections.abc import Iterable
from dataclasses import dataclass

from damas.errors import Refusal
from damas.game import Move, Position


@dataclass(frozen=True, slots=True)
class MoveView:
    """A move, its squares named as in the rulebook's FEN."""

    text: str
    from_: str
    to: str
    route: tuple[str, ...]
    captured: tuple[str, ...]
    promotes: bool
    squares: tuple[int, ...] | None = None
    """The route in internal squares, for boards."""


@dataclass(frozen=True, slots=True)
class BoardMoveView:
    """A move in internal squares, with every route that leads to the same position."""

    text: str
    routes: tuple[tuple[int, ...], ...]
    captured: tuple[int, ...]
    promotes: bool


def move_view(move: Move, names: tuple[str, ...], *, squares: bool = False) -> MoveView:
    """A move whose squares have these names; with `squares` also the internal ones."""
    route = tuple([names[square] for square in move.route])
    captured = tuple([names[square] for square in move.captured])
    return MoveView(
        move.text, route[0], route[-1], route, captured, move.promotes, move.route if squares else None
    )


def board_moves(position: Position, moves: Iterable[Move]) -> list[BoardMoveView]:
    """Each of the moves once, with all its routes; of a capture that has begun only the routes that are given."""
    wanted = list(moves)
    if (
        not wanted or not wanted[0].is_capture
    ):  # captures are compulsory: either all moves capture or none does
        return [BoardMoveView(move.text, (move.route,), (), move.promotes) for move in wanted]
    routes: dict[Move, list[tuple[int, ...]]] = {move: [] for move in wanted}
    given = {move.route for move in wanted}
    apart = len(given) > len(routes)
    for routed in position.routes():
        if routed in routes and (not apart or routed.route in given):
            routes[routed].append(routed.route)
    return [
        BoardMoveView(move.text, tuple(same) or (move.route,), move.captured, move.promotes)
        for move, same in routes.items()
    ]


def alternatives(position: Position, why: Refusal) -> list[Move]:
    """The moves that a refusal names, with all their routes."""
    named = set(why.legal)
    routes = position.routes()
    meant = {move for move in routes if move.text in named}
    return [move for move in routes if move in meant]
