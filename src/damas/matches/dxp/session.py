"""Games that we request from a DXP program: our end of the connection, whoever chooses our moves."""

import shlex
import time
from contextlib import suppress

from damas.board import Color
from damas.engine.limits import Limits
from damas.game import Move, Position, Record
from damas.matches.box.limits import BoxLimits
from damas.matches.box.plan import trusted_launch
from damas.matches.dxp.connection import CALL_TIMEOUT_S, GRACE_S, Connection, DxpError, read_move
from damas.matches.supervisor.program import Program
from damas.notation import dxp
from damas.notation.dxp import End, MoveMessage, Request


class Session:
    """A program called at a host and port, or started by a command and called at a port of this machine.

    `request` begins a game and `ask` returns each move of the program; both raise `DxpError`, and `request` raises `Fault`
    for a program that was started and ended at once.
    """

    def __init__(self, host: str, port: int, command: str = "") -> None:
        self._host, self._port, self._command = host, port, command
        self._program: Program | None = None
        self._connection: Connection | None = None
        self.record: Record | None = None
        """What the program knows of the game in progress; None between games."""
        self.name = f"{host}:{port}"
        """What the program calls itself, or its address before it has accepted a game."""

    def start(self) -> None:
        """Starts the program, if there is a command for it."""
        if self._command and self._program is None:
            launch = trusted_launch(shlex.split(self._command), silent=True, inherit=True)
            self._program = Program(launch, BoxLimits())

    def connect(self, timeout_s: float | None = None) -> None:
        """Starts the program and calls it, unless that was done before; it must listen within so many seconds.

        Raises `Fault` if it was started here and cannot be, or ends instead of listening.
        """
        self.start()
        if self._connection is None:
            timeout_s = CALL_TIMEOUT_S if timeout_s is None else timeout_s
            check = self._program.check if self._program else None
            self._connection = Connection.call(self._host, self._port, timeout_s, check)

    def request(self, record: Record, color: Color, limits: Limits) -> None:
        """Requests a game from the last position of a record, in which the program plays a color."""
        self.connect()
        assert self._connection
        position = record.position
        start = "" if position == Position.start(position.rulebook) else dxp.write_position(position)
        minutes, moves = conditions(limits)
        answer = self._connection.request_game(Request("damas", color, minutes, moves, start))
        self.name = answer.name or self.name
        self.record = record

    def ask(self, record: Record, timeout_s: float) -> tuple[Move, MoveMessage]:
        """Sends the move that the program does not know yet, if there is one, and waits for its own."""
        assert self._connection and self.record
        deadline = time.monotonic() + timeout_s + GRACE_S
        if record.length > self.record.length:
            self._connection.send(dxp.write_move(self.record.position, record.move(record.length)))
        message = self._connection.receive_move(deadline)
        if isinstance(message, End):
            self._connection.send(End(dxp.UNKNOWN))
            raise DxpError("ended", {"result": message.result})
        move = read_move(record.position, message)
        self.record = record.play(move)
        return move, message

    def end(self) -> None:
        """Each program tells the other that the game is over; one that does not is hung up on."""
        if self._connection is None or self.record is None:
            return
        self.record = None
        try:
            self._connection.send(End(dxp.UNKNOWN))
            self._connection.receive_end()
        except DxpError:
            self.hang_up()

    def close(self) -> None:
        """Says goodbye and ends the program, if it was started here."""
        if self._connection:
            with suppress(DxpError):
                self._connection.send(End(dxp.UNKNOWN, leaving=True))
        if self._program:
            self._program.leave(b"")
        self.hang_up()

    def interrupt(self) -> None:
        """From any thread: closes the connection, so that whoever waits for a message gets `DxpError`."""
        if connection := self._connection:
            connection.close()

    def hang_up(self) -> None:
        """Closes the connection and ends the program, without a word."""
        self.record = None
        if self._connection:
            self._connection.close()
            self._connection = None
        if self._program:
            self._program.close()
            self._program = None


def conditions(limits: Limits) -> tuple[int, int]:
    """Whole minutes and a number of moves, which is all the protocol can express, nearest to the limits.

    >>> conditions(Limits(movetime=0.2)), conditions(Limits(clock=300))
    ((1, 300), (5, 0))
    """
    if limits.movetime is not None:
        minutes = max(1, -(-int(limits.movetime * 20) // 60))
        return min(minutes, 999), max(1, min(999, round(60 * minutes / limits.movetime)))
    if limits.clock is not None:
        return max(1, min(999, round(limits.clock / 60))), 0
    return 5, 75
