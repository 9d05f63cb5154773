"""Tournaments without games: settings, and results made up by rule or by chance."""

from collections.abc import Callable
from random import Random

from damas.tournaments.formats import Pairing, Score, pairings
from damas.tournaments.settings import Entry, Settings


def settings(players: int, **options: object) -> Settings:
    entries = tuple(Entry(f"p{number:02}", "random") for number in range(1, players + 1))
    return Settings(entries, "concurso", **options)  # type: ignore[arg-type]


def strength(name: str) -> float:
    """Strength by name; p01 is the strongest."""
    return -float(name[1:])


Judge = Callable[[Pairing], Score]


def by_strength(game: Pairing) -> Score:
    assert game.black
    return Score(1.0 if strength(game.white) > strength(game.black) else 0.0)


def by_chance(seed: int, draws: float = 0.3) -> Judge:
    """A random result that is always the same for the same game."""

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
