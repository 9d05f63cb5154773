"""Judging recorded games: every draw law, repetition and the end on the board, by the letter of the rulebook."""

import time
from collections.abc import Iterator
from random import Random

from bench.measure import Figure, median, memory
from bench.middlegames import random_game
from bench.table import Line
from damas.game import LETTER, Game
from damas.notation import PdnGame, read_games, write_game

PLIES = 60
ALL = 100_000
BOOKS = ("brasileira", "oficial", "faraes", "portuguesa", "concurso", "internacional", "russa")


def lines(games: int) -> Iterator[Line]:
    """Seconds for a hundred thousand games, from a sample or from all of them."""
    rng = Random(7)
    kept = []
    while len(kept) < min(games, 500):
        start, moves = random_game(BOOKS[len(kept) % len(BOOKS)], rng, PLIES)
        if len(moves) == PLIES:
            kept.append((start, moves))
    judge(kept)
    parts, before, grown = [], memory(), 0
    for _ in range(max(1, games // len(kept))):
        started = time.thread_time()
        judge(kept)
        parts.append(time.thread_time() - started)
        grown = max(grown, memory() - before)
    whole = median(parts)
    sample = "all of them" if games >= ALL else f"from {games:,} of them"
    figure = Figure(whole.value * ALL / len(kept), whole.spread)
    note = f"{sample}, over {len(BOOKS)} rulebooks; memory grew by {grown // 1024} KiB"
    yield Line(f"judge {ALL:,} games of {PLIES} plies", figure, "s", 60.0, at_most=True, note=note)
    text = "\n".join(write_game(PdnGame.of(start, moves)) for start, moves in kept)
    started = time.thread_time()
    judged = sum(1 for game in read_games(text) if isinstance(game, PdnGame) and judged_pdn(game))
    taken = time.thread_time() - started
    yield Line("the same, read from PDN", Figure(taken * ALL / judged), "s", note="reading included")


def judge(games: list[tuple[object, list[object]]]) -> None:
    for start, moves in games:
        Game.of(start, moves, customs=LETTER)  # type: ignore[arg-type]


def judged_pdn(game: PdnGame) -> Game:
    return Game.of(game.start, [node.move for node in game.moves], customs=LETTER)
