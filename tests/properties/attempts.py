"""Attempts at a move: what a player might try, most of it not allowed."""

from random import Random

from damas import Move, Position
from damas.game.core import core_rules

LOOSER = (
    {},
    {"king_landing": "any"},
    {"men_capture_kings": True},
    {"men_capture_backward": True},
    {"promotion": "passes"},
    {"promotion": "continues", "flying_king": True},
)
"""Rules under which more captures are legal; in all of them no law prefers one."""


def joined(position: Position, squares: list[int], capture: bool) -> str:
    names = position.rulebook.square_names
    return ("x" if capture else "-").join(names[square] for square in squares)


def attempts(position: Position, dice: Random) -> list[str]:
    """Near misses of every legal capture and quiet move, and shots in the dark. Many are legal: ask `refusal`."""
    squares = position.rulebook.geometry.squares
    tried = [
        joined(position, dice.sample(squares, dice.choice((2, 2, 2, 3))), dice.random() < 0.5)
        for _ in range(6)
    ]
    own = [s for s in squares if (piece := position.piece_at(s)) and piece.color is position.turn]
    if own:
        tried += [joined(position, [dice.choice(own), dice.choice(squares)], False) for _ in range(6)]
    tried += [joined(position, list(move.route), False) for move in position.quiet_moves()][:6]
    for move in position.routes():
        if len(tried) > 60:
            break
        if move.is_capture:
            tried += near_misses(position, move, dice)
    for changes in LOOSER:
        looser = position.under(core_rules(position.rulebook, capture_priority=(), **changes))
        moves = [move for move in looser.legal_moves if move.is_capture]
        longest = len(position.legal_moves[0].captured) if position.legal_moves else 0
        rivals = [
            move for move in moves if len(move.captured) == longest
        ]  # the lesser laws decide between these
        for some in (moves, rivals):
            tried += [joined(position, list(m.route), True) for m in dice.sample(some, min(2, len(some)))]
    other_side = Position.of(
        type(position.setup)(position.setup.pieces, position.turn.other), position.rulebook
    )
    tried += [joined(position, list(move.route), move.is_capture) for move in other_side.legal_moves][:2]
    return list(dict.fromkeys(tried))


def near_misses(position: Position, move: Move, dice: Random) -> list[str]:
    """A jump less, a jump more, another landing, another order, there and back."""
    route = list(move.route)
    squares = position.rulebook.geometry.squares
    changed = list(route)
    changed[dice.randrange(1, len(route))] = dice.choice(squares)
    near = [
        route[:-1],
        [*route, dice.choice(squares)],
        [*route, *around(position, route[-1], dice)],
        changed,
        [*route[:-1], *around(position, route[-1], dice)],
        [*route, route[-2]],
        [*route, route[0]],
        [route[0], *reversed(route[1:])],
        [route[0], route[-1]],
        [*route[:-2], route[-1]],
        [*route, *behind(position, route, dice)],
    ]
    return [joined(position, some, True) for some in near if len(some) > 1]


def behind(position: Position, route: list[int], dice: Random) -> list[int]:
    """A square back along the last leg and beyond where it began."""
    geometry = position.rulebook.geometry
    (row, column), (last_row, last_column) = geometry.places[route[-2]], geometry.places[route[-1]]
    steps = max(abs(last_row - row), abs(last_column - column))
    step = ((row - last_row) // steps, (column - last_column) // steps)
    ray = [
        geometry.by_place[place]
        for i in range(geometry.size)
        if (place := (row + step[0] * i, column + step[1] * i)) in geometry.by_place
    ]
    return [dice.choice(ray)]


def around(position: Position, square: int, dice: Random) -> list[int]:
    """A square one or two steps away."""
    places = position.rulebook.geometry.places
    row, column = places[square]
    near = [
        other
        for other, (r, c) in enumerate(places)
        if other != square and abs(r - row) <= 2 and abs(c - column) <= 2
    ]
    return [dice.choice(near)]
