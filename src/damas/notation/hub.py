"""Reads and writes positions and moves of the Hub protocol.

A position is the side to move and one letter for each square in the order of the board's numbers. A capture is its first
and last square and then the captured squares in any order.
"""

import re
from collections.abc import Iterable

from damas.board import Color, Piece, Setup
from damas.errors import NotationError, Problem
from damas.game import Move, Position
from damas.rules import Rulebook, rulebook

_EMPTY = "e"


def write_position(position: Position) -> str:
    """The side to move, then w W b B or e for square 1, 2, 3 …

    >>> write_position(Position.from_fen("B:Wc3,Ka1:Bd4", "brasileira"))
    'BeeeeeeeeeeeeeeeeebeeeweeeeeeWeee'
    """
    diagram = position.diagram.replace(".", _EMPTY)
    return position.turn.letter + "".join(diagram[square] for square in _by_number(position.rulebook))


def read_position(text: str, book: Rulebook | str) -> Position:
    """The position of a Hub text; raises `NotationError` with everything wrong with the text, or `IllegalSetup`."""
    book = rulebook(book) if isinstance(book, str) else book
    text = text.strip()
    order = _by_number(book)
    problems = []
    if text[:1] not in ("W", "B"):
        problems.append(Problem("HUB_SIDE", text[:1], 0))
    if len(text) != 1 + len(order):
        problems.append(Problem("HUB_LENGTH", str(max(0, len(text) - 1)), len(order)))
    problems += [
        Problem("HUB_LETTER", letter, offset)
        for offset, letter in enumerate(text[: 1 + len(order)])
        if offset and letter not in "wWbBe"
    ]
    if problems:
        raise NotationError(text, tuple(problems))
    pieces = {
        square: Piece(letter) for square, letter in zip(order, text[1:], strict=True) if letter != _EMPTY
    }
    return Position.of(Setup(pieces, Color.WHITE if text[0] == "W" else Color.BLACK), book)


def write_move(position: Position, move: Move) -> str:
    """The first and last square of a move and the squares that it captures.

    >>> position = Position.from_fen("W:Wc3:Bd4,f6,b4", "brasileira")
    >>> write_move(position, position.parse("c3xg7"))
    '22x8x11x18'
    """
    names = position.rulebook.geometry.numbers
    ends = [names[move.origin], names[move.destination]]
    if not move.is_capture:
        return "-".join(ends)
    return "x".join(ends + sorted((names[square] for square in move.captured), key=int))


def write_moves(position: Position, moves: Iterable[Move]) -> list[str]:
    """The texts of moves that are played one after another from a position.

    >>> start = Position.start("brasileira")
    >>> write_moves(start, [start.parse("c3-d4")])
    ['22-18']
    """
    written = []
    for move in moves:
        written.append(write_move(position, move))
        position = position.play(move)
    return written


def read_move(position: Position, text: str) -> Move:
    """The legal move with this first and last square and exactly these captured squares.

    Raises `NotationError`, or `IllegalMove` where no legal move has these ends.
    """
    text = text.strip()
    quiet = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", text)
    capture = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})((?:x[0-9]{1,3})+)", text)
    if not quiet and not capture:
        raise NotationError(text[:120], (Problem("HUB_MOVE", text[:120], 0),))
    squares = {name: square for square, name in enumerate(position.rulebook.geometry.numbers)}
    words = re.split("[-x]", text)
    for word in words:
        if word not in squares:
            raise NotationError(text, (Problem("SQUARE_UNKNOWN", word, text.index(word)),))
    origin, destination, *taken = (squares[word] for word in words)
    alike = [m for m in position.legal_moves if (m.origin, m.destination) == (origin, destination)]
    for move in alike:
        if set(move.captured) == set(taken) and len(taken) == len(move.captured):
            return move
    if not alike:
        return position.parse(f"{words[0]}{'x' if capture else '-'}{words[1]}")
    raise NotationError(text, (Problem("HUB_CAPTURED", ", ".join(words[2:]), 0),))


def _by_number(book: Rulebook) -> list[int]:
    numbers = book.geometry.numbers
    return sorted(book.geometry.squares, key=lambda square: int(numbers[square]))
