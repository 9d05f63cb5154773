"""Opponents at the other end of a DXP connection. They play, and tell nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import NoReturn

from damas.client.engine import TIMEOUT_S, Analysis, EngineClient, error_of
from damas.client.results import PlayResult
from damas.engine.limits import Limits
from damas.errors import EngineDied, EngineError, EngineTimeout
from damas.game import Record
from damas.matches.dxp.connection import DxpError
from damas.matches.dxp.session import Session, conditions
from damas.matches.faults import Fault
from damas.matches.supervisor.program import KeeperGone
from damas.notation.hub import Option
from damas.rules import Rulebook


class DxpClient(EngineClient):
    """A program that is called at a host and port, or started by a command and called at a port of this machine.

    `play` goes on with the game in progress if it is given that game with one more move, and otherwise requests a new
    one from where it is asked. The protocol has no analysis and no options, and knows whole minutes only; whether the
    program thinks on our time is its own decision. `stop` hangs up, which is the only way to end its thinking.
    """

    def __init__(
        self, host: str, port: int, book: Rulebook | str, *, command: str = "", timeout: float = TIMEOUT_S
    ) -> None:
        super().__init__(book, timeout)
        self._session = Session(host, port, command)
        try:
            self._session.connect(timeout)
        except DxpError as error:
            self._fail(error)
        except (Fault, KeeperGone) as trouble:
            self._session.hang_up()
            raise error_of(self.name, trouble, late="silent") from None
        except BaseException:
            self._session.hang_up()
            raise

    @property
    def name(self) -> str:
        return self._session.name

    @property
    def id(self) -> Mapping[str, str]:
        return {"name": self.name}

    @property
    def options(self) -> Mapping[str, Option]:
        return {}

    def _start(self, record: Record, limits: Limits, mode: str, multipv: int) -> Analysis:  # noqa: ARG002
        if mode != "think":
            raise EngineError(self.name, "no_analysis")
        return DxpSearch(self, record, limits)

    def ask(self, record: Record, limits: Limits) -> PlayResult:
        """Its move, in the game in progress or in a new one; raises `EngineError`."""
        try:
            if not self._continues(record):
                self._session.end()
                self._session.request(record, record.position.turn, limits)
            allowed = 60.0 * conditions(limits)[0] if limits.clock is None else limits.clock
            move, _ = self._session.ask(record, allowed + self.timeout)
        except DxpError as error:
            self._fail(error)
        return PlayResult(move)

    def interrupt(self) -> None:
        """From any thread: closes the connection while its move is waited for."""
        self._closed = True
        self._session.interrupt()

    def close(self) -> None:
        super().close()
        self._session.hang_up()

    def _continues(self, record: Record) -> bool:
        """Whether it knows this game but for the last move."""
        known = self._session.record
        if known is None or known.start != record.start:
            return False
        return record.length == known.length + 1 and record.moves[:-1] == known.moves

    def _fail(self, error: DxpError) -> NoReturn:
        """Hangs up and raises what went wrong."""
        interrupted, self._closed = self._closed, True
        self._session.hang_up()
        if interrupted:
            raise EngineError(self.name, "closed") from None
        if error.key == "hung_up":
            raise EngineDied(self.name, "dxp", error.saying) from None
        if error.key == "late":
            raise EngineTimeout(self.name, "dxp", error.saying) from None
        raise EngineError(self.name, "dxp", error.saying) from None

    def _configure(self, values: Mapping[str, str]) -> None:
        """It has no options."""

    def _new_game(self) -> None:
        with suppress(DxpError):
            self._session.end()

    def _ping(self) -> None:
        """The protocol has no question that a program must answer at once."""

    def _quit(self) -> None:
        self._session.close()


class DxpSearch(Analysis):
    """A move that is waited for. Nothing but hanging up ends it, which ends the game and the engine."""

    def __init__(self, client: DxpClient, record: Record, limits: Limits) -> None:
        super().__init__()
        self._client, self._record, self._limits = client, record, limits

    def _stop(self) -> None:
        if not self.done:
            self._client.interrupt()

    def ponder_hit(self) -> None:
        """It is never told to ponder."""

    def _receive(self, *, wait: bool) -> PlayResult | None:
        return self._client.ask(self._record, self._limits) if wait else None
