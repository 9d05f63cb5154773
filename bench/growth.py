"""How cost grows with the pieces on the board and with the kings among them: a table and a plot."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.measure import seconds
from bench.middlegames import BOARDS
from damas import Color, Piece, Position, Setup, rulebook

PIECES = {"8x8": (2, 4, 6, 8, 12, 16, 20, 24), "10x10": (2, 4, 8, 12, 16, 20, 24, 32, 40)}
KINGS = {"8x8": (0, 1, 2, 4, 6, 8, 10, 12), "10x10": (0, 1, 2, 4, 8, 12, 16, 20)}
TOTAL = {"8x8": 12, "10x10": 20}
"""Pieces on the board while their kings are counted."""


@dataclass(frozen=True)
class Point:
    board: str
    by: str
    """pieces or kings."""
    number: int
    moves: float
    core_ns: float
    """A position's legal moves counted in the core."""
    python_us: float
    """A position's legal moves as a list in Python."""


def points(rounds: int, each: int = 60) -> Iterator[Point]:
    """Each point is measured on so many positions."""
    for board in BOARDS:
        for number in PIECES[board]:
            yield measured(board, "pieces", number, played(board, number, each), rounds)
        for number in KINGS[board]:
            yield measured(board, "kings", number, scattered(board, TOTAL[board], number, each), rounds)


def measured(board: str, by: str, number: int, positions: list[Position], rounds: int) -> Point:
    moves = sum(len(position.legal_moves) for position in positions) / len(positions)
    # Two plies at once in the core: one list, and one count for each move of it.
    visited = sum(1 + position.perft(1) for position in positions)
    core = seconds(lambda: [position.perft(2) for position in positions], rounds, 0.01).per(visited)
    call = seconds(lambda: [position.perft(0) for position in positions], rounds, 0.01).per(visited)
    python = seconds(lambda: [list(position.legal_moves) for position in positions], rounds, 0.01).per(
        len(positions)
    )
    return Point(board, by, number, moves, (core.value - call.value) * 1e9, python.value * 1e6)


def played(board: str, pieces: int, count: int) -> list[Position]:
    """Positions of random games with so many pieces left, one a game."""
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
    """Random positions, half of the pieces and half of the kings for each side."""
    rng = Random(f"{board} {pieces} {kings}")
    book = rulebook(BOARDS[board])
    last = book.size.value - 1
    positions: list[Position] = []
    while len(positions) < count:
        squares = rng.sample(book.geometry.squares, pieces)
        placed = {}
        for index, square in enumerate(squares):
            white, king = index % 2 == 0, index < kings
            row = book.geometry.places[square][0]
            if not king and row == (last if white else 0):
                break
            placed[square] = {
                (True, True): Piece.WHITE_KING,
                (True, False): Piece.WHITE_MAN,
                (False, True): Piece.BLACK_KING,
                (False, False): Piece.BLACK_MAN,
            }[white, king]
        if len(placed) < pieces:
            continue
        position = Position.of(Setup(placed, Color.WHITE), book)
        if len(position.legal_moves):
            positions.append(position)
    return positions


def show(points: list[Point]) -> str:
    lines = []
    for by, title in (
        ("pieces", "pieces on the board, out of random games"),
        ("kings", "kings among 12 (8x8) or 20 (10x10) pieces, scattered at random"),
    ):
        lines += [f"  {title}", "  board   number   moves   core, ns a position   Python, µs a list"]
        lines += [
            f"  {point.board:6}{point.number:>8}{point.moves:>8.1f}{point.core_ns:>20.1f}{point.python_us:>20.2f}"
            for point in points
            if point.by == by
        ]
        lines.append("")
    return "\n".join(lines).rstrip()


WIDTH, HEIGHT, LEFT, TOP = 360, 240, 52, 34
STYLES = {"8x8": ("#0b6e99", ""), "10x10": ("#b5541c", "6 3")}


def plot(points: list[Point], path: Path) -> None:
    """Writes two diagrams as SVG, by pieces and by kings; lines differ in colour and dashes."""
    highest = max(point.core_ns for point in points) * 1.08
    size = f'width="{2 * WIDTH}" height="{HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">',
        f'<rect {size} fill="white"/>',
    ]
    for side, by in enumerate(("pieces", "kings")):
        parts += _diagram([point for point in points if point.by == by], by, side * WIDTH, highest)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def _diagram(points: list[Point], by: str, left: int, highest: float) -> Iterator[str]:
    right, bottom = WIDTH - 16, HEIGHT - 40
    furthest = max(point.number for point in points)

    def x(number: float) -> float:
        return left + LEFT + (right - LEFT) * number / furthest

    def y(nanoseconds: float) -> float:
        return bottom - (bottom - TOP) * nanoseconds / highest

    yield f'<text x="{left + LEFT}" y="18" font-size="13">ns a position, by {by}</text>'
    for step in range(5):
        value = highest * step / 4
        yield f'<line x1="{left + LEFT}" x2="{left + right}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
        yield f'<text x="{left + LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.0f}</text>'
    for number in range(0, furthest + 1, max(1, furthest // 5)):
        yield f'<text x="{x(number):.1f}" y="{bottom + 16}" text-anchor="middle">{number}</text>'
    for row, (board, (colour, dashes)) in enumerate(STYLES.items()):
        line = [point for point in points if point.board == board]
        path = " ".join(f"{x(point.number):.1f},{y(point.core_ns):.1f}" for point in line)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'
        yield f'<text x="{left + LEFT + 8}" y="{TOP + 12 + 14 * row}" fill="{colour}">{board}</text>'
