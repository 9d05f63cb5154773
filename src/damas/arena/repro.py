"""Repeating a forfeited game from its receipt: the same program, the same position, the same verdict?"""

from dataclasses import dataclass
from typing import Any

from damas.arbiter import TimeControl
from damas.arena.players import Entrant
from damas.arena.referee import GameResult, Start, Terms, play
from damas.board import Color
from damas.errors import RemoteTrouble


@dataclass(frozen=True)
class Repeated:
    """What came of it."""

    same: bool
    way: str
    """position: asked at once where it failed | game: after the moves of the game before it."""
    result: GameResult

    @property
    def verdict(self) -> str:
        """NONE if the program now answers well."""
        return self.result.reason if self.result.offender else "NONE"


def repro(receipt: dict[str, Any], *, trusted: bool = False, tier: str = "auto") -> Repeated:
    """Asks the program again where it failed, and if it then does well, plays the game again up to there."""
    moves: list[str] = receipt["moves"]
    first = _again(receipt, len(moves), trusted=trusted, tier=tier)
    if _same(receipt, first) or len(moves) == receipt["opening"]:
        return Repeated(_same(receipt, first), "position", first)
    second = _again(receipt, receipt["opening"], trusted=trusted, tier=tier)
    if _same(receipt, second):
        return Repeated(True, "game", second)
    return Repeated(False, "position", first)


def _again(receipt: dict[str, Any], played: int, *, trusted: bool, tier: str) -> GameResult:
    """The game from where so many moves have been played, the opponent playing as it did."""
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
        longest=len(moves) + 1,
        language=receipt["language"],
    )
    return play(white, black, start, terms)


def _same(receipt: dict[str, Any], result: GameResult) -> bool:
    return (result.reason, result.offender) == (receipt["verdict"], receipt["offender"])
