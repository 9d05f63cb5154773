"""Openings by lot: random lines, and those of the ballot, in which neither side can win a man."""

import hashlib
from collections.abc import Callable
from random import Random

from damas.engine.engine import Engine
from damas.engine.levels import settled
from damas.engine.limits import Limits
from damas.game import Game
from damas.rules import Rulebook, rulebook

BALLOT_PLIES = 6
"""Plies of a line of the ballot."""
BALLOT_LIMITS = Limits(depth=12, nodes=100_000)
"""How deep a line of the ballot is searched for a man that can be won."""
MAX_BALLOT_SCORE = 60
"""Less than a man, which is 100."""
MAX_RANDOM_PLIES = 40
"""The most plies of a random opening."""
MAX_ATTEMPTS = 1000
"""Random lines that are tried for one opening."""


def ballot_line(book: Rulebook | str, number: int, seed: int = 1, plies: int = BALLOT_PLIES) -> Game:
    """One line of the ballot. Networks have no part in it, so it stays the same when they change.

    >>> [move.text for move in ballot_line("brasileira", 0).record.moves]
    ['e3-f4', 'b6-a5', 'f2-e3', 'f6-g5', 'f4-e5', 'd6xf4']
    """
    return _random_line(book, f"{{id}}/{seed}/{number}", plies, is_balanced)


def random_line(book: Rulebook | str, number: int, seed: int, plies: int) -> Game:
    """A line of random legal plies."""
    return _random_line(book, f"random/{{id}}/{seed}/{number}", plies)


def ballot_hash(book: Rulebook | str, count: int = 20, seed: int = 1) -> str:
    """Identifies a ballot by its first lines."""
    lines = (ballot_line(book, number, seed).record.moves for number in range(count))
    text = "\n".join(" ".join(move.text for move in moves) for moves in lines)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_balanced(game: Game) -> bool:
    """Whether a short search sees less than a man's advantage for either side."""
    if settled(game.position):  # a quick test that rejects most lines
        return False
    with Engine(game.record.rulebook, network=False, tables=False, hash_mb=1) as engine:
        return abs(engine.search(game, BALLOT_LIMITS).lines[0].score) < MAX_BALLOT_SCORE


def _random_line(
    book: Rulebook | str, seed: str, plies: int, accept: Callable[[Game], bool] = lambda _: True
) -> Game:
    book = rulebook(book) if isinstance(book, str) else book
    for attempt in range(MAX_ATTEMPTS):
        random = Random(f"{seed.format(id=book.id)}/{attempt}")
        game = Game.start(book)
        while game.record.length < plies and not game.outcome:
            game = game.play(random.choice(sorted(game.legal_moves, key=lambda move: move.route)))
        if not game.outcome and accept(game):
            return game
    raise ValueError(f"{book.id}: no opening of {plies} random plies can be used")
