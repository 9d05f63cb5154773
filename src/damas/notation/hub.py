"""Reads and writes lines, options, positions and moves of the Hub protocol.

A line is a word and its arguments, `name=value` or a name alone. A position is the side to move and one letter for each
square in the order of the board's numbers. A capture is its first and last square and then the captured squares in any
order.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Self, TypeAlias

from damas.board import Color, Piece, Setup
from damas.errors import NotationError, Problem
from damas.game import Move, Position
from damas.rules import Rulebook, rulebook

Arguments: TypeAlias = dict[str, str | None]
"""Arguments of a line by name; None for one without a value."""
MAX_NUMBER_CHARS = 20
"""Characters of a number that is read as the value of an option."""
_EMPTY = "e"
_WORD = re.compile(r'([^\s="]+)(?:=("([^"]*)"|[^\s"]*))?')


def read_line(line: str) -> tuple[str, Arguments]:
    """The word of a line and its arguments; those without a value have None.

    >>> read_line('pos pos=W moves="1-2 3-4" now')
    ('pos', {'pos': 'W', 'moves': '1-2 3-4', 'now': None})
    """
    words: list[tuple[str, str | None]] = []
    for match in _WORD.finditer(line):
        name, value, quoted = match.groups()
        words.append((name, quoted if quoted is not None else value))
    if not words:
        return "", {}
    return words[0][0], dict(words[1:])


def write_line(word: str, **arguments: object) -> str:
    """A line of the protocol: names with dashes, a value of several words or of none in quotes.

    >>> write_line("level", move_time=1.5), write_line("done", pv="1-2 3-4")
    ('level move-time=1.5', 'done pv="1-2 3-4"')
    """
    parts = [word]
    for name, value in arguments.items():
        text = str(value).replace('"', "'")
        text = f'"{text}"' if not text or re.search(r"[\s=]", text) else text
        parts.append(f"{name.replace('_', '-')}={text}")
    return " ".join(parts)


@dataclass(frozen=True)
class Option:
    """An option of an engine, which Hub calls a parameter: its type, its value and the values that it can have.

    >>> option = Option("threads", "int", "1", minimum=1, maximum=256)
    >>> option.default, option.text(4)
    (1, '4')
    >>> option.text(0)
    Traceback (most recent call last):
    ValueError: a whole number from 1 to 256, not 0
    """

    name: str
    type: str
    """bool, int, real, string or enum; an engine may have others, whose values are texts."""
    value: str
    """The value that the engine starts with, as the protocol writes it."""
    minimum: float | None = None
    """The least value of an int or a real; None for no bound."""
    maximum: float | None = None
    values: tuple[str, ...] = ()
    """What an enum can be."""

    @classmethod
    def read(cls, arguments: Arguments) -> Self:
        """The option of a `param` line. A bound that is no number counts as none."""
        name, kind, value = (arguments.get(key) or "" for key in ("name", "type", "value"))
        values = tuple((arguments.get("values") or "").split())
        return cls(name, kind or "string", value, _bound(arguments, "min"), _bound(arguments, "max"), values)

    def line(self) -> str:
        """The `param` line of this option."""
        bounds = {"min": self.minimum, "max": self.maximum, "values": " ".join(self.values) or None}
        given = {key: value for key, value in bounds.items() if value is not None}
        return write_line("param", name=self.name, value=self.value, type=self.type, **given)

    @property
    def default(self) -> bool | int | float | str:
        """The value that the engine starts with, as its type; as text if it is no value of the type."""
        try:
            text = self.text(self.value)
        except ValueError:
            return self.value
        if self.type == "bool":
            return text == "true"
        return int(text) if self.type == "int" else float(text) if self.type == "real" else text

    def text(self, value: object) -> str:
        """A value as the protocol writes it; raises `ValueError` for one that the option cannot have."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        match self.type:
            case "bool":
                good = text in ("true", "false")
            case "int" | "real":
                good = self._holds(text)
            case "enum":
                good = text in self.values
            case _:
                good = not set(text) & set('"\r\n')
        if not good:
            raise ValueError(f"{self._allowed}, not {text[:MAX_NUMBER_CHARS] or 'nothing'}")
        return text

    def _holds(self, text: str) -> bool:
        pattern = r"-?[0-9]+" if self.type == "int" else r"-?[0-9]+(\.[0-9]*)?"
        if len(text) > MAX_NUMBER_CHARS or not re.fullmatch(pattern, text):
            return False
        lowest = self.minimum is None or self.minimum <= float(text)
        return lowest and (self.maximum is None or float(text) <= self.maximum)

    @property
    def _allowed(self) -> str:
        """What it can be, in words."""
        match self.type:
            case "bool":
                return "true or false"
            case "enum":
                return f"one of {', '.join(self.values)}"
            case "int" | "real":
                number = "a whole number" if self.type == "int" else "a number"
                low = "" if self.minimum is None else f" from {self.minimum}"
                return number + low + ("" if self.maximum is None else f" to {self.maximum}")
        return "a text without quotes, in one line"


def _bound(arguments: Arguments, name: str) -> float | None:
    try:
        number = float(arguments.get(name) or "nan")
    except ValueError:
        return None
    if not isfinite(number):
        return None
    return int(number) if number == int(number) else number


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
