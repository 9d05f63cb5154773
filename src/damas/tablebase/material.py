"""Materials: how many men and kings each side has, and in which order their tables can be made."""

from collections.abc import Iterator
from typing import NamedTuple, Self


class Material(NamedTuple):
    """The stronger side (more pieces, then more kings) is White in what is stored."""

    white_men: int
    white_kings: int
    black_men: int
    black_kings: int

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """As the core takes it."""
        return (self.white_men, self.white_kings, self.black_men, self.black_kings)

    @property
    def white(self) -> int:
        """Pieces of White."""
        return self.white_men + self.white_kings

    @property
    def black(self) -> int:
        """Pieces of Black."""
        return self.black_men + self.black_kings

    @property
    def pieces(self) -> int:
        """Pieces on the board."""
        return self.white + self.black

    @property
    def men(self) -> int:
        """Men on the board."""
        return self.white_men + self.black_men

    @property
    def opposite(self) -> "Material":
        """The same with the colours exchanged."""
        return Material(self.black_men, self.black_kings, self.white_men, self.white_kings)

    @property
    def canonical(self) -> "Material":
        """The same with the stronger side as White."""
        stronger = (self.white, self.white_kings) >= (self.black, self.black_kings)
        return self if stronger else self.opposite

    @property
    def name(self) -> str:
        """As rulebooks name endings: "KKK-K", "KM-KM"."""
        white = "K" * self.white_kings + "M" * self.white_men
        return f"{white}-{'K' * self.black_kings}{'M' * self.black_men}"

    @classmethod
    def of_name(cls, name: str) -> Self:
        """Reads a name such as `KM-K`."""
        white, black = name.split("-")
        return cls(white.count("M"), white.count("K"), black.count("M"), black.count("K"))


def canonical_materials(pieces: int) -> Iterator[Material]:
    """All materials of so many pieces, those with fewer men first: a crowned man leads from one to an earlier one."""
    for men in range(pieces + 1):
        for white_men in range(men, -1, -1):
            for white_kings in range(pieces - men, -1, -1):
                material = Material(white_men, white_kings, men - white_men, pieces - men - white_kings)
                if material.white and material.black and material.canonical is material:
                    yield material


def reached(material: Material) -> set[Material]:
    """The other materials that one move leads to: a crowning, or a capture of any number, crowning or not."""
    return {after.canonical for after in after_one_move(material)}


def after_one_move(material: Material) -> Iterator[Material]:
    """As `reached`, each with the colours as they were."""
    yield from _white_moves(material)
    yield from (after.opposite for after in _white_moves(material.opposite))


def _white_moves(material: Material) -> Iterator[Material]:
    for men_left in range(material.black_men + 1):
        for kings_left in range(material.black_kings + 1):
            quiet = material._replace(black_men=men_left, black_kings=kings_left)
            crowns = quiet._replace(white_men=quiet.white_men - 1, white_kings=quiet.white_kings + 1)
            for after in (quiet, crowns):
                if after != material and after.white_men >= 0 and after.black:
                    yield after
