"""Cheap tournaments for tests: settings, results out of thin air, and a program that plays one and may be killed.

python tests/arena/playing.py FOLDER GAMES      plays on where the folder stands
"""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from damas.arena.formats import Pairing, Score, pairings
from damas.arena.referee import GameResult
from damas.arena.schedule import run
from damas.arena.settings import Entry, Settings
from damas.arena.tournament import Tournament

ENDINGS = ("W:Wc3,e3:Bd6,f6", "W:Wb4,d2:Ba7,c7", "B:Wc3,g3:Bb6,f6", "W:Wa3,c5:Bf8,h6", "W:We3:Bd6,h8")


def settings(players: int, **options: object) -> Settings:
    entries = tuple(Entry(f"p{number:02}", "random") for number in range(1, players + 1))
    return Settings(entries, "concurso", **options)  # type: ignore[arg-type]


def cheap(games: int) -> Settings:
    """Four random players from few pieces: about three milliseconds a game."""
    return settings(4, games=games, openings="file", lines=ENDINGS, longest=60)


def strength(name: str) -> float:
    """p01 is the strongest."""
    return -float(name[1:])


Judge = Callable[[Pairing], Score]


def by_strength(game: Pairing) -> Score:
    assert game.black
    return Score(1.0 if strength(game.white) > strength(game.black) else 0.0)


def by_chance(seed: int, draws: float = 0.3) -> Judge:
    """The same answer for a game whenever it is asked."""

    def judge(game: Pairing) -> Score:
        value = Random(f"{seed}/{game.id}/{game.white}/{game.black}").random()
        return Score(0.5 if value < draws else 1.0 if value < (1 + draws) / 2 else 0.0)

    return judge


def play_all(
    settings: Settings, judge: Judge, order: Random | None = None
) -> tuple[list[Pairing], dict[str, Score]]:
    """Every game to the end of the tournament, in the order of the plan or any other."""
    results: dict[str, Score] = {}
    while True:
        due = [game for game in pairings(results, settings) if not game.bye and game.id not in results]
        if not due:
            return pairings(results, settings), results
        game = order.choice(due) if order else due[0]
        results[game.id] = judge(game)


def fake_play(white, black, start, terms, *, watch=None) -> GameResult:
    """A referee that throws a coin by the seed of the game."""
    chance = Random(f"{terms.seed}/{white.name}/{black.name}")
    points = chance.choice((0.0, 0.5, 1.0))
    return GameResult(points, white.name, black.name, "NO_MOVES", "", None, 9, 0.1, {}, "", (), None)


def main() -> int:
    folder, games = Path(sys.argv[1]), int(sys.argv[2])
    there = (folder / "tournament.json").exists()
    with Tournament.open(folder) if there else Tournament.create(folder, cheap(games)) as tournament:
        run(tournament, concurrency=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
