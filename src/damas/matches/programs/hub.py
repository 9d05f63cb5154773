"""Players that speak Hub, the protocol of draughts engines: `pos`, `level`, `go think`, `done`."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace

from damas.arbiter import Table
from damas.board import Color
from damas.engine.hub import NORMAL, read_line, write_line
from damas.engine.limits import Limits
from damas.errors import DamasError
from damas.game import Record
from damas.matches.box.plan import trusted_launch
from damas.matches.faults import Fault
from damas.matches.player import Ending, Question, Reply
from damas.matches.programs.program_player import UNLIMITED, ProgramPlayer
from damas.matches.supervisor.program import Launch, Program
from damas.matches.terms import Terms
from damas.notation import hub
from damas.rules import Rulebook

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
            self._exchange_parameters(program, table.book, deadline)
            self._ready = True
        program.begin_game()
        self._first, self._error, self._in_game = b"new-game\n", "", True

    def _exchange_parameters(self, program: Program, book: Rulebook, deadline: float) -> None:
        chosen: dict[str, str] = {}
        for word, arguments in _lines_until(program, b"hub\n", "wait", deadline):
            if word == "param":
                chosen |= rulebook_param(arguments, book)
        wanted = dict(param.partition("=")[::2] for param in self._terms.params)
        if not wanted.keys() & {"rulebook", "variant"}:
            wanted = chosen | wanted
        lines = [write_line("set-param", name=name, value=value) for name, value in wanted.items()]
        for _ in _lines_until(program, "\n".join([*lines, "init", ""]).encode(), "ready", deadline):
            pass

    def early_answer(self, program: Program) -> bytes:
        """Only a move can be early: an engine may report on itself at any time."""
        output = program.early()
        program.forget()
        lines = output.decode("utf-8", "replace").splitlines()
        return output if any(read_line(line)[0] == "done" for line in lines) else b""

    def question(self, question: Question) -> bytes:
        lines = [position_line(question.table.game.record), level_line(question.limits), "go think", ""]
        first, self._first = self._first, b""
        return first + "\n".join(lines).encode()

    def answer(self, program: Program, data: bytes, deadline: float, began: float) -> bytes:
        while True:
            line = program.ask(data, deadline, began)
            data = b""
            word, arguments = read_line(line.decode("utf-8", "replace"))
            if word == "done":
                if program.pending.lstrip()[:4] != b"done":
                    program.forget()
                return line
            if word == "error":
                self._error = (arguments.get("message") or self._error)[:MAX_ERROR_TEXT]
            if time.monotonic() >= deadline:
                raise Fault("TIMEOUT", "talks instead of answering", line, time.monotonic() - began)

    def read(self, line: bytes, question: Question, spent: float) -> Reply:
        text = read_line(line.decode("utf-8", "replace"))[1].get("move") or ""
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


def _lines_until(
    program: Program, data: bytes, last: str, deadline: float
) -> Iterator[tuple[str, dict[str, str | None]]]:
    """Sends data and yields the lines before the one with the word `last`."""
    began = time.monotonic()
    while True:
        word, arguments = read_line(program.ask(data, deadline, began).decode("utf-8", "replace"))
        data = b""
        if word == last:
            return
        if time.monotonic() >= deadline:
            raise Fault("TIMEOUT", f"no {last}", b"", time.monotonic() - began)
        yield word, arguments


def rulebook_param(param: Mapping[str, str | None], book: Rulebook) -> dict[str, str]:
    """The value of a parameter for a game under this rulebook; empty if the parameter is about something else.

    >>> from damas.rules import rulebook
    >>> scan = {"name": "variant", "value": "normal", "type": "enum", "values": "normal brazilian"}
    >>> rulebook_param(scan, rulebook("brasileira")), rulebook_param(scan, rulebook("turca"))
    ({'variant': 'brazilian'}, {})
    """
    values = (param.get("values") or "").split()
    if param.get("name") == "rulebook":
        names = [book.id]
    elif param.get("name") == "variant":
        names = [theirs for theirs, ours in NORMAL.items() if ours == book.id] + [book.id]
    else:
        return {}
    return next(({str(param["name"]): name} for name in names if name in values), {})


def position_line(record: Record) -> str:
    """The `pos` line: where the game began, and the moves since."""
    moves = hub.write_moves(record.start, record.moves)
    history = {"moves": " ".join(moves)} if moves else {}
    return write_line("pos", pos=hub.write_position(record.start), **history)


def level_line(limits: Limits) -> str:
    """The `level` line.

    >>> level_line(Limits(movetime=0.5)), level_line(Limits(clock=60, increment=1)), level_line(Limits(depth=9))
    ('level move-time=0.5', 'level time=60.000 inc=1', 'level depth=9')
    """
    clock = {} if limits.clock is None else {"time": f"{limits.clock:.3f}", "inc": limits.increment}
    bounds = {"move_time": limits.movetime, "depth": limits.depth, "nodes": limits.nodes}
    arguments = clock | {name: value for name, value in bounds.items() if value is not None}
    return write_line("level", **arguments) if arguments else "level infinite"
