"""Repeats a forfeited game from its receipt."""

from dataclasses import dataclass
from typing import Any

from damas.arbiter import TimeControl
from damas.board import Color
from damas.errors import RemoteTrouble
from damas.matches.entrant import Entrant
from damas.matches.referee import play
from damas.matches.terms import Start, Terms
from damas.tournaments.result import GameResult


@dataclass(frozen=True)
class Repetition:
    """The result of repeating a game."""

    same: bool
    way: str
    """position: the program was asked about the position at once; game: after the moves before it."""
    result: GameResult

    @property
    def verdict(self) -> str:
        """The fault code, or NONE if the program answers correctly now."""
        return self.result.reason if self.result.offender else "NONE"


def repro(receipt: dict[str, Any], *, trusted: bool = False, tier: str = "auto") -> Repetition:
    """Asks the program about the position where it failed; if it does well, plays the game again up to there."""
    moves: list[str] = receipt["moves"]
    first = _replay(receipt, len(moves), trusted=trusted, tier=tier)
    if _same(receipt, first) or len(moves) == receipt["opening"]:
        return Repetition(_same(receipt, first), "position", first)
    second = _replay(receipt, receipt["opening"], trusted=trusted, tier=tier)
    if _same(receipt, second):
        return Repetition(True, "game", second)
    return Repetition(False, "position", first)


def _replay(receipt: dict[str, Any], played: int, *, trusted: bool, tier: str) -> GameResult:
    """Plays the game again after its first `played` moves; the opponent repeats its own."""
    side = Color(receipt["offender"])
    moves: list[str] = receipt["moves"]
    program = Entrant.parse(receipt["spec"], name=receipt["name"], trusted=trusted)
    if program.remote and not trusted:  # a receipt may come from anybody, and so may the address in it
        raise RemoteTrouble(program.remote[1], "trust")
    turn = Color.WHITE if receipt["start"].startswith("W") else Color.BLACK
    rest = [move for ply, move in enumerate(moves) if ply >= played and (ply % 2 == 0) == (turn is not side)]
    opponent = Entrant.parse(f"moves:{';'.join(rest)}") if rest else Entrant.parse("random")
    white, black = (program, opponent) if side is Color.WHITE else (opponent, program)
    start = Start(receipt["number"], receipt["start"], tuple(moves[:played]))
    terms = Terms(
        receipt["rulebook"],
        TimeControl.parse(receipt["control"]),
        legal=receipt["legal_told"],
        tier=tier,
        seed=receipt["seed"],
        max_plies=len(moves) + 1,
        language=receipt["language"],
    )
    return play(white, black, start, terms)


def _same(receipt: dict[str, Any], result: GameResult) -> bool:
    return (result.reason, result.offender) == (receipt["verdict"], receipt["offender"])
