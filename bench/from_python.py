"""What a Python program waits for: legal moves, a move played, a game played, a text read."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.measure import Figure, seconds
from bench.middlegames import BOARDS, sample
from bench.table import Line
from damas import Game, Move, Position, rulebook
from damas.board import Color, Piece, Setup
from damas.tablebase import Store, build


def lines(rounds: int) -> Iterator[Line]:
    """Measure every call on both boards, in microseconds."""
    for board in BOARDS:
        mean = sum(len(position.legal_moves) for position in sample(board).positions) / 40
        for what, measure, target, note in (
            ("legal moves", legal_moves, 1.0, ""),
            ("legal moves as a list", move_lists, 1.0, f"{mean:.1f} moves on average"),
            ("play a move", plays, 0.5, "over random games"),
            ("play a move in a game", plays_in_games, 6.7, "draw laws counted"),
            ("play a move by its text", plays_by_text, None, ""),
            ("read a FEN", fens, 5.0, ""),
            ("write a FEN", writes, None, ""),
        ):
            yield Line(f"{what}, {board}", measure(board, rounds), "us", target, at_most=True, note=note)
    note = "brasileira, three kings, blocks in memory"
    yield Line("look up an endgame table", probes(rounds), "us", note=note)


def each(board: str, rounds: int, task: Callable[[Position], object]) -> Figure:
    """Microseconds a position, without those of the loop."""
    positions = sample(board).positions

    def all_of_them() -> None:
        for position in positions:
            task(position)

    empty = seconds(lambda: [None for _ in positions], rounds)
    figure = seconds(all_of_them, rounds)
    return Figure((figure.value - empty.value) / len(positions) * 1e6, figure.spread)


def legal_moves(board: str, rounds: int) -> Figure:
    """Microseconds for the legal moves of a position."""
    return each(board, rounds, lambda position: position.legal_moves)


def move_lists(board: str, rounds: int) -> Figure:
    """Microseconds for the legal moves of a position as a list."""
    return each(board, rounds, lambda position: list(position.legal_moves))


def plays(board: str, rounds: int) -> Figure:
    """Microseconds for a move played on a position."""
    return replays(sample(board).games, rounds)


def plays_by_text(board: str, rounds: int) -> Figure:
    """Microseconds for a move given as text and played on a position."""
    games = [(start, [move.text for move in moves]) for start, moves in sample(board).games[:10]]
    return replays(games, rounds)


def plays_in_games(board: str, rounds: int) -> Figure:
    """Microseconds for a move played in a game that has not ended."""
    games = []
    for start, moves in sample(board).games:
        first = game = Game.start(start.rulebook, fen=start.fen)
        plies = 0
        for move in moves:
            if game.outcome:
                break
            game = game.play(move)
            plies += 1
        games.append((first, moves[:plies]))
    return replays(games, rounds)


def replays(games: Sequence[tuple[Any, Sequence[Move | str]]], rounds: int) -> Figure:
    """Microseconds a ply of playing games again; a game is a position or a `Game`, and moves."""

    def replay() -> None:
        for start, moves in games:
            here = start
            for move in moves:
                here = here.play(move)

    return seconds(replay, rounds).per(sum(len(moves) for _, moves in games) / 1e6)


def fens(board: str, rounds: int) -> Figure:
    """Microseconds for a FEN read."""
    book = rulebook(BOARDS[board])
    texts = [position.fen for position in sample(board).positions]

    def read() -> None:
        for text in texts:
            Position.from_fen(text, book)

    return seconds(read, rounds).per(len(texts) / 1e6)


def writes(board: str, rounds: int) -> Figure:
    """Microseconds for a FEN written."""
    return each(board, rounds, lambda position: position.fen)


def probes(rounds: int) -> Figure:
    """Microseconds for a probe of a table: two white kings against a black one on every square of the board."""
    with TemporaryDirectory() as folder:
        store = Store(rulebook("brasileira"), Path(folder))
        build(store, 3)
        kinds = (Piece.WHITE_KING, Piece.WHITE_KING, Piece.BLACK_KING)
        positions = [
            Position.of(Setup(dict(zip(squares, kinds, strict=True)), Color.WHITE), store.book)
            for squares in combinations(range(len(store.book.square_names)), 3)
        ]
        probe = seconds(lambda: [store.code(position, 1) for position in positions], rounds)
        return probe.per(len(positions) / 1e6)
