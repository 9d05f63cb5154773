"""Players that are our own code and think in this process."""

import time
from collections.abc import Callable
from contextlib import suppress
from itertools import cycle
from random import Random
from typing import Protocol

from damas.arbiter import Table
from damas.board import Color
from damas.engine.engine import Engine
from damas.engine.levels import Greedy, LevelPlayer, king_endings
from damas.engine.limits import Limits
from damas.game import Game, Move
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault, trace_of
from damas.matches.player import Ending, Question, Reply
from damas.matches.terms import Terms


class Chooser(Protocol):
    """Chooses a move of a game."""

    def choose(self, game: Game, limits: Limits | None = None, /) -> Move | str | None: ...

    def close(self) -> None: ...


class EngineChooser:
    """Our engine, within the limits of the question."""

    def __init__(self, table: Table, terms: Terms, *, network: bool) -> None:
        self._engine = Engine(
            table.book,
            hash_mb=terms.hash_mb,
            network=network,
            tables=terms.tables,
            customs=table.game.customs,
        )

    def choose(self, game: Game, limits: Limits | None = None, /) -> Move | None:
        return self._engine.search(game, limits or Limits()).best

    def close(self) -> None:
        self._engine.close()


class RandomChooser:
    """Any legal move, by a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, game: Game, _limits: Limits | None = None, /) -> Move:
        return self._random.choice(sorted(game.legal_moves, key=lambda move: move.route))

    def close(self) -> None:
        """Holds nothing."""


class FixedMoves:
    """A given list of moves, whatever the opponent plays, and from the first again."""

    def __init__(self, moves: list[str]) -> None:
        self._moves = cycle(moves)

    def choose(self, _game: Game, _limits: Limits | None = None, /) -> str:
        return next(self._moves)

    def close(self) -> None:
        """Holds nothing."""


def chooser_for(entrant: Entrant, table: Table, terms: Terms, seed: int) -> Chooser:
    """Makes the object that chooses moves for an entrant that plays inside this process."""
    match entrant.kind:
        case "random":
            return RandomChooser(seed)
        case "greedy":
            return Greedy(seed)
        case "moves":
            return FixedMoves([move.strip() for move in entrant.rest.split(";")])
        case "level":
            king_endings(table.book)  # built here, where no clock runs: on a busy machine it takes seconds
            return LevelPlayer(table.book, int(entrant.rest), seed, customs=table.game.customs)
        case "damas" | "material":
            return EngineChooser(table, terms, network=entrant.kind == "damas")
    raise ValueError(f"{entrant.spec} does not play in process")


class InProcessPlayer:
    """A chooser as a player. It keeps to its limits by itself; the clock is checked when it has answered."""

    reusable = False

    def __init__(self, make: Callable[[Table], Chooser], tier: str = "in-process") -> None:
        self.tier = tier
        self._make = make
        self._chooser: Chooser | None = None
        self._trace = b""

    def start(self) -> None:
        """The chooser is made by `greet`."""

    def greet(self, table: Table, color: Color, name: str) -> None:  # noqa: ARG002
        try:
            self._chooser = self._make(table)
        except Exception as error:  # noqa: BLE001 (whatever it is, this player cannot play)
            raise self._fault(error, 0.0, "NOT_READY") from None

    def ask(self, question: Question) -> Reply:
        assert self._chooser
        began = time.monotonic()
        try:
            move = self._chooser.choose(question.table.game, question.limits)
        except Exception as error:  # noqa: BLE001
            raise self._fault(error, time.monotonic() - began, "CRASH") from None
        text = "" if move is None else move if isinstance(move, str) else move.text
        return Reply(text.encode("utf-8", "replace"), time.monotonic() - began, move=text)

    def _fault(self, error: Exception, seconds: float, code: str) -> Fault:
        self._trace = trace_of(error).encode("utf-8", "replace")
        return Fault(code, f"{type(error).__name__}: {error}"[:200], seconds=seconds)

    def end(self, ending: Ending) -> None:
        """It needs no message."""

    def stderr(self) -> bytes:
        return self._trace

    def close(self) -> None:
        chooser, self._chooser = self._chooser, None
        if chooser:
            with suppress(Exception):  # the game is decided, whatever happens now
                chooser.close()
