"""Round robin: everybody against everybody, in the rounds of Berger's tables, so that colours stay balanced."""

from collections.abc import Iterator

from damas.tournaments.formats.pairing import Pairing, Results, color_lot, encounter, pair_count
from damas.tournaments.formats.trial import Trial
from damas.tournaments.settings import Settings


def berger(count: int) -> Iterator[list[tuple[int, int]]]:
    """The rounds of an even number of players; the first of each two has White.

    >>> [list(pairs) for pairs in berger(4)]
    [[(0, 3), (1, 2)], [(3, 2), (0, 1)], [(1, 3), (2, 0)]]
    """
    last = count - 1
    for number in range(last):
        # The last player stands still, the others turn half a circle at a time.
        circle = [(number * (count // 2) + place) % last for place in range(last)]
        pairs = [(circle[place], circle[last - place]) for place in range(1, count // 2)]
        yield [(last, circle[0]) if number % 2 else (circle[0], last), *pairs]


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    names = settings.names
    count = len(names) + len(names) % 2
    rounds = list(berger(count))
    lot = color_lot(settings.colours, settings.seed)
    plan: list[Pairing] = []
    for cycle in range(pair_count(settings.games)):
        games = min(2, settings.games - 2 * cycle)
        for number, pairs in enumerate(rounds):
            playing = [pair for pair in pairs if max(pair) < len(names)]
            stage = cycle * len(rounds) + number + 1
            for board, (white, black) in enumerate(playing, start=1):
                plan += encounter(stage, board, names[white], names[black], games, opening=cycle, lot=lot)
    if settings.sprt:
        return plan[: Trial.over(plan, results, settings).last]
    return plan


def total_games(settings: Settings) -> int:
    players = len(settings.names)
    return players * (players - 1) // 2 * settings.games
