"""Colours and pieces."""

from enum import Enum

from damas.language import sentence


class Color(Enum):
    """The two sides."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Color":
        """The opposite colour."""
        return Color.BLACK if self is Color.WHITE else Color.WHITE

    def sentence(self, language: str) -> str:
        """The colour as players of a language call it."""
        return sentence(f"color.{self.value}", language)

    @property
    def letter(self) -> str:
        """As FEN and PDN write it: W or B."""
        return "W" if self is Color.WHITE else "B"


class Piece(Enum):
    """A man or a king of one colour; the value is its letter in a diagram."""

    WHITE_MAN = "w"
    WHITE_KING = "W"
    BLACK_MAN = "b"
    BLACK_KING = "B"

    @property
    def color(self) -> Color:
        """The colour of the piece."""
        return Color.WHITE if self.value in "wW" else Color.BLACK

    def sentence(self, language: str) -> str:
        """The piece as players of a language call it."""
        return sentence(f"piece.{self.value}", language)

    @property
    def is_king(self) -> bool:
        """Whether it is a king."""
        return self.value.isupper()

    @property
    def code(self) -> int:
        """Its number in arrays, where 0 is an empty square: 1 and 2 White's man and king, -1 and -2 Black's.

        >>> {piece.name: piece.code for piece in Piece}
        {'WHITE_MAN': 1, 'WHITE_KING': 2, 'BLACK_MAN': -1, 'BLACK_KING': -2}
        """
        return (2 if self.is_king else 1) * (1 if self.color is Color.WHITE else -1)
