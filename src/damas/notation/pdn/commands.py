"""Commands in comments: clocks and marks, read from a comment and written for one."""

from collections.abc import Sequence

from damas.board import Geometry
from damas.notation.pdn.clock import Clock, clock_text, take_clock
from damas.notation.pdn.marks import Mark, marks_text, take_marks


def take_commands(
    text: str, clock: Clock | None, geometry: Geometry
) -> tuple[str, Clock | None, tuple[Mark, ...]]:
    """Split a comment into its text, its clock times, which are added to those of `clock`, and its marks.

    Commands that are unknown, malformed or repeat a time stay in the text.
    """
    text, clock = take_clock(text, clock)
    marks: tuple[Mark, ...] = ()
    while "[%c" in text:
        rest, more = take_marks(text, geometry)
        if not more:
            break
        marks += more
        text, clock = take_clock(rest, clock)  # what a mark stood in may have become a clock
    return text, clock, marks


def commands_text(clock: Clock | None, marks: Sequence[Mark], names: tuple[str, ...]) -> str:
    """The commands of a clock and marks, for a comment; `names` are those of the squares, letters or numbers."""
    return " ".join(filter(None, (clock_text(clock) if clock else "", marks_text(marks, names))))
