"""How PDN writes the end of a game: as it was spelled, and what it means."""

from dataclasses import dataclass

from damas.board import Color
from damas.rules import Rulebook

# The chess results, those of international draughts, the double forfeit, and none.
_MEANINGS = {
    "1-0": "1-0",
    "2-0": "1-0",
    "0-1": "0-1",
    "0-2": "0-1",
    "1/2-1/2": "1/2-1/2",
    "1-1": "1/2-1/2",
    "0-0": "0-0",
    "*": "*",
}
TWO_POINTS = ("20", "27")
"""GameTypes whose results are 2-0, 1-1 and 0-2 (PDN 3.0)."""


@dataclass(frozen=True)
class Result:
    """A result in its own spelling; `meaning` is 1-0, 0-1, 1/2-1/2, 0-0 (both lose) or * (unknown).

    The first figure belongs to the side that begins, so in English draughts and pool 1-0 is a win of Black.

    >>> Result("2-0").meaning
    '1-0'
    """

    text: str = "*"

    @property
    def meaning(self) -> str:
        """The result in the spelling of chess; * for an unknown text."""
        return _MEANINGS.get(self.text, "*")

    def winner(self, book: Rulebook) -> Color | None:
        """The winner of a game under this rulebook; None for a draw or an unknown result."""
        first = book.first_to_move
        return {"1-0": first, "0-1": first.other}.get(self.meaning)


def result_of(winner: Color | None, book: Rulebook) -> Result:
    """The result of a win, or of a draw (None), in the spelling of the rulebook's GameType."""
    two_points = book.gametype.partition(",")[0] in TWO_POINTS
    if winner is None:
        return Result("1-1" if two_points else "1/2-1/2")
    points = "2" if two_points else "1"
    return Result(f"{points}-0" if winner is book.first_to_move else f"0-{points}")


UNKNOWN = Result("*")
"""The result of a game that does not say how it ended."""
RESULTS = {text: Result(text) for text in _MEANINGS}
"""The result of each spelling."""
