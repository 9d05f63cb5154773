"""Marks in comments: [%csl Gc3,Rd4] points out squares, [%cal Gc3d4] draws arrows."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from damas.board import Geometry, Square

MarkColor = Literal["green", "red", "yellow", "blue"]
_COLORS: dict[str, MarkColor] = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
_LETTERS = {color: letter for letter, color in _COLORS.items()}
_COMMAND = re.compile(r"\[%(csl|cal)\s+([^\[\]]{1,4000}?)\s*\]")
_MAX_MARKS = 200
"""Marks that are written in one command; a longer command would not be read back."""
_APART = re.compile(r"[,\s]+")
_ONE = re.compile(r"([GRYB])([a-z][0-9]{1,2}|[0-9]{1,2})")
# In numbers both squares have two digits, as 0631 could be 6 and 31 or 63 and 1.
_TWO = re.compile(r"([GRYB])(?:([a-z][0-9]{1,2})([a-z][0-9]{1,2})|([0-9]{2})([0-9]{2}))")


@dataclass(frozen=True, slots=True)
class Mark:
    """A square that a comment points out, or with `to` an arrow between two squares."""

    square: Square
    """An internal index; `Geometry.square` gives that of a name."""
    to: Square | None = None
    color: MarkColor = "green"

    def __post_init__(self) -> None:
        for square in (self.square, self.to):
            if square is not None and not (isinstance(square, int) and square >= 0):
                raise ValueError(f"a mark needs the index of a square (see Geometry.square), not {square!r}")
        if self.color not in _LETTERS:
            raise ValueError(f"a mark is {', '.join(_LETTERS)}, not {self.color!r}")


def take_marks(text: str, geometry: Geometry) -> tuple[str, tuple[Mark, ...]]:
    """Split a comment into its text and its marks; a command with a square that the board lacks stays in the text."""
    marks: list[Mark] = []

    def taken(command: re.Match[str]) -> str:
        shape = _ONE if command[1] == "csl" else _TWO
        news = []
        for word in _APART.split(command[2]):
            match = shape.fullmatch(word)
            if match is None:
                return command[0]
            try:
                squares = [geometry.square(name.lstrip("0")) for name in match.groups()[1:] if name]
            except ValueError:
                return command[0]
            to = squares[1] if len(squares) == 2 else None
            news.append(Mark(squares[0], to, _COLORS[match[1]]))
        marks.extend(news)
        return " "

    rest = _COMMAND.sub(taken, text)
    return rest, tuple(marks)


def marks_text(marks: Iterable[Mark], names: tuple[str, ...]) -> str:
    """The commands of marks, for a comment; `names` are those of the squares, letters or numbers."""

    def written(mark: Mark) -> str:
        squares = (mark.square,) if mark.to is None else (mark.square, mark.to)
        return _LETTERS[mark.color] + "".join(names[square].zfill(2) for square in squares)

    commands = []
    for single, group in groupby(marks, key=lambda mark: mark.to is None):
        words = [written(mark) for mark in group]
        for first in range(0, len(words), _MAX_MARKS):
            shown = ",".join(words[first : first + _MAX_MARKS])
            commands.append(f"[%{'csl' if single else 'cal'} {shown}]")
    return " ".join(commands)
