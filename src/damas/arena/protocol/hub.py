"""Hub programs: the protocol of draughts engines, `pos`, `level`, `go think`, `done`."""

import time

from damas.arbiter import Table
from damas.arena.process.program import Program
from damas.arena.protocol.seat import ProgramSeat
from damas.arena.seats import Ending, Question, Reply
from damas.arena.verdicts import Fault
from damas.board import Color
from damas.engine.hub import read_line
from damas.engine.peer import level_line, position_line
from damas.errors import DamasError
from damas.notation import hub


class HubSeat(ProgramSeat):
    def introduce(self, program: Program, table: Table, color: Color, name: str, deadline: float) -> None:  # noqa: ARG002
        self._hear(program, b"hub\n", "wait", deadline)
        self._hear(program, b"init\n", "ready", deadline)
        program.forget()
        self._first = b"new-game\n"

    @staticmethod
    def _hear(program: Program, data: bytes, wanted: str, deadline: float) -> bytes:
        """Speaks, and hears lines until the wanted word; an engine may say much in between."""
        began = time.monotonic()
        while True:
            line = program.ask(data, deadline, began)
            data = b""
            if read_line(line.decode("utf-8", "replace"))[0] == wanted:
                return line

    def unasked(self, program: Program) -> bytes:
        """Only a move is early: what an engine says of itself is nobody's answer."""
        said = program.early()
        program.forget()
        lines = said.decode("utf-8", "replace").splitlines()
        return said if any(read_line(line)[0] == "done" for line in lines) else b""

    def question(self, question: Question) -> bytes:
        place = position_line(question.table.game.record)
        lines = [place, level_line(question.limits), "go think"]
        first, self._first = self._first, b""
        return first + ("\n".join(lines) + "\n").encode()

    def answer(self, program: Program, data: bytes, deadline: float, began: float) -> bytes:
        while True:
            line = program.ask(data, deadline, began)
            data = b""
            word = read_line(line.decode("utf-8", "replace"))[0]
            if word == "done":
                if program.pending.lstrip()[:4] != b"done":
                    program.forget()  # what an engine says of itself
                return line
            if time.monotonic() >= deadline:
                raise Fault("TIMEOUT", "talks instead of answering", line, time.monotonic() - began)

    def read(self, line: bytes, question: Question, spent: float) -> Reply:
        text = read_line(line.decode("utf-8", "replace"))[1].get("move") or ""
        try:
            return Reply(line, spent, move=hub.read_move(question.table.position, text).text)
        except DamasError:
            return Reply(line, spent, move=f"hub {text}"[:80])

    def farewell(self, ending: Ending) -> bytes:  # noqa: ARG002
        return b"quit\n"
