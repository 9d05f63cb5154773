"""Players that are our own code and think in this process."""

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import cycle
from random import Random

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

Choose = Callable[[Game, Limits], Move | str | None]
"""Chooses a move of a game within limits."""


def chooser_for(entrant: Entrant, table: Table, terms: Terms, seed: int, resources: ExitStack) -> Choose:
    """Makes the function that chooses moves for an entrant; `resources` frees what it holds."""
    match entrant.kind:
        case "random":
            random = Random(seed)
            return lambda game, _: random.choice(sorted(game.legal_moves, key=lambda move: move.route))
        case "greedy":
            return Greedy(seed).choose
        case "moves":
            moves = cycle(move.strip() for move in entrant.rest.split(";"))
            return lambda _game, _limits: next(moves)
        case "level":
            king_endings(table.book)  # built here, where no clock runs: on a busy machine it takes seconds
            player = LevelPlayer(table.book, int(entrant.rest), seed, customs=table.game.customs)
            resources.callback(player.close)
            return player.choose
        case "damas" | "damas+book" | "material":
            engine = Engine(
                table.book,
                hash_mb=terms.hash_mb,
                network=entrant.kind != "material",
                tables=terms.tables,
                opening_book=entrant.kind == "damas+book",
                seed=seed,
                customs=table.game.customs,
            )
            resources.callback(engine.close)
            return lambda game, limits: engine.search(game, limits).best
    raise ValueError(f"{entrant.spec} does not play in process")


class InProcessPlayer:
    """Our own code as a player. It keeps to its limits by itself; the clock is checked when it has answered."""

    reusable = False

    def __init__(self, entrant: Entrant, tier: str, terms: Terms, seed: int) -> None:
        self.tier = tier
        self._entrant, self._terms, self._seed = entrant, terms, seed
        self._choose: Choose | None = None
        self._resources = ExitStack()
        self._trace = b""

    def start(self) -> None:
        """Nothing starts before `greet`."""

    def greet(self, table: Table, color: Color, name: str) -> None:  # noqa: ARG002
        try:
            self._choose = chooser_for(self._entrant, table, self._terms, self._seed, self._resources)
        except Exception as error:  # noqa: BLE001 (whatever it is, this player cannot play)
            raise self._fault(error, 0.0, "NOT_READY") from None

    def ask(self, question: Question) -> Reply:
        assert self._choose
        began = time.monotonic()
        try:
            move = self._choose(question.table.game, question.limits)
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
        """The traceback of the error that ended it."""
        return self._trace

    def close(self) -> None:
        with suppress(Exception):  # the game is decided, whatever happens now
            self._resources.close()
