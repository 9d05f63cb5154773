"""What players that are programs have in common: starting, deadlines, early and doubled answers, the end."""

import shutil
import time
from abc import ABC, abstractmethod

from damas.arbiter import Table
from damas.board import Color
from damas.errors import BadEntrant
from damas.matches.box.plan import launch_for
from damas.matches.faults import Fault
from damas.matches.player import START_TIMEOUT_S, Ending, Question, Reply
from damas.matches.supervisor.program import Launch, Program
from damas.matches.terms import Terms

UNLIMITED = 1 << 40
"""Bytes that trusted code may print."""
BEFORE_READY = ("MEMORY", "PROCESSES", "TOO_MUCH_OUTPUT", "EARLY_ANSWER")
"""Faults that keep their own code while a program gets ready; any other is NOT_READY."""


class ProgramPlayer(ABC):
    """A program behind pipes. Its language is the business of the subclasses."""

    reusable = False

    def __init__(self, command: list[str], tier: str, terms: Terms) -> None:
        self.tier = tier
        self._command, self._terms = command, terms
        self.program: Program | None = None

    def launch(self) -> Launch:
        """How its program is started."""
        terms = self._terms
        return launch_for(self._command, self.tier, terms.limits, terms.control, terms.max_plies)

    def start(self) -> None:
        try:
            if self.program is None:
                self.program = Program(self.launch(), self._terms.limits)
        except BadEntrant as error:  # its files cannot be run: that is the program's own fault
            raise Fault("NOT_READY", f"cannot be started: {error}"[:400]) from None
        except shutil.Error:  # which would name folders of this machine
            raise Fault("NOT_READY", "cannot be started: its files cannot be copied") from None

    def greet(self, table: Table, color: Color, name: str) -> None:
        self.start()
        assert self.program
        self.program.begin_turn()
        try:
            self.introduce(self.program, table, color, name, time.monotonic() + START_TIMEOUT_S)
            self.program.end_turn()
        except Fault as fault:
            if fault.code not in BEFORE_READY:
                fault.code = "NOT_READY"
            raise

    def ask(self, question: Question) -> Reply:
        assert self.program
        program = self.program
        program.begin_turn()
        if early := self.early_answer(program):
            raise Fault("EARLY_ANSWER", "said before it was asked", early)
        data = self.question(question)
        began = time.monotonic()
        line = self.answer(program, data, began + question.timeout_s, began)
        spent = min(time.monotonic() - began, question.timeout_s)
        program.end_turn()
        program.read_now()
        more = program.pending
        reply = self.read(line, question, spent)
        if more:
            raise Fault("DOUBLE_ANSWER", "said more than one answer", line + b"\n" + more, spent)
        return reply

    def early_answer(self, program: Program) -> bytes:
        """What it has written before this question."""
        return program.early()

    def answer(self, program: Program, data: bytes, deadline: float, began: float) -> bytes:
        """Sends the question and returns the line that answers it."""
        return program.ask(data, deadline, began)

    @abstractmethod
    def introduce(self, program: Program, table: Table, color: Color, name: str, deadline: float) -> None:
        """Tells the program which game it will play, and waits until it is ready."""

    @abstractmethod
    def question(self, question: Question) -> bytes:
        """A question in the language of the program."""

    @abstractmethod
    def read(self, line: bytes, question: Question, spent: float) -> Reply:
        """Reads the answer; raises `Fault` for a line that is no answer."""

    @abstractmethod
    def farewell(self, ending: Ending) -> bytes:
        """The last message of a game in the language of the program."""

    def end(self, ending: Ending) -> None:
        if self.program:
            self.program.leave(self.farewell(ending))

    def stderr(self) -> bytes:
        return self.program.stderr() if self.program else b""

    def close(self) -> None:
        if self.program:
            self.program.close()
