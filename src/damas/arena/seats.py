"""A seat at the table: whoever can be greeted, asked for a move and told the end, in process or behind pipes."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Protocol

from damas.arbiter import Table
from damas.arena.verdicts import Fault, trace_of
from damas.board import Color
from damas.engine.limits import Limits
from damas.engine.match import Forfeit
from damas.game import Game, Move

UNLIMITED = 3600.0
"""Seconds after which even a game without a clock waits no longer."""
STARTING = 10.0
"""Seconds for a program to start and say that it is ready; they are on nobody's clock."""
VERDICTS = {
    "forfeit.illegal": "INVALID_MOVE",
    "forfeit.no_move": "INVALID_MOVE",
    "forfeit.late": "TIMEOUT",
    "forfeit.deaf": "TIMEOUT",
}
"""For what a player of the engine's matches forfeits by; for all else CRASH."""


@dataclass(frozen=True)
class Question:
    """A turn: the table as it stands, and how long there is to think."""

    table: Table
    color: Color
    limit_ms: int | None
    """What is left for this move; None where there is no clock."""
    opponent_ms: int | None
    legal: bool
    """Whether the program is told the legal moves."""
    refused: str = ""
    """Why the claim just made was refused; the turn goes on."""

    @property
    def seconds(self) -> float:
        return UNLIMITED if self.limit_ms is None else self.limit_ms / 1000

    @property
    def limits(self) -> Limits:
        """For an engine: a little less than the clock gives, so that its answer is in time."""
        control = self.table.clocks.control
        if self.limit_ms is None:
            return Limits(nodes=10_000)
        left = self.limit_ms / 1000
        if control.by_the_turn:
            return Limits(movetime=max(0.9 * left - 0.05, 0.5 * left, 0.001))
        return Limits(
            clock=max(left, 0.001), increment=control.extra / 1000 if control.kind == "fischer" else 0
        )


@dataclass(frozen=True)
class Reply:
    """What was answered, before anybody has judged it."""

    raw: bytes
    seconds: float
    move: str = ""
    claim: str = ""
    resigns: bool = False
    offers: bool = False


@dataclass(frozen=True)
class Ending:
    """How the game ended, for those who played it."""

    result: str
    reason: str
    article: str
    message: str
    moves: tuple[str, ...] = ()
    """All of the game: who did not make the last one may not have seen it."""


class Seat(Protocol):
    """One player of one game. `greet` and `ask` raise `Fault` for whatever the player does wrong."""

    tier: str

    def start(self) -> None:
        """Begins to get ready, without waiting for it."""

    def greet(self, table: Table, color: Color, name: str) -> None: ...

    def ask(self, question: Question) -> Reply: ...

    def end(self, ending: Ending) -> None: ...

    def stderr(self) -> bytes:
        """The last it said beside its answers."""

    def close(self) -> None:
        """Leaves nothing behind. May be called at any time, and twice."""


class Chooser(Protocol):
    """A player in this process: the engine and its levels."""

    def choose(self, place: Game, limits: Limits | None = None) -> Move | str | None: ...

    def close(self) -> None: ...


class RandomPlayer:
    """Any legal move, by a seed."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def choose(self, place: Game, limits: Limits | None = None) -> Move | None:  # noqa: ARG002
        return self._chance.choice(sorted(place.legal_moves, key=lambda move: move.route))

    def close(self) -> None:
        """Nothing to give back."""


class MovesPlayer:
    """Plays what it was given, whatever the other does."""

    def __init__(self, moves: list[str]) -> None:
        self._moves = cycle(moves)

    def choose(self, place: Game, limits: Limits | None = None) -> str:  # noqa: ARG002
        return next(self._moves)

    def close(self) -> None:
        """Nothing to give back."""


class InnerSeat:
    """One of our own players, or our end of a line to another program: nobody else's code thinks in this process. It
    keeps its limits by itself, and its time is judged when it answers.
    """

    def __init__(self, make: Callable[[Table], Chooser], tier: str = "in-process") -> None:
        self.tier = tier
        self._make = make
        self._player: Chooser | None = None
        self._said = b""

    def start(self) -> None:
        """A player in process is made when it is greeted."""

    def greet(self, table: Table, color: Color, name: str) -> None:  # noqa: ARG002
        try:
            self._player = self._make(table)
        except Exception as why:  # noqa: BLE001 (whatever it is, this player has not come)
            raise self._crash(why, 0.0, "NOT_READY") from None

    def ask(self, question: Question) -> Reply:
        assert self._player
        began = time.monotonic()
        try:
            chosen = self._player.choose(question.table.game, question.limits)
        except Forfeit as why:
            spent = time.monotonic() - began
            code = VERDICTS.get(why.cause, "CRASH")
            raise Fault(code, str(why), seconds=spent) from None
        except Exception as why:  # noqa: BLE001
            raise self._crash(why, time.monotonic() - began, "CRASH") from None
        spent = time.monotonic() - began
        text = "" if chosen is None else chosen if isinstance(chosen, str) else chosen.text
        return Reply(text.encode("utf-8", "replace"), spent, move=text)

    def _crash(self, why: BaseException, spent: float, code: str) -> Fault:
        self._said = trace_of(why).encode("utf-8", "replace")
        return Fault(code, f"{type(why).__name__}: {why}"[:200], seconds=spent)

    def end(self, ending: Ending) -> None:
        """A player in process learns of the end by being closed."""

    def stderr(self) -> bytes:
        return self._said

    def close(self) -> None:
        player, self._player = self._player, None
        if player:
            with suppress(Exception):  # however it goes, its game is decided
                player.close()
