"""What the seats of programs have in common: starting, deadlines, early and doubled answers, the end."""

import shutil
import time
from abc import ABC, abstractmethod

from damas.arbiter import Table, TimeControl
from damas.arena.box.limits import BoxLimits
from damas.arena.box.plan import launch_for
from damas.arena.process.program import Program
from damas.arena.seats import STARTING, Ending, Question, Reply
from damas.arena.verdicts import Fault
from damas.board import Color
from damas.errors import BadEntrant


class ProgramSeat(ABC):
    """A program in one game. Its words are the business of the subclasses."""

    def __init__(
        self, command: list[str], tier: str, limits: BoxLimits, control: TimeControl, longest: int
    ) -> None:
        self.tier = tier
        self._command, self._limits, self._control, self._longest = command, limits, control, longest
        self.program: Program | None = None

    def start(self) -> None:
        try:
            self._running()
        except BadEntrant as why:  # what it is made of cannot be run: that is its own doing
            raise Fault("NOT_READY", f"cannot be started: {why}"[:400]) from None
        except shutil.Error:  # which would name folders of this machine
            raise Fault("NOT_READY", "cannot be started: its files cannot be copied") from None

    def _running(self) -> Program:
        if self.program is None:
            launch = launch_for(self._command, self.tier, self._limits, self._control, self._longest)
            self.program = Program(launch, self._limits)
        return self.program

    def greet(self, table: Table, color: Color, name: str) -> None:
        program = self._running()
        program.begin_turn()
        try:
            self.introduce(program, table, color, name, time.monotonic() + STARTING)
            program.end_turn()
        except Fault as fault:
            bounded = fault.code in ("MEMORY", "PROCESSES", "TOO_MUCH_OUTPUT", "EARLY_ANSWER")
            fault.code = fault.code if bounded else "NOT_READY"
            raise

    def ask(self, question: Question) -> Reply:
        assert self.program
        program = self.program
        program.begin_turn()
        if said := self.unasked(program):
            raise Fault("EARLY_ANSWER", "said before it was asked", said)
        data = self.question(question)
        began = time.monotonic()
        line = self.answer(program, data, began + question.seconds, began)
        spent = min(time.monotonic() - began, question.seconds)
        program.end_turn()
        program.read_now()
        more = program.pending
        reply = self.read(line, question, spent)
        if more:
            raise Fault("DOUBLE_ANSWER", "said more than one answer", line + b"\n" + more, spent)
        return reply

    def unasked(self, program: Program) -> bytes:
        """What it has said before this question."""
        return program.early()

    def answer(self, program: Program, data: bytes, deadline: float, began: float) -> bytes:
        """The line that answers."""
        return program.ask(data, deadline, began)

    @abstractmethod
    def introduce(self, program: Program, table: Table, color: Color, name: str, deadline: float) -> None:
        """Tells the program what it will play, and hears that it is ready."""

    @abstractmethod
    def question(self, question: Question) -> bytes: ...

    @abstractmethod
    def read(self, line: bytes, question: Question, spent: float) -> Reply:
        """The reply of a line; raises `Fault` for one that is none."""

    @abstractmethod
    def farewell(self, ending: Ending) -> bytes: ...

    def end(self, ending: Ending) -> None:
        if self.program:
            self.program.leave(self.farewell(ending))

    def stderr(self) -> bytes:
        return self.program.stderr() if self.program else b""

    def close(self) -> None:
        if self.program:
            self.program.close()
