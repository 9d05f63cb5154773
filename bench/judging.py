"""Judging recorded games: every draw law, repetition and the end on the board, by the letter of the rulebook."""

import time
from collections.abc import Iterator
from random import Random

from bench.measure import Figure, median, memory
from bench.middlegames import random_game
from bench.table import Line
from damas import Move, Position
from damas.game import LETTER, Game
from damas.notation import PdnGame, read_games, write_game

PLIES = 60
ALL = 100_000
BOOKS = ("brasileira", "oficial", "faraes", "portuguesa", "concurso", "internacional", "russa")
ENDING = {8: "W:WKa1,Kc1,Ke1,Kg1:BKb8,Kd8,Kf8,Kh8", 10: "W:WKa1,Kc1,Ke1,Kg1:BKb10,Kd10,Kf10,Kh10"}
"""Kings only: every ply is reversible, so every law looks as far back as it can."""

Moves = tuple[Position, list[Move]]
"""A start and the moves from it."""


def lines(games: int) -> Iterator[Line]:
    """Seconds for a hundred thousand games, from a sample or from all of them."""
    rng = Random(7)
    whole = [sixty_plies(Position.start(BOOKS[n % len(BOOKS)]), rng) for n in range(min(games, 500))]
    how = "all of them" if games >= ALL else f"from {games:,} of them"
    note = f"{how}, over {len(BOOKS)} rulebooks"
    yield judged(f"judge {ALL:,} games of {PLIES} plies", whole, games, note)
    kings = [king_ending(BOOKS[n % len(BOOKS)], rng) for n in range(min(games, 500))]
    yield judged("the same of kings alone", kings, games, "every law counts at every ply")
    yield from_pdn(whole)


def sixty_plies(start: Position, rng: Random) -> Moves:
    while True:
        played = random_game(start, rng, PLIES)
        if len(played[1]) == PLIES:
            return played


def king_ending(book: str, rng: Random) -> Moves:
    """Up to sixty plies: kings take each other now and then."""
    start = Position.start(book)
    letters = ENDING[start.rulebook.size.value]
    mirrored = start.rulebook.corner.value == "right"
    if mirrored:
        letters = letters.translate(str.maketrans("abcdefgh", "hgfedcba"))
    return max(
        (random_game(Position.from_fen(letters, book), rng, PLIES) for _ in range(8)),
        key=lambda game: len(game[1]),
    )


def judged(what: str, games: list[Moves], count: int, note: str) -> Line:
    judge(games)
    parts, before, grown = [], memory(), 0
    for _ in range(max(3, count // len(games))):
        started = time.thread_time()
        judge(games)
        parts.append(time.thread_time() - started)
        grown = max(grown, memory() - before)
    once = median(parts)
    figure = Figure(once.value * ALL / len(games), once.spread)
    return Line(what, figure, "s", 60.0, at_most=True, note=f"{note}; memory grew by {grown // 1024} KiB")


def judge(games: list[Moves]) -> None:
    for start, moves in games:
        Game.of(start, moves, customs=LETTER)


def from_pdn(games: list[Moves]) -> Line:
    text = "\n".join(write_game(PdnGame.of(start, moves)) for start, moves in games)
    started = time.thread_time()
    for game in read_games(text):
        assert isinstance(game, PdnGame)
        Game.of(game.start, [node.move for node in game.moves], customs=LETTER)
    taken = time.thread_time() - started
    return Line(
        "read them from PDN and judge them", Figure(taken * ALL / len(games)), "s", note="the text in memory"
    )
