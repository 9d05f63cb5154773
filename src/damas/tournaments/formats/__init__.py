"""Who plays whom: round robin, gauntlet, Swiss, knock-out and ladder.

Each format is a pure function of the players, the settings and the results so far. `pairings` returns every game known
by now, played or not; the games of a round appear when all games of the rounds before have a result. So the order in
which games end does not matter.
"""

from typing import Protocol

from damas.tournaments.formats import knockout, ladder, round_robin, swiss
from damas.tournaments.formats.pairing import Pairing
from damas.tournaments.result import Results
from damas.tournaments.settings import Settings

__all__ = ["Pairing", "final_order", "pairings", "total_games"]


class _Format(Protocol):
    def pairings(self, results: Results, settings: Settings) -> list[Pairing]: ...

    def total_games(self, settings: Settings) -> int: ...


_FORMATS: dict[str, _Format] = {
    "round-robin": round_robin,
    "gauntlet": round_robin,
    "swiss": swiss,
    "knockout": knockout,
    "ladder": ladder,
}


def pairings(results: Results, settings: Settings) -> list[Pairing]:
    """Every game and bye known by now, in the order in which games should start."""
    return _FORMATS[settings.format].pairings(results, settings)


def total_games(settings: Settings) -> int:
    """Games of the whole tournament; ties in a knock-out add some, a sequential test may need fewer."""
    return _FORMATS[settings.format].total_games(settings)


def final_order(results: Results, settings: Settings) -> tuple[str, ...] | None:
    """The players from first to last if the format ranks them itself; None if points do."""
    if settings.format == "ladder":
        return ladder.final_order(results, settings)
    if settings.format == "knockout":
        return knockout.final_order(results, settings)
    return None
