"""Everybody against everybody, in the rounds of Berger's tables, so that the table is balanced at any time."""

from collections.abc import Iterator

from damas.tournaments.formats.pairing import Pairing, Results, encounter, lot_of, pairs_of
from damas.tournaments.formats.trial import Trial
from damas.tournaments.settings import Settings


def berger(count: int) -> Iterator[list[tuple[int, int]]]:
    """Rounds of an even number of players; the first of two has White.

    >>> [list(pairs) for pairs in berger(4)]
    [[(0, 3), (1, 2)], [(3, 2), (0, 1)], [(1, 3), (2, 0)]]
    """
    last = count - 1
    for number in range(last):
        # The last player stands still, the others turn half a circle at a time.
        turn = [(number * (count // 2) + place) % last for place in range(last)]
        pairs = [(turn[place], turn[last - place]) for place in range(1, count // 2)]
        yield [(last, turn[0]) if number % 2 else (turn[0], last), *pairs]


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    names = settings.names
    count = len(names) + len(names) % 2
    rounds = list(berger(count))
    lot = lot_of(settings.colours, settings.seed)
    found: list[Pairing] = []
    for cycle in range(pairs_of(settings.games)):
        games = min(2, settings.games - 2 * cycle)
        for number, pairs in enumerate(rounds):
            playing = [pair for pair in pairs if max(pair) < len(names)]
            stage = cycle * len(rounds) + number + 1
            for board, (white, black) in enumerate(playing, start=1):
                found += encounter(stage, board, names[white], names[black], games, opening=cycle, lot=lot)
    if settings.sprt:
        return found[: Trial.over(found, results, settings).last]
    return found


def total(settings: Settings) -> int:
    players = len(settings.names)
    return players * (players - 1) // 2 * settings.games
