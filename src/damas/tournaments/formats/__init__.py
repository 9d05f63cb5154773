"""Who plays whom. Each format is a pure function of the players, the settings and the results so far.

`pairings` gives every game that is known by now, played or not: the games of a later round appear when those of the
rounds before are all there. So the order in which games end, and who ended them, never matters.
"""

from collections.abc import Mapping
from typing import Protocol

from damas.tournaments.formats import gauntlet, knockout, ladder, round_robin, swiss
from damas.tournaments.formats.pairing import Pairing, Score
from damas.tournaments.settings import Settings

__all__ = ["Pairing", "Score", "order", "pairings", "total"]


class _Format(Protocol):
    def pairings(self, results: Mapping[str, Score], settings: Settings) -> list[Pairing]: ...

    def total(self, settings: Settings) -> int: ...


_FORMATS: dict[str, _Format] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "knockout": knockout,
    "ladder": ladder,
}


def pairings(results: Mapping[str, Score], settings: Settings) -> list[Pairing]:
    """Every game known by now, in the order in which they are best begun; byes among them."""
    return _FORMATS[settings.format].pairings(results, settings)


def total(settings: Settings) -> int:
    """Games there will be; a few more where a knock-out is tied, fewer where a test decides early."""
    return _FORMATS[settings.format].total(settings)


def order(results: Mapping[str, Score], settings: Settings) -> tuple[str, ...] | None:
    """The final order, where it is not that of the points: the rungs of a ladder, the rounds of a knock-out."""
    if settings.format == "ladder":
        return ladder.order(results, settings)
    if settings.format == "knockout":
        return knockout.order(results, settings)
    return None
