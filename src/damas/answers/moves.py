"""A move as programs read it."""

from damas.game import Move


def move_object(move: Move, names: tuple[str, ...]) -> dict[str, object]:
    """A move as scripts read it, squares as in the rulebook's FEN."""
    return {
        "text": move.text,
        "from": names[move.origin],
        "to": names[move.destination],
        "route": [names[square] for square in move.route],
        "captured": [names[square] for square in move.captured],
        "promotes": move.promotes,
    }
