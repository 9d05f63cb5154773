"""The input of a picture: a board with pieces and names of squares."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from damas.board import Geometry, Piece, Square


@dataclass(frozen=True)
class Drawing:
    """Pieces on a board, and the names its rulebook gives to the squares. Knows no rules and no turn."""

    geometry: Geometry
    square_names: tuple[str, ...]
    pieces: Mapping[Square, Piece]

    def __post_init__(self) -> None:
        squares = self.geometry.squares
        if len(self.square_names) != len(squares):
            raise ValueError(
                f"The board has {len(squares)} squares, but {len(self.square_names)} names were given."
            )
        for square in self.pieces:
            if square not in squares:
                raise ValueError(f"No square {square!r}: this board has squares 0 to {squares[-1]}.")

    @cached_property
    def _by_name(self) -> dict[str, Square]:
        board = self.geometry
        # the rulebook's own names last: they win, should two numberings ever share a name
        numberings = (board.rows_columns, board.algebraic, board.numbers, self.square_names)
        return {name.lower(): square for names in numberings for square, name in enumerate(names)}

    def square(self, name: Square | str) -> Square:
        """The square of an internal index (a whole number) or of a name in any numbering of the board (a text).

        >>> board = Geometry(8, all_squares=False, corner="right", first_number="bottom-right")
        >>> drawing = Drawing(board, board.numbers, {})
        >>> drawing.square("1"), drawing.square("h1"), drawing.square("0,7"), drawing.square(0)
        (0, 0, 0, 0)
        """
        squares = self.geometry.squares
        if isinstance(name, str):
            square = self._by_name.get("".join(name.lower().split()))
            if square is None:
                raise ValueError(f"No square {name!r} on this board. {self._square_name_examples()}")
            return square
        if isinstance(name, bool) or not isinstance(name, int):
            raise TypeError(
                f"A square is a whole number or a text, not {name!r}. {self._square_name_examples()}"
            )
        if name not in squares:
            raise ValueError(f"No square {name}: this board has squares 0 to {squares[-1]}.")
        return name

    def squares(self, option: str, names: Iterable[Square | str]) -> tuple[Square, ...]:
        """The squares given to an option of a picture, by index or name."""
        if isinstance(names, str) or not isinstance(names, Iterable):
            example = f"({self.square_names[0]!r}, {self.square_names[-1]!r})"
            raise TypeError(f"{option} takes several squares, such as {example}, not {names!r}.")
        return tuple(self.square(name) for name in names)

    def _square_name_examples(self) -> str:
        """A sentence that shows the ways to name a square."""
        board = self.geometry
        last = board.squares[-1]
        return (
            f"Its last square, for example, is {last} (index), {board.algebraic[last]!r}, "
            f"{board.numbers[last]!r} or {board.rows_columns[last]!r}."
        )
