"""Reads and writes DamExchange (DXP) messages, by which two programs play over a connection.

| header | message    | fields                                                                                      |
|--------|------------|---------------------------------------------------------------------------------------------|
| `R`    | `Request`  | version 2, name 32, receiver's colour 1, minutes 3, moves 3, `A` or `B` + side + a letter for each square |
| `A`    | `Answer`   | name 32, code 1: 0 accepted, 1 version, 2 conditions, 3 refused                              |
| `M`    | `MoveMessage` | seconds 4, from 2, to 2, number taken 2, each square taken 2                                 |
| `E`    | `End`      | result for its sender 1: 0 unknown, 1 lost, 2 drawn, 3 won; 1 if it leaves, else 0           |
| `C`    | `Chat`     | text                                                                                         |
| `B`    | `Back`     | move number 3, side to move 1                                                                |
| `K`    | `BackAnswer` | code 1, as of `A`                                                                          |

Letters are w z for men, W Z for kings of White and Black, e for an empty square, in the order of the board's numbers.
DXP is a protocol for the 10x10 board; its messages fit any board whose square numbers have two digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from damas.board import Color, Piece, Setup
from damas.errors import NotationError, Problem
from damas.game import Move, Position
from damas.notation import hub
from damas.rules import Rulebook

VERSION = 1
"""Version of DXP that we speak."""
MAX_MESSAGE_CHARS = 160
"""Longest message that is read, in characters."""
ACCEPTED, OTHER_VERSION, OTHER_CONDITIONS, REFUSED = "0123"
"""Codes of an answer."""
UNKNOWN, LOST, DRAWN, WON = "0123"
"""Results of a game for the sender of an `End`."""
_NAME_CHARS = 32
_LETTERS = {"w": "w", "W": "W", "z": "b", "Z": "B"}


@dataclass(frozen=True)
class Request:
    """A request for a game. `position` is the side to move and a letter for each square, or empty for the usual start."""

    header: ClassVar[str] = "R"
    name: str
    follower: Color
    """The colour of the receiver."""
    minutes: int
    moves: int
    """Moves to be made in those minutes; 0 for the whole game."""
    position: str = ""
    version: int = VERSION

    def _body(self) -> str:
        start = f"B{self.position}" if self.position else "A"
        return f"{self.version:02}{_name(self.name)}{_letter(self.follower)}{self.minutes:03}{self.moves:03}{start}"


@dataclass(frozen=True)
class Answer:
    """The answer to a `Request`."""

    header: ClassVar[str] = "A"
    name: str
    code: str

    def _body(self) -> str:
        return _name(self.name) + self.code


@dataclass(frozen=True)
class MoveMessage:
    """A move, by the numbers of its squares, and the seconds it took."""

    header: ClassVar[str] = "M"
    seconds: int
    origin: int
    destination: int
    taken: tuple[int, ...] = ()

    def _body(self) -> str:
        seconds = min(max(self.seconds, 0), 9999)
        taken = "".join(f"{square:02}" for square in self.taken)
        return f"{seconds:04}{self.origin:02}{self.destination:02}{len(self.taken):02}{taken}"


@dataclass(frozen=True)
class End:
    """The sender considers the game over, and may be leaving."""

    header: ClassVar[str] = "E"
    result: str
    leaving: bool = False

    def _body(self) -> str:
        return self.result + ("1" if self.leaving else "0")


@dataclass(frozen=True)
class Chat:
    """A line of text for people."""

    header: ClassVar[str] = "C"
    text: str

    def _body(self) -> str:
        return " ".join(self.text.split())[:120]


@dataclass(frozen=True)
class Back:
    """A request to take the game back to a move."""

    header: ClassVar[str] = "B"
    move: int
    turn: Color

    def _body(self) -> str:
        return f"{self.move:03}{_letter(self.turn)}"


@dataclass(frozen=True)
class BackAnswer:
    """The answer to a `Back`."""

    header: ClassVar[str] = "K"
    code: str

    def _body(self) -> str:
        return self.code


Message: TypeAlias = Request | Answer | MoveMessage | End | Chat | Back | BackAnswer
"""Any message."""


def write(message: Message) -> str:
    """The text of a message.

    >>> write(MoveMessage(3, 19, 8, (13,)))
    'M000319080113'
    """
    return message.header + message._body()


def read(text: str) -> Message:
    """The message of a text; raises `NotationError` if it is not one.

    >>> read("M000319080113")
    MoveMessage(seconds=3, origin=19, destination=8, taken=(13,))
    """
    for header, (pattern, make) in _READERS.items():
        if (
            text.startswith(header)
            and len(text) <= MAX_MESSAGE_CHARS
            and (match := pattern.fullmatch(text, 1))
        ):
            return make(*match.groups())
    raise NotationError(text[:120], (Problem("DXP_MESSAGE", text[:40], 0),))


def _move_message(seconds: str, origin: str, destination: str, count: str, taken: str) -> MoveMessage:
    squares = tuple(int(taken[at : at + 2]) for at in range(0, len(taken), 2))
    if len(squares) != int(count):
        raise NotationError(taken, (Problem("DXP_MESSAGE", f"{count} {taken}", 0),))
    return MoveMessage(int(seconds), int(origin), int(destination), squares)


_READERS: dict[str, tuple[re.Pattern[str], Callable[..., Message]]] = {
    "R": (
        re.compile(
            rf"(\d\d)(.{{{_NAME_CHARS}}})([WZ])(\d\d\d)(\d\d\d)(?:A|B([WZ][wzWZe]{{1,99}}))", re.ASCII
        ),
        lambda version, name, side, minutes, moves, position: Request(
            name.strip(), _color(side), int(minutes), int(moves), position or "", int(version)
        ),
    ),
    "A": (re.compile(rf"(.{{{_NAME_CHARS}}})([0-3])"), lambda name, code: Answer(name.strip(), code)),
    "M": (re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)((?:\d\d)*)", re.ASCII), _move_message),
    "E": (re.compile(r"([0-3])([01])"), lambda result, leaving: End(result, leaving == "1")),
    "C": (re.compile(r"(.*)", re.DOTALL), Chat),
    "B": (re.compile(r"(\d\d\d)([WZ])", re.ASCII), lambda move, side: Back(int(move), _color(side))),
    "K": (re.compile(r"([0-3])"), BackAnswer),
}


def _name(name: str) -> str:
    return name.encode("ascii", "replace").decode()[:_NAME_CHARS].ljust(_NAME_CHARS)


def _letter(color: Color) -> str:
    return "W" if color is Color.WHITE else "Z"


def _color(letter: str) -> Color:
    return Color.WHITE if letter == "W" else Color.BLACK


# --- positions and moves --------------------------------------------------------------------


def write_position(position: Position) -> str:
    """The side to move and a letter for each square.

    >>> write_position(Position.start("internacional"))[:31]
    'Wzzzzzzzzzzzzzzzzzzzzeeeeeeeeee'
    """
    return hub.write_position(position).translate(str.maketrans("bB", "zZ"))


def read_position(text: str, book: Rulebook) -> Position:
    """The position of such a text; raises `NotationError` or `IllegalSetup`."""
    numbers = book.geometry.numbers
    wrong = [at for at, letter in enumerate(text) if letter not in ("wzWZe" if at else "WZ")]
    if wrong or not text:
        at = wrong[0] if wrong else 0
        raise NotationError(text[:120], (Problem("DXP_POSITION", text[at : at + 1], at),))
    if len(text) != 1 + len(numbers):
        raise NotationError(text[:120], (Problem("HUB_LENGTH", str(len(text) - 1), len(numbers)),))
    pieces = {
        square: Piece(_LETTERS[letter])
        for square in book.geometry.squares
        if (letter := text[int(numbers[square])]) != "e"
    }
    return Position.of(Setup(pieces, _color(text[0])), book)


def write_move(position: Position, move: Move, seconds: float = 0) -> MoveMessage:
    """The message of a move that took some seconds."""
    numbers = position.rulebook.geometry.numbers
    taken = sorted(int(numbers[square]) for square in move.captured)
    return MoveMessage(
        round(seconds), int(numbers[move.origin]), int(numbers[move.destination]), tuple(taken)
    )


def read_move(position: Position, message: MoveMessage) -> Move:
    """The legal move of a message; raises as `damas.notation.hub.read_move` does."""
    squares = [message.origin, message.destination, *message.taken]
    return hub.read_move(position, ("x" if message.taken else "-").join(map(str, squares)))
