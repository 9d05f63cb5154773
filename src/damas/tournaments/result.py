"""The result of one game: whole, as whoever played it reports it, and in short, as the journal keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OURS = "OURS"
"""Reason of a game that an error of the referee itself ended: it is void, and nobody loses it."""
DISQUALIFIED = "DISQUALIFIED"
"""Reason of a game that was not played because a player had been disqualified."""


@dataclass(frozen=True)
class GameResult:
    """How a game ended, and its complete record."""

    points: float | None
    """White's points: 1, 0.5 or 0; None for a void game."""
    white: str
    black: str
    reason: str
    """A fault code (see `damas.matches.faults`) or the arbiter's reason: NO_MOVES, CYCLE …"""
    article: str
    offender: str | None
    """The colour (white or black) of the player who forfeited."""
    plies: int
    seconds: float
    """Thinking time of both players."""
    tiers: dict[str, str]
    pdn: str
    events: tuple[str, ...]
    """The arbiter's record as chained JSON lines, which `damas.arbiter.ledger` reads."""
    receipt: dict[str, Any] | None


def void_game(white: str, black: str, trace: str) -> GameResult:
    """A game that an error of ours ended: nobody loses it."""
    receipt = {"verdict": OURS, "trace": trace}
    return GameResult(None, white, black, OURS, "", None, 0, 0.0, {}, "", (), receipt)


@dataclass(frozen=True)
class GameEntry:
    """A finished game in the journal of a tournament."""

    id: str
    white: str
    black: str
    points: float | None
    """White's points; None if the game is void or both players had been disqualified."""
    reason: str
    article: str = ""
    offender: str | None = None
    """Colour of the player who forfeited, white or black."""
    plies: int = 0
    seconds: float = 0.0
    tiers: Mapping[str, str] = field(default_factory=dict)
    """How each program was contained, by colour."""
    receipt: str = ""
    """Id of the receipt of a forfeit; empty if there is none."""

    @property
    def rated(self) -> float | None:
        """White's points for ratings; None if the game was not played, since it then says nothing about strength."""
        return None if self.reason == DISQUALIFIED else self.points

    def points_of(self, name: str) -> float | None:
        """The points of one of the two players; None if the game is void."""
        return self.points if self.points is None or name == self.white else 1 - self.points

    @property
    def result(self) -> str:
        """1-0, ½-½ or 0-1; a dash for a void game."""
        return "–" if self.points is None else {1.0: "1-0", 0.5: "½-½", 0.0: "0-1"}[self.points]


Results = Mapping[str, GameEntry]
"""Finished games by the id of their pairing."""
