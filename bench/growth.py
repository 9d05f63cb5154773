"""How the cost of move generation grows with the pieces on the board and with the kings among them."""

from collections.abc import Iterator
from random import Random

from bench.measure import Figure, seconds
from bench.middlegames import BOARDS
from bench.table import Line
from damas import Color, Piece, Position, Setup, rulebook

PIECES = {"8x8": (2, 4, 6, 8, 12, 16, 20, 24), "10x10": (2, 4, 8, 12, 16, 20, 24, 32, 40)}
KINGS = {"8x8": (0, 1, 2, 4, 6, 8, 10, 12), "10x10": (0, 1, 2, 4, 8, 12, 16, 20)}
TOTAL = {"8x8": 12, "10x10": 20}
"""Pieces on the board while the number of kings varies."""


def lines(rounds: int, positions: int = 60) -> Iterator[Line]:
    """Yield one line for each number of pieces and of kings, measured on so many positions."""
    for board in BOARDS:
        for number in PIECES[board]:
            yield measured(
                f"{number} pieces of random games, {board}", played(board, number, positions), rounds
            )
        for number in KINGS[board]:
            name = f"{number} kings among {TOTAL[board]} pieces at random, {board}"
            yield measured(name, scattered(board, TOTAL[board], number, positions), rounds)


def measured(name: str, positions: list[Position], rounds: int) -> Line:
    """Measure nanoseconds of the core, and in the note microseconds of a list in Python, for each position."""
    moves = sum(len(position.legal_moves) for position in positions) / len(positions)
    # Two plies at once in the core: one list, and one count for each move of it.
    visited = sum(1 + position.perft(1) for position in positions)
    core = seconds(lambda: [position.perft(2) for position in positions], rounds, 0.01).per(visited)
    call = seconds(lambda: [position.perft(0) for position in positions], rounds, 0.01).per(visited)
    python = seconds(lambda: [list(position.legal_moves) for position in positions], rounds, 0.01)
    note = f"{moves:.1f} moves, {python.value / len(positions) * 1e6:.2f} µs as a list in Python"
    return Line(name, Figure((core.value - call.value) * 1e9, core.spread), "ns", note=note)


def played(board: str, pieces: int, count: int) -> list[Position]:
    """Return positions of random games with so many pieces left, one a game."""
    rng = Random(f"{board} {pieces}")
    positions: list[Position] = []
    while len(positions) < count:
        position = Position.start(BOARDS[board])
        for ply in range(400):
            moves = position.legal_moves
            if not len(moves) or (sum(position.counts) <= pieces and ply >= 8):
                break
            position = position.play(moves[rng.randrange(len(moves))])
        if sum(position.counts) == pieces and len(position.legal_moves):
            positions.append(position)
    return positions


def scattered(board: str, pieces: int, kings: int, count: int) -> list[Position]:
    """Return random positions, half of the pieces and half of the kings for each side."""
    rng = Random(f"{board} {pieces} {kings}")
    book = rulebook(BOARDS[board])
    crown_rows = {"w": book.size.value - 1, "b": 0}
    positions: list[Position] = []
    while len(positions) < count:
        placed = {}
        for index, square in enumerate(rng.sample(book.geometry.squares, pieces)):
            letter = "wb"[index % 2]
            if index >= kings and book.geometry.places[square][0] == crown_rows[letter]:
                break
            placed[square] = Piece(letter.upper() if index < kings else letter)
        if len(placed) < pieces:
            continue
        position = Position.of(Setup(placed, Color.WHITE), book)
        if len(position.legal_moves):
            positions.append(position)
    return positions
