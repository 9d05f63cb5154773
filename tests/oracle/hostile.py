"""Random positions, by a seed, on which two programs that differ are likely to show it.

The same book, seed and count give the same positions on every machine. Every
position is one that a set-up check accepts: both sides have pieces, never more
than at the start, and no man stands on its crowning row.
"""

from collections.abc import Callable, Iterator
from random import Random

from .board import Position, Square, crown_row, other, squares, start, write_fen
from .books import Book, book_of
from .moves import beyond, every_capture, legal, lines

Pattern = Callable[[Book, Random], dict[Square, str]]


def positions(book: Book | str, seed: int, count: int) -> Iterator[str]:
    """`count` FENs: positions of random games, random placements and hostile patterns, many of them with captures."""
    book = book_of(book)
    dice = Random(f"{book.id}:{seed}")
    game = walk(book, dice)
    for number in range(count):
        kind = number % 4
        if kind == 0:
            position = next(game)
        elif kind == 1:
            position = accepted(book, dice, placed)
        elif kind == 2:
            position = next(hostile(book, dice))
        else:
            length = 1 + number // 4 % 2
            position = next(p for p in hostile(book, dice) if longest(book, p) >= length)
        yield write_fen(book, position)


def endings(book: Book | str, seed: int, count: int) -> Iterator[str]:
    """`count` FENs with one to four pieces a side, most of them kings, for the draw rules."""
    book = book_of(book)
    dice = Random(f"{book.id}:endings:{seed}")
    for _ in range(count):
        yield write_fen(book, accepted(book, dice, few))


