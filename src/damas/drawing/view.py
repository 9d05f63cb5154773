"""A drawing seen from one side, with its squares named in one numbering."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from damas.board import Color, Square
from damas.board.geometry import FILES
from damas.drawing.drawing import Drawing

NUMBERINGS = ("rulebook", "algebraic", "numbers", "rows-columns", "none")
"""The values of the option `numbering` of every picture."""


@dataclass(frozen=True)
class View:
    """A drawing, the side at the bottom, and the numbering of its squares."""

    drawing: Drawing
    side: Color
    """Who sits at the bottom."""
    numbering: str
    """algebraic, numbers, rows-columns, none, or names: the rulebook's own where they are none of these."""

    @classmethod
    def of(cls, drawing: Drawing, orientation: Color | str, numbering: str) -> "View":
        """The view of two options that every picture has; raises `ValueError` for an unknown one."""
        if orientation not in (*Color, "white", "black"):
            raise ValueError(f"orientation is 'white' or 'black', not {orientation!r}.")
        if numbering not in NUMBERINGS:
            allowed = ", ".join(map(repr, NUMBERINGS[:-1]))
            raise ValueError(f"numbering is {allowed} or {NUMBERINGS[-1]!r}, not {numbering!r}.")
        if numbering == "rulebook":
            schemes = {names: scheme for scheme, names in drawing.geometry.schemes.items()}
            numbering = schemes.get(tuple(drawing.square_names), "names")
        return cls(drawing, Color(orientation), numbering)

    @property
    def size(self) -> int:
        """Squares along one edge of the board."""
        return self.drawing.geometry.size

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Column from the left and row from the top of each square."""
        last = self.size - 1
        if self.side is Color.WHITE:
            return tuple((column, last - row) for row, column in self.drawing.geometry.shown)
        return tuple((last - column, row) for row, column in self.drawing.geometry.shown)

    @cached_property
    def rows(self) -> tuple[tuple[Square | None, ...], ...]:
        """The board row by row from the top; None for a square nobody plays on."""
        at = {place: square for square, place in enumerate(self.places)}
        return tuple(tuple(at.get((x, y)) for x in range(self.size)) for y in range(self.size))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What to call each square in words and, for numbers, on the board."""
        return self.drawing.geometry.schemes.get(self.numbering, self.drawing.square_names)

    @cached_property
    def edges(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Labels of the columns from the left and of the rows from the top, where the numbering has such."""
        if self.numbering not in ("algebraic", "rows-columns"):
            return None
        columns = rows = tuple(str(number) for number in range(self.size))
        if self.numbering == "algebraic":
            columns, rows = tuple(FILES[: self.size]), tuple(str(row + 1) for row in range(self.size))
        return (columns, rows[::-1]) if self.side is Color.WHITE else (columns[::-1], rows)

    @property
    def labels_inside(self) -> bool:
        """Whether each square carries its own name."""
        return self.numbering in ("numbers", "names")

    def in_order(self, squares: Iterable[Square]) -> list[str]:
        """Names as a person would list them: numbers counting up, other names from White's side upwards."""
        if self.numbering in ("algebraic", "rows-columns"):
            ordered = sorted(squares, key=self.drawing.geometry.shown.__getitem__)
            return [self.names[square] for square in ordered]
        names = ((self.names[square], square) for square in squares)
        return [name for name, _ in sorted(names, key=lambda n: (int(n[0]) if n[0].isdecimal() else 0, n[1]))]
