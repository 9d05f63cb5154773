"""Ladder: everybody stands on a rung and challenges somebody above; a challenger who wins changes places.

The first rounds reach far, half the ladder up, the later ones less and less, down to the neighbour; then again from the
start with the other half challenging. So a newcomer entered at the bottom needs few rounds to the top.
"""

from damas.tournaments.formats.pairing import (
    Pairing,
    Results,
    complete,
    encounter,
    lot_of,
    pairs_of,
    points_of_all,
    put_out,
)
from damas.tournaments.settings import Settings


def reaches(count: int) -> list[int]:
    """How far up each round of a cycle challenges.

    >>> reaches(10)
    [5, 3, 2, 1, 1]
    """
    found = []
    reach = count // 2
    while reach > 1:
        found.append(reach)
        reach = (reach + 1) // 2
    return [*found, 1, 1]


def rounds_of(settings: Settings) -> int:
    """Two cycles."""
    return settings.rounds or 2 * len(reaches(len(settings.names)))


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    return _climb(results, settings)[0]


def order(results: Results, settings: Settings) -> tuple[str, ...]:
    """From the top rung down, as it stands after the last complete round; who was put out stands below."""
    found, rungs = _climb(results, settings)
    out = put_out(found, results)
    return (*(name for name in rungs if name not in out), *(name for name in rungs if name in out))


def _climb(results: Results, settings: Settings) -> tuple[list[Pairing], list[str]]:
    rungs = list(settings.names)
    cycle = reaches(len(rungs))
    lot = lot_of(settings.colours, settings.seed)
    found: list[Pairing] = []
    out: set[str] = set()
    for number in range(rounds_of(settings)):
        rungs = [*(name for name in rungs if name not in out), *(name for name in rungs if name in out)]
        climbing = len(rungs) - len(out & set(rungs))
        if climbing < 2:
            break
        reach = cycle[number % len(cycle)]
        # The two rounds among neighbours take turns, and so do the cycles.
        odd = (number // len(cycle) + (number % len(cycle) == len(cycle) - 1)) % 2
        games: list[Pairing] = []
        challenges = _challenges(climbing, min(reach, climbing - 1), odd)
        opening = number * pairs_of(settings.games)
        for board, (above, below) in enumerate(challenges, start=1):
            games += encounter(
                number + 1, board, rungs[below], rungs[above], settings.games, opening=opening, lot=lot
            )
        found += games
        if not complete(games, results):
            break
        out |= put_out(games, results)
        points = points_of_all(games, results)
        for above, below in challenges:
            if points[rungs[below]] > points[rungs[above]]:
                rungs[above], rungs[below] = rungs[below], rungs[above]
    return found, rungs


def _challenges(count: int, reach: int, odd: int) -> list[tuple[int, int]]:
    """Rungs from the top, nobody in two of them.

    >>> _challenges(5, 1, 0), _challenges(5, 1, 1), _challenges(5, 2, 0)
    ([(0, 1), (2, 3)], [(1, 2), (3, 4)], [(0, 2), (1, 3)])
    """
    first = reach * odd if count > reach * (odd + 1) else 0
    blocks = range(first, count, 2 * reach)
    return [
        (rung, rung + reach)
        for block in blocks
        for rung in range(block, min(block + reach, count))
        if rung + reach < count
    ]


def total(settings: Settings) -> int:
    count = len(settings.names)
    cycle = reaches(count)
    found = 0
    for number in range(rounds_of(settings)):
        odd = (number // len(cycle) + (number % len(cycle) == len(cycle) - 1)) % 2
        found += len(_challenges(count, min(cycle[number % len(cycle)], count - 1), odd))
    return found * settings.games
