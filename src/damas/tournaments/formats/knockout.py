"""Knock-out: the loser of an encounter is out. A tie adds pairs of games; after them a draw by lot decides."""

from math import ceil, log2
from random import Random

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


def bracket(count: int) -> list[int]:
    """Seeds in bracket order for a power of two, so that the first two seeds can meet only in the final.

    >>> bracket(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    seeds = [0]
    while len(seeds) < count:
        size = 2 * len(seeds)
        seeds = [each for seed in seeds for each in (seed, size - 1 - seed)]
    return seeds


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    """Every game and bye known by now."""
    return _play_through(results, settings)[0]


def final_order(results: Results, settings: Settings) -> tuple[str, ...]:
    """A player who went out later ranks higher; within a round, the one entered earlier."""
    return _play_through(results, settings)[1]


def _play_through(results: Results, settings: Settings) -> tuple[list[Pairing], tuple[str, ...]]:
    """The games known by now, and the players from first to last."""
    names = settings.names
    size = 2 ** ceil(log2(len(names)))
    remaining: list[str | None] = [names[seed] if seed < len(names) else None for seed in bracket(size)]
    plan: list[Pairing] = []
    losers_by_round: list[list[str]] = []
    number = 0
    while len(remaining) > 1:
        number += 1
        winners: list[str | None] = []
        losers = []
        for board, (one, other) in enumerate(zip(remaining[::2], remaining[1::2], strict=True), start=1):
            if one is None or other is None:
                resting = one or other
                winners.append(resting)
                if resting:
                    plan.append(Pairing(number, board, 1, resting, None))
                continue
            games, winner = _games_and_winner(number, board, one, other, plan, results, settings)
            plan += games
            winners.append(winner)
            if winner:
                losers.append(other if winner == one else one)
        losers_by_round.append(losers)
        if not is_complete([game for game in plan if game.round == number], results):
            break
        remaining = winners
    champion = [name for name in remaining if name] if len(remaining) == 1 else []
    beaten = [name for losers in reversed(losers_by_round) for name in sorted(losers, key=names.index)]
    playing = [name for name in names if name not in champion and name not in beaten]
    return plan, (*champion, *playing, *beaten)


def _games_and_winner(
    round: int,
    board: int,
    one: str,
    other: str,
    before: list[Pairing],
    results: Results,
    settings: Settings,
) -> tuple[list[Pairing], str | None]:
    """The games two players have to play in this round, tie-breaks included, and the winner if it is decided."""
    lot = color_lot(settings.colours, settings.seed)
    pairs = pair_count(settings.games)
    opening = (round - 1) * (pairs + settings.tie_breaks)
    games = list(encounter(round, board, one, other, settings.games, opening=opening, lot=lot))
    for extra in range(settings.tie_breaks + 1):
        if not is_complete(games, results):
            return games, None
        out = disqualified_players([*before, *games], results) & {one, other}
        points = points_in(one, games, results), points_in(other, games, results)
        if points[0] != points[1]:
            return games, one if points[0] > points[1] else other
        if len(out) == 1:
            return games, other if one in out else one
        if extra < settings.tie_breaks:
            games += encounter(
                round,
                board,
                one,
                other,
                2,
                opening=opening + pairs + extra,
                lot=lot,
                first_game=settings.games + 2 * extra + 1,
            )
    return games, one if Random(f"{settings.seed}/tie/{round}/{board}").random() < 0.5 else other


def total_games(settings: Settings) -> int:
    """Games without those that ties add."""
    return (len(settings.names) - 1) * settings.games
