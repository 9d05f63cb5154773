"""What a Python program waits for: legal moves, a move played, a game played, a text read.

`python -m bench.from_python` prints only how many plies a second games and positions play.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import Figure, seconds
from bench.middlegames import BOARDS, sample
from bench.table import Line
from damas import Game, Position, rulebook
from damas.board import Color, Piece, Setup
from damas.tablebase import Store, build


def lines(rounds: int) -> Iterator[Line]:
    for board in BOARDS:
        yield Line(f"legal moves, {board}", legal_moves(board, rounds), "us", 1.0, at_most=True)
        mean = sum(len(position.legal_moves) for position in sample(board).positions) / 40
        note = f"{mean:.1f} moves on average"
        yield Line(
            f"legal moves as a list, {board}", move_lists(board, rounds), "us", 1.0, at_most=True, note=note
        )
        yield Line(
            f"play a move, {board}", plays(board, rounds), "us", 0.5, at_most=True, note="over random games"
        )
        yield Line(
            f"play a move in a game, {board}",
            plays_in_games(board, rounds),
            "us",
            6.7,
            at_most=True,
            note="draw laws counted",
        )
        yield Line(f"play a move by its text, {board}", plays_by_text(board, rounds), "us")
        yield Line(f"read a FEN, {board}", fens(board, rounds), "us", 5.0, at_most=True)
        yield Line(f"write a FEN, {board}", writes(board, rounds), "us")
    yield Line(
        "look up an endgame table", probes(rounds), "us", note="brasileira, three kings, blocks in memory"
    )


def each(board: str, rounds: int, task: Callable[[Position], object]) -> Figure:
    """Microseconds a position."""
    positions = sample(board).positions

    def all_of_them() -> None:
        for position in positions:
            task(position)

    empty = seconds(lambda: [None for _ in positions], rounds)
    figure = seconds(all_of_them, rounds)
    return Figure((figure.value - empty.value) / len(positions) * 1e6, figure.spread)


def legal_moves(board: str, rounds: int) -> Figure:
    return each(board, rounds, lambda position: position.legal_moves)


def move_lists(board: str, rounds: int) -> Figure:
    return each(board, rounds, lambda position: list(position.legal_moves))


def plays(board: str, rounds: int) -> Figure:
    games = sample(board).games

    def replay() -> None:
        for start, moves in games:
            position = start
            for move in moves:
                position = position.play(move)

    return seconds(replay, rounds).per(sum(len(moves) for _, moves in games) / 1e6)


def plays_in_games(board: str, rounds: int) -> Figure:
    games = [(Game.start(start.rulebook, fen=start.fen), moves) for start, moves in sample(board).games]

    def replay() -> int:
        plies = 0
        for game, moves in games:
            for move in moves:
                if game.outcome:
                    break
                game = game.play(move)
                plies += 1
        return plies

    return seconds(replay, rounds).per(replay() / 1e6)


def plays_by_text(board: str, rounds: int) -> Figure:
    games = [(start, [move.text for move in moves]) for start, moves in sample(board).games[:10]]

    def replay() -> None:
        for start, texts in games:
            position = start
            for text in texts:
                position = position.play(text)

    return seconds(replay, rounds).per(sum(len(texts) for _, texts in games) / 1e6)


def fens(board: str, rounds: int) -> Figure:
    book = rulebook(BOARDS[board])
    texts = [position.fen for position in sample(board).positions]

    def read() -> None:
        for text in texts:
            Position.from_fen(text, book)

    return seconds(read, rounds).per(len(texts) / 1e6)


def writes(board: str, rounds: int) -> Figure:
    return each(board, rounds, lambda position: position.fen)


def probes(rounds: int) -> Figure:
    """Two white kings against a black one on every square of the board."""
    with TemporaryDirectory() as folder:
        store = Store(rulebook("brasileira"), Path(folder))
        build(store, 3)
        kinds = (Piece.WHITE_KING, Piece.WHITE_KING, Piece.BLACK_KING)
        positions = [
            Position.of(Setup(dict(zip(squares, kinds, strict=True)), Color.WHITE), store.book)
            for squares in combinations(range(len(store.book.square_names)), 3)
        ]
        return seconds(lambda: [store.code(position, 1) for position in positions], rounds).per(
            len(positions) / 1e6
        )


def main() -> None:
    for board in BOARDS:
        for name, figure in (("Position", plays(board, 5)), ("Game", plays_in_games(board, 5))):
            print(
                f"{board}: {name} plays {1e6 / figure.value:,.0f} plies a second (spread {figure.spread:.0f} %)"
            )


if __name__ == "__main__":
    main()
