"""Names of openings, by position: those of the ballots that a rulebook brings."""

from functools import cache

from damas.game import Game
from damas.openings.book import named_ballots, read_book
from damas.rules import Rulebook


@cache
def names_of(book: Rulebook) -> dict[int, str]:
    """The name of each position that has one, by the position's `key`.

    A ballot names the end of each line. The positions before it have what comes before the comma, where all lines through
    them agree.

    >>> from damas import Position
    >>> names_of(Position.start("inglesa").rulebook)[Position.start("inglesa").play("9-13").key]
    'Edinburgh'
    """
    ends: dict[int, str] = {}
    shared: dict[int, set[str]] = {}
    for path in named_ballots(book).values():
        for opening in read_book(path, book):
            if not opening.name:
                continue
            game = Game.start(book, fen=opening.fen)
            for move in opening.moves:
                game = game.play(move)
                shared.setdefault(game.position.key, set()).add(opening.name.partition(",")[0])
            ends[game.position.key] = opening.name
    return {key: names.pop() for key, names in shared.items() if len(names) == 1} | ends
