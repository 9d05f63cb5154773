"""Gauntlet: the first player against each of the others, to place a new program among known ones."""

from damas.tournaments.formats.pairing import Pairing, Results, color_lot, encounter, pair_count
from damas.tournaments.settings import Settings


def pairings(results: Results, settings: Settings) -> list[Pairing]:  # noqa: ARG001 (results change nothing)
    challenger, *others = settings.names
    lot = color_lot(settings.colours, settings.seed)
    plan: list[Pairing] = []
    for cycle in range(pair_count(settings.games)):
        games = min(2, settings.games - 2 * cycle)
        for board, other in enumerate(others, start=1):
            plan += encounter(cycle + 1, board, challenger, other, games, opening=cycle, lot=lot)
    return plan


def total_games(settings: Settings) -> int:
    return (len(settings.names) - 1) * settings.games
