"""Tells whether two positions are nearly the same puzzle; used by `mine_puzzles.py` and `choose_puzzles.py`."""

from dataclasses import dataclass
from typing import Self

from damas import Position

MAX_DIFFERENCE, MAX_ENDING_DIFFERENCE = 5, 2
"""Positions that differ in no more pieces than this are the same puzzle; the second is for endings."""
MAX_ENDING_PIECES = 5
"""A position with no more pieces than this is an ending."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The pieces of a position, with the board turned so that White is to move."""

    bits: int
    """Four bits for each square, one for each kind of piece."""
    pieces: int

    @classmethod
    def of(cls, position: Position) -> Self:
        """The pieces of a position."""
        letters, diagram = "wWbB", position.diagram
        if position.black_to_move:
            letters, diagram = "bBwW", diagram[::-1]
        kinds = [(square, letters.index(letter)) for square, letter in enumerate(diagram) if letter != "."]
        return cls(sum(1 << 4 * square + kind for square, kind in kinds), len(kinds))

    def is_like(self, other: Self) -> bool:
        """Whether the two differ in few pieces."""
        is_ending = min(self.pieces, other.pieces) <= MAX_ENDING_PIECES
        limit = MAX_ENDING_DIFFERENCE if is_ending else MAX_DIFFERENCE
        return (self.bits ^ other.bits).bit_count() <= limit