def calm(book: Book, dice: Random, balance: str) -> str:
    """A FEN with the pieces of a pattern such as "KKM-K", in which nobody can capture and no man is near its last row."""
    while True:
        board: dict[Square, str] = {}
        sides = dice.sample(balance.split("-"), 2)
        for side, kinds in zip("WB", sides, strict=True):
            last = crown_row(book, side)
            for kind in kinds:
                free = [square for square in sorted(squares(book)) if square not in board]
                far = [square for square in free if abs(square[0] - last) >= book.size // 2]
                board[dice.choice(free if kind == "K" else far)] = piece(side, kind == "K")
        white, black = (Position(turn, board) for turn in "WB")
        if not every_capture(book, white) and not every_capture(book, black):
            return write_fen(book, dice.choice((white, black)))


# --- played --------------------------------------------------------------------


def walk(book: Book, dice: Random) -> Iterator[Position]:
    """Positions of random games, about one ply in five."""
    while True:
        position = start(book)
        for _ in range(dice.choice((20, 60, 120))):
            moves = legal(book, position)
            if not moves:
                break
            position = dice.choice(moves).becomes
            if dice.random() < 0.2 and both_sides(position):
                yield position


# --- placed --------------------------------------------------------------------


def placed(book: Book, dice: Random) -> dict[Square, str]:
    """Pieces anywhere, few or many, few or many of them kings, sometimes near the crown rows."""
    kings = dice.choice((0.0, 0.1, 0.3, 0.6, 1.0))
    near = dice.random() < 0.3
    board: dict[Square, str] = {}
    for side in "WB":
        number = dice.randint(1, limit(book))
        if kings > 0.5:
            number = min(number, book.size)  # crowds of kings only block each other
        for square in dice.sample(sorted(squares(book)), number):
            distance = abs(square[0] - crown_row(book, side))
            if near and distance > book.size // 2 and dice.random() < 0.7:
                continue
            board[square] = piece(side, dice.random() < kings)
    return board


def few(book: Book, dice: Random) -> dict[Square, str]:
    """One to four pieces a side."""
    board: dict[Square, str] = {}
    for side in "WB":
        for square in dice.sample(sorted(squares(book)), dice.choice((1, 1, 1, 2, 2, 3, 3, 4))):
            board[square] = piece(side, dice.random() < 0.8)
    return board


# --- hostile -------------------------------------------------------------------


def ring(book: Book, dice: Random) -> dict[Square, str]:
    """A king in the middle of capturable pieces, and a second ring behind the first."""
    me = dice.choice("WB")
    centre = dice.choice(sorted(squares(book)))
    board: dict[Square, str] = {}
    for direction in lines(book.king_jumps, me):
        square, gap = centre, dice.randint(1, 3)
        for _ in range(dice.randint(1, 2)):
            for _ in range(gap):
                square = beyond(square, direction)
            if dice.random() < 0.85:
                board[square] = piece(other(me), dice.random() < 0.3)
            gap = dice.choice((2, 2, 3))
    scatter(book, dice, board, other(me), dice.randint(0, 4), 0.2)
    scatter(book, dice, board, me, dice.randint(0, 3), 0.3)
    board[centre] = piece(me, True)
    return board


def lattice(book: Book, dice: Random) -> dict[Square, str]:
    """Enemies two squares apart in rows and files: long chains, crossing and returning."""
    me = dice.choice("WB")
    row, column = dice.randint(0, 1), dice.randint(0, 1)
    density = dice.uniform(0.3, 0.8)
    board = {
        square: piece(other(me), dice.random() < 0.2)
        for square in sorted(squares(book))
        if square[0] % 2 == row and square[1] % 2 == column and dice.random() < density
    }
    scatter(book, dice, board, me, dice.randint(1, 4), 0.5)
    return board


def pairs(book: Book, dice: Random) -> dict[Square, str]:
    """Adjacent pairs on a line, which no one may jump, beside single pieces."""
    me = dice.choice("WB")
    board: dict[Square, str] = {}
    for _ in range(dice.randint(2, 5)):
        square = dice.choice(sorted(squares(book)))
        board[square] = piece(other(me), dice.random() < 0.3)
        behind = beyond(square, dice.choice(lines(book.king_jumps, me)))
        board[behind] = piece(dice.choice((me, other(me), other(me))), dice.random() < 0.3)
    scatter(book, dice, board, other(me), dice.randint(0, 3), 0.3)
    scatter(book, dice, board, me, dice.randint(1, 4), 0.7)
    return board


def crowning(book: Book, dice: Random) -> dict[Square, str]:
    """Men one jump from the crown row, with more to take from there."""
    me = dice.choice("WB")
    last = crown_row(book, me)
    back = -1 if me == "W" else 1
    board: dict[Square, str] = {}
    for square in sorted(squares(book)):
        if square[0] == last + back and dice.random() < 0.5:
            board[square] = piece(other(me), dice.random() < 0.2)
        if square[0] in (last + 2 * back, last + 4 * back) and dice.random() < 0.4:
            board[square] = piece(me, dice.random() < 0.1)
        if square[0] in (last + 3 * back, last + 5 * back) and dice.random() < 0.3:
            board[square] = piece(other(me), dice.random() < 0.2)
    return board


def equal(book: Book, dice: Random) -> dict[Square, str]:
    """A mirrored position: every capture has a twin, so equal captures compete."""
    me = dice.choice("WB")
    last = book.size - 1
    board: dict[Square, str] = {}
    scatter(book, dice, board, other(me), dice.randint(2, book.size // 2), 0.3)
    scatter(book, dice, board, me, dice.randint(0, 2), 0.4)
    for square, what in list(board.items()):
        row, column = square
        # mirrored in the long diagonal, which every board maps onto itself
        twin = (last - column, last - row) if book.corner == "right" else (column, row)
        board.setdefault(twin, what)
    on_diagonal = [
        s for s in sorted(squares(book)) if s[0] == (last - s[1] if book.corner == "right" else s[1])
    ]
    board[dice.choice(on_diagonal)] = piece(me, dice.random() < 0.8)
    return board


def shut_in(book: Book, dice: Random) -> dict[Square, str]:
    """A man or two with enemies before them and enemies behind those: often nothing can move."""
    me = dice.choice("WB")
    board: dict[Square, str] = {}
    men = dice.sample(sorted(squares(book)), dice.randint(1, 2))
    for square in men:
        for direction in lines(book.man_steps, me):
            front = beyond(square, direction)
            board[front] = board[beyond(front, direction)] = piece(other(me), dice.random() < 0.1)
    for square in men:
        board[square] = piece(me, False)
    return board


PATTERNS = (ring, lattice, pairs, crowning, equal, shut_in)


def hostile(book: Book, dice: Random) -> Iterator[Position]:
    """One pattern after another."""
    while True:
        yield accepted(book, dice, dice.choice(PATTERNS))


# --- bricks --------------------------------------------------------------------


def accepted(book: Book, dice: Random, pattern: Pattern) -> Position:
    """The first random position of a pattern that has pieces of both sides after `tidied`."""
    while True:
        position = Position(dice.choice("WB"), tidied(book, dice, pattern(book, dice)))
        if both_sides(position):
            return position


def tidied(book: Book, dice: Random, board: dict[Square, str]) -> dict[Square, str]:
    """The pieces without those off the board, men on their last row, and more than a side has at the start."""
    fair = {
        square: what
        for square, what in sorted(board.items())
        if square in squares(book) and not (what.islower() and square[0] == crown_row(book, what.upper()))
    }
    for side in "WB":
        own = [square for square, what in fair.items() if what.upper() == side]
        for square in dice.sample(own, max(0, len(own) - limit(book))):
            del fair[square]
    return fair


def scatter(book: Book, dice: Random, board: dict[Square, str], side: str, number: int, kings: float) -> None:
    """Put a number of pieces of a side on random free squares."""
    free = [square for square in sorted(squares(book)) if square not in board]
    for square in dice.sample(free, min(number, len(free))):
        board[square] = piece(side, dice.random() < kings)


def longest(book: Book, position: Position) -> int:
    """The number of pieces in the longest capture; 0 if there is none."""
    return max((len(move.captured) for move in every_capture(book, position)), default=0)


def piece(side: str, king: bool) -> str:
    return side if king else side.lower()


def limit(book: Book) -> int:
    """Pieces of one side at the start."""
    return sum(1 for what in start(book).pieces.values() if what == "w")


def both_sides(position: Position) -> bool:
    return len({what.upper() for what in position.pieces.values()}) == 2
