"""Tournaments without games: settings, and results made up by rule or by chance."""

from collections.abc import Callable
from random import Random

from damas.tournaments.formats import Pairing, pairings
from damas.tournaments.result import GameEntry
from damas.tournaments.settings import Entry, Settings


def settings(players: int, **options: object) -> Settings:
    entries = tuple(Entry(f"p{number:02}", "random") for number in range(1, players + 1))
    return Settings(entries, "concurso", **options)  # type: ignore[arg-type]


def strength(name: str) -> float:
    """Strength by name; p01 is the strongest."""
    return -float(name[1:])


def entry(game: Pairing, points: float | None, reason: str = "NO_MOVES") -> GameEntry:
    """A game with these points for White."""
    assert game.black
    return GameEntry(game.id, game.white, game.black, points, reason)


Judge = Callable[[Pairing], GameEntry]


def by_strength(game: Pairing) -> GameEntry:
    assert game.black
    return entry(game, 1.0 if strength(game.white) > strength(game.black) else 0.0)


def by_chance(seed: int, draws: float = 0.3) -> Judge:
    """A random result that is always the same for the same game."""

    def judge(game: Pairing) -> GameEntry:
        value = Random(f"{seed}/{game.id}/{game.white}/{game.black}").random()
        return entry(game, 0.5 if value < draws else 1.0 if value < (1 + draws) / 2 else 0.0)

    return judge


def play_all(
    settings: Settings, judge: Judge, order: Random | None = None
) -> tuple[list[Pairing], dict[str, GameEntry]]:
    """Every game to the end of the tournament, in the order of the plan or any other."""
    results: dict[str, GameEntry] = {}
    while True:
        due = [game for game in pairings(results, settings) if not game.bye and game.id not in results]
        if not due:
            return pairings(results, settings), results
        game = order.choice(due) if order else due[0]
        results[game.id] = judge(game)
