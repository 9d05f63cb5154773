"""The first player against each of the others: how a new program stands among those that are known."""

from damas.tournaments.formats.pairing import Pairing, Results, encounter, lot_of, pairs_of
from damas.tournaments.settings import Settings


def pairings(results: Results, settings: Settings) -> list[Pairing]:  # noqa: ARG001 (all is known from the start)
    hero, *others = settings.names
    lot = lot_of(settings.colours, settings.seed)
    found: list[Pairing] = []
    for cycle in range(pairs_of(settings.games)):
        games = min(2, settings.games - 2 * cycle)
        for board, other in enumerate(others, start=1):
            found += encounter(cycle + 1, board, hero, other, games, opening=cycle, lot=lot)
    return found


def total(settings: Settings) -> int:
    return (len(settings.names) - 1) * settings.games
