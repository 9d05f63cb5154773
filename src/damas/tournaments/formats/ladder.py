"""Ladder: each player stands on a rung and challenges somebody above; a challenger who wins changes places.

The first rounds of a cycle challenge far up, half the ladder, the later ones less and less, down to the neighbour; then
a new cycle starts with the other half challenging. So a strong player entered at the bottom needs few rounds to the top.
"""

from damas.tournaments.formats.pairing import (
    Pairing,
    color_lot,
    disqualified_players,
    encounter,
    is_complete,
    pair_count,
    points_in,
)
from damas.tournaments.result import Results
from damas.tournaments.settings import Settings


def reaches(count: int) -> list[int]:
    """How many rungs up each round of a cycle challenges.

    >>> reaches(10)
    [5, 3, 2, 1, 1]
    """
    distances = []
    reach = count // 2
    while reach > 1:
        distances.append(reach)
        reach = (reach + 1) // 2
    return [*distances, 1, 1]


def round_count(settings: Settings) -> int:
    """Rounds of the tournament: two cycles unless the settings say otherwise."""
    return settings.rounds or 2 * len(reaches(len(settings.names)))


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    """Every game known by now."""
    return _play_through(results, settings)[0]


def final_order(results: Results, settings: Settings) -> tuple[str, ...]:
    """The rungs from the top after the last complete round; disqualified players stand below all others."""
    plan, rungs = _play_through(results, settings)
    return tuple(_sink(rungs, disqualified_players(plan, results)))


def _sink(rungs: list[str], out: set[str]) -> list[str]:
    return [*(name for name in rungs if name not in out), *(name for name in rungs if name in out)]


def _play_through(results: Results, settings: Settings) -> tuple[list[Pairing], list[str]]:
    """The games known by now, and the players from the top rung down."""
    rungs = list(settings.names)
    cycle = reaches(len(rungs))
    lot = color_lot(settings.colours, settings.seed)
    plan: list[Pairing] = []
    out: set[str] = set()
    for number in range(round_count(settings)):
        rungs = _sink(rungs, out)
        climbing = len(rungs) - len(out & set(rungs))
        if climbing < 2:
            break
        challenges = _challenges(climbing, *_round_shape(number, cycle, climbing))
        opening = number * pair_count(settings.games)
        encounters = [
            list(
                encounter(
                    number + 1, board, rungs[below], rungs[above], settings.games, opening=opening, lot=lot
                )
            )
            for board, (above, below) in enumerate(challenges, start=1)
        ]
        games = [game for meeting in encounters for game in meeting]
        plan += games
        if not is_complete(games, results):
            break
        out |= disqualified_players(games, results)
        for (above, below), meeting in zip(challenges, encounters, strict=True):
            champion, challenger = rungs[above], rungs[below]
            if points_in(challenger, meeting, results) > points_in(champion, meeting, results):
                rungs[above], rungs[below] = challenger, champion
    return plan, rungs


def _round_shape(number: int, cycle: list[int], count: int) -> tuple[int, int]:
    """How far a round challenges, and whether (1) or not (0) it leaves the top of the ladder out."""
    place = number % len(cycle)
    # The two rounds among neighbours take turns, and so do the cycles.
    offset = (number // len(cycle) + (place == len(cycle) - 1)) % 2
    return min(cycle[place], count - 1), offset


def _challenges(count: int, reach: int, offset: int) -> list[tuple[int, int]]:
    """Pairs of rungs counted from the top, each rung in at most one of them.

    >>> _challenges(5, 1, 0), _challenges(5, 1, 1), _challenges(5, 2, 0)
    ([(0, 1), (2, 3)], [(1, 2), (3, 4)], [(0, 2), (1, 3)])
    """
    first = reach * offset if count > reach * (offset + 1) else 0
    blocks = range(first, count, 2 * reach)
    return [
        (rung, rung + reach)
        for block in blocks
        for rung in range(block, min(block + reach, count))
        if rung + reach < count
    ]


def total_games(settings: Settings) -> int:
    """Games of all rounds if nobody is disqualified."""
    count = len(settings.names)
    cycle = reaches(count)
    challenges = sum(
        len(_challenges(count, *_round_shape(number, cycle, count)))
        for number in range(round_count(settings))
    )
    return challenges * settings.games
