"""Cheap tournaments for tests: a fake referee, and a program that plays one and may be killed.

python tests/matches/playing.py FOLDER GAMES      plays on where the folder stands
"""

import sys
from pathlib import Path
from random import Random

from damas.matches.pool import run
from damas.tournaments.result import GameResult
from damas.tournaments.settings import Settings
from damas.tournaments.tournament import Tournament
from tournaments.results import settings

ENDINGS = ("W:Wc3,e3:Bd6,f6", "W:Wb4,d2:Ba7,c7", "B:Wc3,g3:Bb6,f6", "W:Wa3,c5:Bf8,h6", "W:We3:Bd6,h8")


def cheap(games: int) -> Settings:
    """Four random players from few pieces: about three milliseconds a game."""
    return settings(4, games=games, openings="file", lines=ENDINGS, longest=60)


def fake_play(white, black, start, terms, *, watch=None) -> GameResult:
    """A referee that throws a coin by the seed of the game."""
    chance = Random(f"{terms.seed}/{white.name}/{black.name}")
    points = chance.choice((0.0, 0.5, 1.0))
    return GameResult(points, white.name, black.name, "NO_MOVES", "", None, 9, 0.1, {}, "", (), None)


def main() -> int:
    folder, games = Path(sys.argv[1]), int(sys.argv[2])
    there = (folder / "tournament.json").exists()
    with Tournament.open(folder) if there else Tournament.create(folder, cheap(games)) as tournament:
        run(tournament, jobs=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
