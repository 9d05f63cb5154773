"""Knock-out: who loses an encounter is out. A tie adds pairs of games, and after them the lot decides."""

from math import ceil, log2
from random import Random

from damas.tournaments.formats.pairing import (
    Pairing,
    Results,
    complete,
    encounter,
    lot_of,
    pairs_of,
    points_in,
    put_out,
)
from damas.tournaments.settings import Settings


def bracket(count: int) -> list[int]:
    """Places of a power of two so that the first two can meet only in the final.

    >>> bracket(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    places = [0]
    while len(places) < count:
        size = 2 * len(places)
        places = [each for place in places for each in (place, size - 1 - place)]
    return places


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    return _walk(results, settings)[0]


def order(results: Results, settings: Settings) -> tuple[str, ...]:
    """The later put out, the better; of those put out in one round, the one entered earlier."""
    return _walk(results, settings)[1]


def _walk(results: Results, settings: Settings) -> tuple[list[Pairing], tuple[str, ...]]:
    names = settings.names
    size = 2 ** ceil(log2(len(names)))
    left: list[str | None] = [names[place] if place < len(names) else None for place in bracket(size)]
    found: list[Pairing] = []
    beaten: list[list[str]] = []
    stage = 0
    while len(left) > 1:
        stage += 1
        winners: list[str | None] = []
        losers = []
        for board, (one, other) in enumerate(zip(left[::2], left[1::2], strict=True), start=1):
            if one is None or other is None:
                lucky = one or other
                winners.append(lucky)
                if lucky:
                    found.append(Pairing(stage, board, 1, lucky, None))
                continue
            games, winner = _encounter(stage, board, one, other, found, results, settings)
            found += games
            winners.append(winner)
            if winner:
                losers.append(other if winner == one else one)
        beaten.append(losers)
        if not complete([game for game in found if game.round == stage], results):
            break
        left = winners
    standing = [name for name in left if name] if len(left) == 1 else []
    known = [*standing, *(name for losers in reversed(beaten) for name in sorted(losers, key=names.index))]
    still = [name for name in names if name not in known]
    return found, (*standing, *still, *(name for name in known if name not in standing))


def _encounter(
    round: int,
    board: int,
    one: str,
    other: str,
    before: list[Pairing],
    results: Results,
    settings: Settings,
) -> tuple[list[Pairing], str | None]:
    """The games so far, and who has won if that is settled."""
    lot = lot_of(settings.colours, settings.seed)
    span = pairs_of(settings.games) + settings.tie_breaks
    opening = (round - 1) * span
    games = list(encounter(round, board, one, other, settings.games, opening=opening, lot=lot))
    for extra in range(settings.tie_breaks + 1):
        if not complete(games, results):
            return games, None
        out = put_out([*before, *games], results) & {one, other}
        points = points_in(one, games, results), points_in(other, games, results)
        if points[0] != points[1]:
            return games, one if points[0] > points[1] else other
        if len(out) == 1:
            return games, other if one in out else one
        if extra < settings.tie_breaks:
            begin = settings.games + 2 * extra + 1
            games += encounter(
                round,
                board,
                one,
                other,
                2,
                opening=opening + pairs_of(settings.games) + extra,
                lot=lot,
                begin=begin,
            )
    return games, one if Random(f"{settings.seed}/tie/{round}/{board}").random() < 0.5 else other


def total(settings: Settings) -> int:
    return (len(settings.names) - 1) * settings.games
