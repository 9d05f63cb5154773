"""Players that speak DXP: we request each game and send our moves."""

import shlex
import time
from contextlib import suppress

from damas.arbiter import Table
from damas.board import Color
from damas.engine.limits import Limits
from damas.game import Position, Record
from damas.matches.box.plan import trusted_launch
from damas.matches.dxp.connection import GRACE_S, Connection, DxpError, read_move
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault
from damas.matches.player import Ending, Question, Reply
from damas.matches.supervisor.program import Program
from damas.matches.terms import Terms
from damas.notation import dxp
from damas.notation.dxp import End, MoveMessage, Request


class DxpPlayer:
    """A program called at a host and port, or started by a command and called at a port of this machine.

    The referee decides how a game ends: the other program is told so, and what it reports itself is ignored.
    """

    reusable = True

    def __init__(self, entrant: Entrant, tier: str, terms: Terms) -> None:
        address = entrant.address
        assert address
        self.tier = tier
        self._host, self._port, self._command = address
        self._terms = terms
        self._program: Program | None = None
        self._connection: Connection | None = None
        self._record: Record | None = None
        """What the other program knows of the game in progress."""

    def start(self) -> None:
        if self._command and self._program is None:
            launch = trusted_launch(shlex.split(self._command), silent=True, inherit=True)
            self._program = Program(launch, self._terms.limits)

    def greet(self, table: Table, color: Color, name: str) -> None:  # noqa: ARG002
        self.start()
        position = table.position
        start = "" if position == Position.start(position.rulebook) else dxp.write_position(position)
        try:
            if self._connection is None:
                self._connection = Connection.call(self._host, self._port)
            minutes, moves = _conditions(self._limits(table))
            self._connection.request_game(Request("damas", color, minutes, moves, start))
        except DxpError as error:
            raise Fault("NOT_READY", error.saying.sentence(self._terms.language)) from None
        self._record = table.game.record

    def _limits(self, table: Table) -> Limits:
        return Question(table, table.to_move, table.clocks.control.budget, None, self._terms).limits

    def ask(self, question: Question) -> Reply:
        assert self._connection and self._record
        record, sent = question.table.game.record, self._record
        began = time.monotonic()
        timeout_s = question.timeout_s
        if question.clock_ms is None:  # the protocol knows whole minutes only
            timeout_s = 60.0 * _conditions(question.limits)[0]
        move_message: MoveMessage | None = None
        try:
            if record.length > sent.length:
                self._connection.send(dxp.write_move(sent.position, record.move(record.length)))
            message = self._connection.receive_move(began + timeout_s + GRACE_S)
            if isinstance(message, End):
                self._connection.send(End(dxp.UNKNOWN))
                raise DxpError("ended", {"result": message.result})
            move_message = message
            move = read_move(record.position, message)
        except DxpError as error:
            raw = dxp.write(move_message).encode("latin-1", "replace") if move_message else b""
            detail = error.saying.sentence(self._terms.language)
            raise Fault(error.fault_code, detail, raw, time.monotonic() - began) from None
        self._record = record.play(move)
        return Reply(dxp.write(message).encode("latin-1"), time.monotonic() - began, move=move.text)

    def end(self, ending: Ending) -> None:  # noqa: ARG002
        """Each program tells the other that the game is over; one that does not is hung up on."""
        if self._connection is None or self._record is None:
            return
        self._record = None
        try:
            self._connection.send(End(dxp.UNKNOWN))
            self._connection.receive_end()
        except DxpError:
            self._hang_up()

    def stderr(self) -> bytes:
        """The output of a program at the other end of a connection is its own."""
        return b""

    def close(self) -> None:
        if self._connection:
            with suppress(DxpError):
                self._connection.send(End(dxp.UNKNOWN, leaving=True))
        if self._program:
            self._program.leave(b"")
        self._hang_up()

    def _hang_up(self) -> None:
        self._record = None
        if self._connection:
            self._connection.close()
            self._connection = None
        if self._program:
            self._program.close()
            self._program = None


def _conditions(limits: Limits) -> tuple[int, int]:
    """Whole minutes and a number of moves, which is all the protocol can express, nearest to the limits.

    >>> _conditions(Limits(movetime=0.2)), _conditions(Limits(clock=300))
    ((1, 300), (5, 0))
    """
    if limits.movetime is not None:
        minutes = max(1, -(-int(limits.movetime * 20) // 60))
        return min(minutes, 999), max(1, min(999, round(60 * minutes / limits.movetime)))
    if limits.clock is not None:
        return max(1, min(999, round(limits.clock / 60))), 0
    return 5, 75
