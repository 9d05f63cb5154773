"""The result of one game."""

from dataclasses import dataclass
from typing import Any

from damas.matches.faults import OURS


@dataclass(frozen=True)
class GameResult:
    """How a game ended, and its complete record."""

    points: float | None
    """White's points: 1, 0.5 or 0; None for a void game."""
    white: str
    black: str
    reason: str
    """A fault code (see `faults`) or the arbiter's reason: NO_MOVES, CYCLE …"""
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
