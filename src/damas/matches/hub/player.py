"""Players that speak Hub, the protocol of draughts engines: `pos`, `level`, `go think`, `done`."""

import time
from dataclasses import replace

from damas.arbiter import Table
from damas.board import Color
from damas.errors import DamasError
from damas.matches.box.plan import trusted_launch
from damas.matches.faults import Fault
from damas.matches.hub.conversation import (
    encoded,
    greet,
    read_reply,
    search_lines,
    set_options,
    with_rulebook,
)
from damas.matches.player import Ending, Question, Reply
from damas.matches.programs.program_player import UNLIMITED, ProgramPlayer
from damas.matches.supervisor.program import Launch, Program
from damas.matches.terms import Terms
from damas.notation import hub

MAX_ERROR_TEXT = 200
"""Characters of an engine's error message that a fault quotes."""


class HubPlayer(ProgramPlayer):
    """An engine. A trusted one is started once and plays game after game.

    An engine that knows the rulebook of the game is told to play by it, unless the parameters say otherwise.
    """

    def __init__(self, command: list[str], tier: str, terms: Terms) -> None:
        if tier == "none":  # the owner's own engine may print as much as it likes
            terms = replace(terms, limits=replace(terms.limits, turn_output=UNLIMITED, game_output=UNLIMITED))
        super().__init__(command, tier, terms)
        self.reusable = tier == "none"
        self._ready = self._in_game = False
        self._first = b""
        self._error = ""

    def launch(self) -> Launch:
        return trusted_launch(self._command, inherit=True) if self.tier == "none" else super().launch()

    def start(self) -> None:
        if self.program and not self.program.running:  # it has died since its last game
            self.program.close()
            self.program, self._ready = None, False
        super().start()

    def introduce(self, program: Program, table: Table, color: Color, name: str, deadline: float) -> None:  # noqa: ARG002
        if not self._ready:
            wanted = dict(param.partition("=")[::2] for param in self._terms.params)
            options = greet(program, deadline).options.values()
            set_options(program, with_rulebook(options, wanted, table.book), deadline)
            self._ready = True
        program.begin_game()
        self._first, self._error, self._in_game = b"new-game\n", "", True

    def early_answer(self, program: Program) -> bytes:
        """Only a move can be early: an engine may report on itself at any time."""
        output = program.early()
        program.forget()
        return output if any(read_reply(line)[0] == "done" for line in output.splitlines()) else b""

    def question(self, question: Question) -> bytes:
        first, self._first = self._first, b""
        return first + encoded(search_lines(question.table.game.record, question.limits))

    def answer(self, program: Program, data: bytes, deadline: float, began: float) -> bytes:
        while True:
            line = program.ask(data, deadline, began)
            data = b""
            word, arguments = read_reply(line)
            if word == "done":
                if program.pending.lstrip()[:4] != b"done":
                    program.forget()
                return line
            if word == "error":
                self._error = (arguments.get("message") or self._error)[:MAX_ERROR_TEXT]
            if time.monotonic() >= deadline:
                raise Fault("TIMEOUT", "talks instead of answering", line, time.monotonic() - began)

    def read(self, line: bytes, question: Question, spent: float) -> Reply:
        text = read_reply(line)[1].get("move") or ""
        if not text:
            raise Fault("INVALID_MOVE", f"no move ({self._error})" if self._error else "no move", line, spent)
        try:
            return Reply(line, spent, move=hub.read_move(question.table.position, text).text)
        except DamasError:
            return Reply(line, spent, move=f"hub {text}"[:80])

    def farewell(self, ending: Ending) -> bytes:  # noqa: ARG002
        return b"quit\n"

    def end(self, ending: Ending) -> None:
        self._in_game = False
        if not self.reusable:
            super().end(ending)

    def close(self) -> None:
        if self.program and self.reusable and not self._in_game:
            self.program.leave(b"quit\n")
        super().close()
