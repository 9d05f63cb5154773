"""Openings of books and ballots."""

from dataclasses import dataclass

from damas.openings import Opening


@dataclass(frozen=True, slots=True)
class OpeningView:
    """One opening."""

    number: int
    """Its place in the list, from 1."""
    name: str
    moves: tuple[str, ...]
    fen: str | None = None
    """The position before the moves; left out where it is the first of the rulebook."""


def opening_view(opening: Opening, number: int) -> OpeningView:
    """An opening of a list."""
    return OpeningView(number, opening.name, opening.moves, opening.fen)
