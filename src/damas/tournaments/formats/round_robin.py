"""Round robin: everybody against everybody, in the rounds of Berger's tables, so that colours stay balanced.

Gauntlet: the first player against each of the others, to place a new program among known ones.
"""

from collections.abc import Iterator

from damas.tournaments.formats.pairing import Pairing, color_lot, encounter, pair_count
from damas.tournaments.formats.trial import Trial
from damas.tournaments.result import Results
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


def _rounds(settings: Settings) -> list[list[tuple[str, str]]]:
    """Who meets in each round of one cycle."""
    names = settings.names
    if settings.format == "gauntlet":
        return [[(names[0], other) for other in names[1:]]]
    rounds = berger(len(names) + len(names) % 2)
    return [
        [(names[white], names[black]) for white, black in pairs if max(white, black) < len(names)]
        for pairs in rounds
    ]


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    """Every game of all cycles; results matter only to a sequential test."""
    rounds = _rounds(settings)
    lot = color_lot(settings.colours, settings.seed)
    plan: list[Pairing] = []
    for cycle in range(pair_count(settings.games)):
        games = min(2, settings.games - 2 * cycle)
        for number, pairs in enumerate(rounds, start=cycle * len(rounds) + 1):
            for board, (white, black) in enumerate(pairs, start=1):
                plan += encounter(number, board, white, black, games, opening=cycle, lot=lot)
    return plan[: Trial.over(plan, results, settings).last] if settings.sprt else plan


def total_games(settings: Settings) -> int:
    """Games of the whole tournament."""
    return settings.games * sum(len(pairs) for pairs in _rounds(settings))
