"""Players that speak DXP: we request each game and send our moves."""

import time

from damas.arbiter import Table
from damas.board import Color
from damas.engine.limits import Limits
from damas.matches.dxp.connection import DxpError
from damas.matches.dxp.session import Session, conditions
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault
from damas.matches.player import Ending, Question, Reply
from damas.matches.terms import Terms
from damas.notation import dxp


class DxpPlayer:
    """A program at the other end of a session.

    The referee decides how a game ends: the other program is told so, and what it reports itself is ignored.
    """

    reusable = True

    def __init__(self, entrant: Entrant, tier: str, terms: Terms) -> None:
        address = entrant.address
        assert address
        self.tier = tier
        self._session = Session(*address)
        self._terms = terms

    def start(self) -> None:
        self._session.start()

    def greet(self, table: Table, color: Color, name: str) -> None:  # noqa: ARG002
        try:
            self._session.request(table.game.record, color, self._limits(table))
        except DxpError as error:
            raise Fault("NOT_READY", error.saying.sentence(self._terms.language)) from None
        except Fault as fault:
            fault.code = "NOT_READY"
            raise

    def _limits(self, table: Table) -> Limits:
        return Question(table, table.to_move, table.clocks.control.budget, None, self._terms).limits

    def ask(self, question: Question) -> Reply:
        began = time.monotonic()
        timeout_s = question.timeout_s
        if question.clock_ms is None:  # the protocol knows whole minutes only
            timeout_s = 60.0 * conditions(question.limits)[0]
        try:
            move, message = self._session.ask(question.table.game.record, timeout_s)
        except DxpError as error:
            detail = error.saying.sentence(self._terms.language)
            raise Fault(error.fault_code, detail, error.raw, time.monotonic() - began) from None
        return Reply(dxp.write(message).encode("latin-1"), time.monotonic() - began, move=move.text)

    def end(self, ending: Ending) -> None:  # noqa: ARG002
        self._session.end()

    def stderr(self) -> bytes:
        """The output of a program at the other end of a connection is its own."""
        return b""

    def close(self) -> None:
        self._session.close()
