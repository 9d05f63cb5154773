"""The board: which squares there are and how each numbering names them.

One internal index for every board and notation: playing squares by rows from White's side, seen from the
board whose playing corner is at the left. A board with the corner at the right is the same board in a mirror,
so only names and pictures differ.
"""

from dataclasses import dataclass
from functools import cached_property

Square = int
"""Internal index of a square, from 0, by rows from White's side; `Geometry` has its names."""
FILES = "abcdefghijkl"
"""The letters of the files."""


@dataclass(frozen=True)
class Geometry:
    """A board of `size` x `size`, its playing squares, orientation and first number.

    >>> portuguese = Geometry(8, all_squares=False, corner="right", first_number="bottom-right")
    >>> portuguese.numbers[0], portuguese.algebraic[0]
    ('1', 'h1')
    """

    size: int
    all_squares: bool
    corner: str
    first_number: str

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Row and column of each square, before mirroring."""
        return tuple(
            (row, column)
            for row in range(self.size)
            for column in range(self.size)
            if self.all_squares or (row + column) % 2 == 0
        )

    @cached_property
    def shown(self) -> tuple[tuple[int, int], ...]:
        """Row and column of each square as White sees them: row 0 at the bottom, column 0 at the left."""
        if self.corner == "left":
            return self.places
        return tuple((row, self.size - 1 - column) for row, column in self.places)

    @cached_property
    def squares(self) -> range:
        """All playing squares."""
        return range(len(self.places))

    @cached_property
    def schemes(self) -> dict[str, tuple[str, ...]]:
        """The names of the squares in each numbering, by its name."""
        return {
            "algebraic": self.algebraic,
            "numbers": self.numbers,
            "rows-columns": self.rows_columns,
        }

    @cached_property
    def algebraic(self) -> tuple[str, ...]:
        """The name of each square in letters and numbers, such as a1."""
        return tuple(f"{FILES[column]}{row + 1}" for row, column in self.shown)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """1, 2, 3 … from the first square in reading order, or in the opposite one from the bottom right."""
        reading = sorted(self.squares, key=lambda s: (-self.shown[s][0], self.shown[s][1]))
        if self.first_number == "bottom-right":
            reading.reverse()
        names = [""] * len(reading)
        for number, square in enumerate(reading, start=1):
            names[square] = str(number)
        return tuple(names)

    @cached_property
    def rows_columns(self) -> tuple[str, ...]:
        """As document 004 writes them: row and column from 0, White's left corner first."""
        return tuple(f"{row},{column}" for row, column in self.shown)

    @cached_property
    def _by_name(self) -> dict[str, Square]:
        return {name: square for names in self.schemes.values() for square, name in enumerate(names)}

    def square(self, name: Square | str) -> Square:
        """The square of an internal index (a whole number) or of a name in any numbering of the board (a text).

        >>> portuguese = Geometry(8, all_squares=False, corner="right", first_number="bottom-right")
        >>> portuguese.square("1"), portuguese.square("h1"), portuguese.square("0,7"), portuguese.square(0)
        (0, 0, 0, 0)
        """
        square = self._by_name.get("".join(name.lower().split())) if isinstance(name, str) else name
        if square is None or square not in self.squares:
            last = self.squares[-1]
            names = " or ".join(repr(names[last]) for names in self.schemes.values())
            raise ValueError(f"No square {name!r} on this board. Its last square is {last} (index), {names}.")
        return square

    @cached_property
    def by_place(self) -> dict[tuple[int, int], Square]:
        """The square at each row and column, before mirroring."""
        return {place: square for square, place in enumerate(self.places)}

    @cached_property
    def main_diagonal(self) -> frozenset[Square]:
        """The long diagonal from one playing corner to the other: grande diagonal, Rio."""
        return frozenset(s for s, (row, column) in enumerate(self.places) if row == column)

    def line(self, start: Square, end: Square) -> tuple[Square, ...] | None:
        """Playing squares from `start` to `end`, both included, if they lie on one straight line of the board."""
        (row, column), (last_row, last_column) = self.places[start], self.places[end]
        rows, columns = last_row - row, last_column - column
        if start == end or (rows and columns and abs(rows) != abs(columns)):
            return None
        steps = max(abs(rows), abs(columns))
        places = ((row + rows // steps * i, column + columns // steps * i) for i in range(steps + 1))
        return tuple(self.by_place[place] for place in places if place in self.by_place)
