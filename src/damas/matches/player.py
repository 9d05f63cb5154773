"""The interface of every player: it is greeted, asked for moves, told the end of a game, and closed."""

from dataclasses import dataclass
from typing import Protocol

from damas.arbiter import Table
from damas.board import Color
from damas.engine.limits import Limits
from damas.matches.terms import Terms

NO_CLOCK_TIMEOUT_S = 3600.0
"""How long a player is waited for in a game without any limit of time."""
START_TIMEOUT_S = 10.0
"""How long a program may take to start and to report that it is ready; this is on nobody's clock."""
DEFAULT_NODES = 10_000
"""Nodes a move for an engine in a game without any limit."""


@dataclass(frozen=True)
class Question:
    """A request for a move: the table as it stands, and how long there is to think."""

    table: Table
    color: Color
    clock_ms: int | None
    """Time left for this move; None if the game has no clock."""
    opponent_ms: int | None
    terms: Terms
    refused: str = ""
    """Why the claim just made was refused; the turn goes on."""

    @property
    def timeout_s(self) -> float:
        """When the answer is late."""
        if self.clock_ms is not None:
            return self.clock_ms / 1000
        movetime = self.terms.think.movetime
        return NO_CLOCK_TIMEOUT_S if movetime is None else movetime + self.terms.grace_s

    @property
    def move_ms(self) -> int | None:
        """The time for this move as programs are told it: of the clock, or of the terms."""
        movetime = self.terms.think.movetime
        return self.clock_ms if movetime is None or self.clock_ms is not None else round(movetime * 1000)

    @property
    def limits(self) -> Limits:
        """For an engine: a little less than the clock gives, so that its answer is in time."""
        if self.clock_ms is None:
            return self.terms.think if self.terms.think.bounded else Limits(nodes=DEFAULT_NODES)
        control, left = self.table.clocks.control, self.clock_ms / 1000
        if control.by_the_turn:
            return Limits(movetime=max(0.9 * left - 0.05, 0.5 * left, 0.001))
        increment = control.extra / 1000 if control.kind == "fischer" else 0
        return Limits(clock=max(left, 0.001), increment=increment)


@dataclass(frozen=True)
class Reply:
    """The answer of a player, before the referee has judged it."""

    raw: bytes
    seconds: float
    move: str = ""
    claim: str = ""
    resigns: bool = False
    offers: bool = False


@dataclass(frozen=True)
class Ending:
    """How the game ended, as its players are told."""

    result: str
    reason: str
    article: str
    message: str
    moves: tuple[str, ...] = ()
    """All moves of the game: a player may not have seen the last one."""


class Player(Protocol):
    """One side of a game. `start`, `greet` and `ask` raise `Fault` for whatever the player does wrong."""

    tier: str
    """What contains it: a tier of the box, `none`, `in-process` or `remote`."""
    reusable: bool
    """Whether it can be greeted for another game after `end`, without being closed."""

    def start(self) -> None:
        """Begins to get ready, without waiting for it."""

    def greet(self, table: Table, color: Color, name: str) -> None:
        """Begins a game; returns when the player is ready."""

    def ask(self, question: Question) -> Reply:
        """Returns its answer, at the latest when `question.timeout_s` is over."""

    def end(self, ending: Ending) -> None:
        """Tells it how the game ended."""

    def stderr(self) -> bytes:
        """The last bytes it wrote to its standard error."""

    def close(self) -> None:
        """Ends its processes and connections. May be called at any time, and twice."""
