"""Players that speak JSON lines: one object a line, UTF-8."""

import json
import re
import secrets
from typing import Any

from damas.arbiter import Table
from damas.board import Color
from damas.errors import DamasError
from damas.game import Position
from damas.matches.faults import Fault
from damas.matches.player import Ending, Question, Reply
from damas.matches.programs.program_player import ProgramPlayer
from damas.matches.supervisor.program import Program
from damas.views import plain
from damas.views.bots import BotClockView, EndView, HelloView, QuestionView, hello_view, question_view

_MOVE = re.compile(rb"\s*[a-lA-L]?\d{1,2}(?:[\s,x:-]+[a-lA-L]?\d{1,2}){1,40}\s*")
"""A line that is meant as a move, though it is no JSON."""


class JsonPlayer(ProgramPlayer):
    """A program of JSON lines."""

    _nonce = ""

    def introduce(self, program: Program, table: Table, color: Color, name: str, deadline: float) -> None:
        hello = hello_view(table, color, name, self._time(), legal=self._terms.legal)
        line = program.ask(_line(hello), deadline)
        message = _object(line)
        if message is None or message.get("type") != "ready":
            raise Fault("NOT_READY", "its first line is not ready", line)
        program.read_now()
        if more := program.pending:
            raise Fault("EARLY_ANSWER", "said more than that it is ready", line + b"\n" + more)

    def _time(self) -> dict[str, int]:
        control = self._terms.control
        if control.by_the_turn or control.budget is None:
            move_ms = self._terms.move_budget_ms
            return {} if move_ms is None else {"move_ms": move_ms}
        return {"main_ms": control.budget, "increment_ms": control.extra if control.kind == "fischer" else 0}

    def question(self, question: Question) -> bytes:
        """The question as one line of JSON, with a new nonce that the answer must repeat."""
        self._nonce = secrets.token_hex(4)
        clock = BotClockView(question.move_ms, question.opponent_ms)
        legal, refused = self._terms.legal, question.refused
        return _line(question_view(question.table, self._nonce, clock, legal=legal, refused=refused))

    def read(self, line: bytes, question: Question, spent: float) -> Reply:
        message = _object(line)
        if message is None:
            if _MOVE.fullmatch(line):
                text = line.decode("ascii").strip()
                if _illegal(question.table.position, text):
                    return Reply(line, spent, move=text)
            raise Fault("GARBAGE", "no JSON object", line, spent)
        if message.get("nonce") != self._nonce:
            other = isinstance(message.get("nonce"), str) and message["nonce"]
            code, detail = ("EARLY_ANSWER", "another nonce") if other else ("GARBAGE", "no nonce")
            raise Fault(code, detail, line, spent)
        if message.get("resign") is True:
            return Reply(line, spent, resigns=True)
        if isinstance(claim := message.get("claim"), str) and claim:
            return Reply(line, spent, claim=claim)
        offers = message.get("offer") is True
        choice = message.get("choice")
        if type(choice) is int and "move" not in message:
            legal = question.table.game.legal_moves
            if self._terms.legal and 0 <= choice < len(legal):
                return Reply(line, spent, move=legal[choice].text, offers=offers)
            return Reply(line, spent, move=f"choice {choice}"[:80])
        move = message.get("move")
        if not isinstance(move, str) or not move.strip():
            raise Fault("GARBAGE", "no move", line, spent)
        return Reply(line, spent, move=move, offers=offers)

    def farewell(self, ending: Ending) -> bytes:
        return _line(
            EndView(
                result=ending.result, reason=ending.reason, article=ending.article, message=ending.message
            )
        )


def _line(view: HelloView | QuestionView | EndView) -> bytes:
    return (
        json.dumps(plain(view), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
    )


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):  # neither text nor JSON, or nested without end
        return None
    return message if isinstance(message, dict) else None


def _illegal(position: Position, text: str) -> bool:
    try:
        position.parse(text)
    except DamasError:
        return True
    return False
