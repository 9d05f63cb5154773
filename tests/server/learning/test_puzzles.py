"""Every puzzle: its moves are legal, its replies forced, more is taken than given; of some, that nothing else wins."""

from collections import Counter
from functools import cache

import pytest

from damas import Position
from damas.engine import Engine, Limits
from damas.engine.analysis import chance
from damas.server.learning.puzzle import FOLDER, MOTIFS, Puzzle, load, motif_of
from damas.server.learning.views import puzzle_view

MAIN = ("brasileira", "oficial", "faraes", "portuguesa", "concurso", "internacional")
LEAST = 300
EVERY = 30
"""Of so many puzzles one is asked of the engine: all of them take minutes."""
MARGIN, SHARE = 70, 0.12
"""Hundredths of a man and chance to win by which every other move is worse, seen with less depth than when mined."""
NEAR = 5

SAMPLE = [
    pytest.param(book, puzzle, id=f"{book}-{puzzle.id}")
    for book in MAIN
    for puzzle in load(book).puzzles[::EVERY]
]


@cache
def engine_of(book: str) -> Engine:
    return Engine(book, hash_mb=8, tables=False)


@pytest.mark.parametrize("book", MAIN)
def test_there_are_enough_of_every_kind(book: str) -> None:
    puzzles = load(book).puzzles
    assert len(puzzles) >= LEAST
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    grades = Counter(puzzle.grade for puzzle in puzzles)
    assert set(grades) <= {1, 2, 3, 4, 5}
    assert sum(count >= 15 for count in grades.values()) >= 4


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.json")) < 400_000


@pytest.mark.parametrize("book", MAIN)
def test_every_solution_is_legal_forced_and_gains(book: str) -> None:
    for puzzle in load(book).puzzles:
        check(book, puzzle)


def check(book: str, puzzle: Puzzle) -> None:
    position = Position.from_fen(puzzle.fen, book)
    assert position.fen == puzzle.fen
    assert position.count_moves() >= 3, "there is nothing to choose"
    assert len(puzzle.line) % 2 == 1
    given = taken = 0
    before = position
    for number, text in enumerate(puzzle.line):
        move = position.parse(text)
        assert move.text == text
        if number % 2:
            assert position.count_moves() == 1, f"{puzzle.fen}: {text} is not forced"
            given += len(move.captured)
        else:
            taken += len(move.captured)
            before = position
        position = position.play(move)
    assert (given, taken) == (puzzle.given, puzzle.taken)
    over = not position.count_moves()
    assert given > 0
    assert taken > given or over, "nothing is gained"
    assert over or not position.must_capture(), "the exchange is not over yet"
    assert puzzle.motif == motif_of(Position.from_fen(puzzle.fen, book), puzzle.line)
    assert puzzle.motif in MOTIFS
    for other in puzzle.also:
        instead = before.parse(other)
        assert len(instead.captured) == len(before.parse(puzzle.line[-1]).captured)


@pytest.mark.parametrize("book", MAIN)
def test_no_two_are_nearly_the_same(book: str) -> None:
    boards = [turned(Position.from_fen(puzzle.fen, book)) for puzzle in load(book).puzzles]
    for number, board in enumerate(boards):
        for other in boards[:number]:
            assert len(board ^ other) > NEAR
    lines = Counter(tuple(puzzle.line) for puzzle in load(book).puzzles)
    assert max(lines.values()) == 1


def turned(position: Position) -> frozenset[tuple[int, str]]:
    """The pieces, the board turned so that White is to move."""
    last = len(position.diagram) - 1
    pieces = ((square, letter) for square, letter in enumerate(position.diagram) if letter != ".")
    if not position.black_to_move:
        return frozenset(pieces)
    return frozenset(
        (last - square, letter.translate(str.maketrans("wbWB", "bwBW"))) for square, letter in pieces
    )


@pytest.mark.parametrize(("book", "puzzle"), SAMPLE)
def test_nothing_else_wins_as_much(book: str, puzzle: Puzzle) -> None:
    engine = engine_of(book)
    position = Position.from_fen(puzzle.fen, book)
    for number, text in enumerate(puzzle.line):
        if (
            number % 2 == 0
            and position.count_moves() > 1
            and not (puzzle.also and number == len(puzzle.line) - 1)
        ):
            engine.forget()
            best, second = engine.search(position, Limits(nodes=60_000, lines=2)).lines
            assert best.moves[0].text == text
            assert best.score - second.score >= MARGIN
            assert chance(best.score) - chance(second.score) >= SHARE
        position = position.play(text)


def test_a_puzzle_for_the_page_has_every_position() -> None:
    puzzle = load("brasileira").puzzles[0]
    view = puzzle_view("brasileira", puzzle, "pt-BR")
    assert [frame.last.text for frame in view.frames[1:]] == puzzle.line
