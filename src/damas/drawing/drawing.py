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

    @cached_property
    def _by_name(self) -> dict[str, Square]:
        # the rulebook's own names last: they win, should two numberings ever share a name
        numberings = (*self.geometry.schemes.values(), self.square_names)
        return {name.lower(): square for names in numberings for square, name in enumerate(names)}

    def square(self, name: Square | str) -> Square:
        """The square of an internal index (a whole number) or of a name in any numbering of the board (a text).

        >>> board = Geometry(8, all_squares=False, corner="right", first_number="bottom-right")
        >>> drawing = Drawing(board, board.numbers, {})
        >>> drawing.square("1"), drawing.square("h1"), drawing.square("0,7"), drawing.square(0)
        (0, 0, 0, 0)
        """
        board = self.geometry
        square = self._by_name.get("".join(name.lower().split())) if isinstance(name, str) else name
        if square is None or square not in board.squares:
            last = board.squares[-1]
            names = " or ".join(repr(names[last]) for names in board.schemes.values())
            raise ValueError(f"No square {name!r} on this board. Its last square is {last} (index), {names}.")
        return square

    def squares(self, names: Iterable[Square | str]) -> tuple[Square, ...]:
        """The squares of some indices or names; raises `ValueError` for one text instead of several."""
        if isinstance(names, str):
            example = list(self.square_names[:2])
            raise ValueError(f"Squares are given one by one, as in {example}, not as one text: {names!r}.")
        return tuple(self.square(name) for name in names)
