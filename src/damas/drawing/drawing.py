"""The input of a picture: a board with pieces and names of squares."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from damas.board import Geometry, Piece, Square


@dataclass(frozen=True)
class Drawing:
    """Pieces on a board, and the names its rulebook gives to the squares. Knows no rules and no turn."""

    geometry: Geometry
    square_names: tuple[str, ...]
    pieces: Mapping[Square, Piece]

    def squares(self, names: Iterable[Square | str]) -> tuple[Square, ...]:
        """The squares of some indices or names; raises `ValueError` for one text instead of several."""
        if isinstance(names, str):
            example = list(self.square_names[:2])
            raise ValueError(f"Squares are given one by one, as in {example}, not as one text: {names!r}.")
        return tuple(self.geometry.square(name) for name in names)
