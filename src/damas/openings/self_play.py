"""Games that the engine plays against itself, for statistics: varied, and the same for the same seed."""

from collections.abc import Iterator
from math import exp
from random import Random

from damas.engine import Limits
from damas.engine.engine import DECIDED, Engine, Result
from damas.game import Game, Move
from damas.openings.gathering import Games
from damas.openings.lines import MAX_PLIES, PlayedLine, SkippedGame, line_keys
from damas.rules import Rulebook

MAX_GAME_PLIES = 200
"""A game that lasts longer counts as a draw."""
CHOICE_PLIES = 12
"""Plies in which any good move is played; later the best."""
WINDOW = 30
"""A move this many hundredths of a man worse than the best may still be chosen; better ones are likelier."""


def engine_games(
    book: Rulebook, count: int, *, nodes: int = 2_000, seed: int = 1, plies: int = MAX_PLIES
) -> Games:
    """So many games of the engine against itself, with so many nodes for a move."""

    def read(first: int) -> Iterator[PlayedLine | SkippedGame]:
        with Engine(book, hash_mb=4, tables=False) as engine:
            for number in range(first, count):
                yield play_line(engine, Random(f"{book.id}/{seed}/{number}"), nodes, plies)

    return Games(f"engine/{book.hash}/{nodes}/{seed}/{count}", read, count)


def play_line(engine: Engine, random: Random, nodes: int, plies: int) -> PlayedLine:
    """One game."""
    engine.forget()  # a game that is played again after an interruption must be the same
    game = Game.start(engine.book)
    while not game.outcome and game.record.length < MAX_GAME_PLIES:
        lines = 4 if game.record.length < CHOICE_PLIES else 1
        result = engine.search(game, Limits(nodes=nodes, lines=lines))
        game = game.play(_choose(result, random))
    winner = game.outcome.winner if game.outcome else None
    return PlayedLine(engine.book.id, line_keys(game.record.positions[: plies + 1]), winner)


def _choose(result: Result, random: Random) -> Move:
    best = result.lines[0]
    near = [line for line in result.lines if best.score - line.score <= WINDOW and best.score <= DECIDED]
    weights = [exp((line.score - best.score) / (WINDOW / 2)) for line in near]
    return random.choices(near, weights)[0].moves[0] if near else best.moves[0]
