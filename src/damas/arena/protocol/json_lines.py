"""JSON lines: one object a line, UTF-8. What a student implements from one page."""

import json
import re
import secrets
from typing import Any

from damas.arbiter import Table
from damas.arena.process.program import Program
from damas.arena.protocol.seat import ProgramSeat
from damas.arena.seats import Ending, Question, Reply
from damas.arena.verdicts import Fault
from damas.board import Color
from damas.game import Position
from damas.rules import Rulebook
from damas.rules.schema import SECTIONS

PROTOCOL = 1
_MOVE = re.compile(rb"\s*[a-lA-L]?\d{1,2}(?:[\s,x:-]+[a-lA-L]?\d{1,2}){1,40}\s*")
"""Something that is meant as a move, though not as JSON."""


class JsonSeat(ProgramSeat):
    _nonce = ""
    tells_legal = True

    def introduce(self, program: Program, table: Table, color: Color, name: str, deadline: float) -> None:
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "rulebook": table.book.id,
            "color": color.value,
            "name": name,
            "time": self._time(),
            "rules": rules_object(table.book),
            "squares": list(table.book.square_names),
            "legal": self.tells_legal,
        }
        line = program.ask(_line(hello), deadline)
        said = _object(line)
        if said is None or said.get("type") != "ready":
            raise Fault("NOT_READY", "its first line is not ready", line)
        program.read_now()
        if more := program.pending:
            raise Fault("EARLY_ANSWER", "said more than that it is ready", line + b"\n" + more)

    def _time(self) -> dict[str, int]:
        control = self._control
        if control.by_the_turn:
            return {"move_ms": control.extra}
        if control.budget is None:
            return {}
        return {"main_ms": control.budget, "increment_ms": control.extra if control.kind == "fischer" else 0}

    def question(self, question: Question) -> bytes:
        self._nonce = secrets.token_hex(4)
        table = question.table
        moves = [move.text for move in table.game.record.moves]
        asked: dict[str, Any] = {
            "type": "move?",
            "nonce": self._nonce,
            "ply": table.ply + 1,
            "fen": table.position.fen,
            "board": board(table.position),
            "last": moves[-1] if moves else None,
            "moves": moves,
            "clock": {"you_ms": question.limit_ms, "opponent_ms": question.opponent_ms},
            "counts": [
                {"rule": count.rule.id, "have": count.have, "need": count.need} for count in table.progress()
            ],
        }
        if question.legal:
            asked["legal"] = [move.text for move in table.game.legal_moves]
        if question.refused:
            asked["refused"] = question.refused
        return _line(asked)

    def read(self, line: bytes, question: Question, spent: float) -> Reply:
        said = _object(line)
        if said is None:
            if _MOVE.fullmatch(line):
                text = line.decode("ascii").strip()
                if _illegal(question.table.position, text):
                    return Reply(line, spent, move=text)
            raise Fault("GARBAGE", "no JSON object", line, spent)
        if said.get("nonce") != self._nonce:
            other = isinstance(said.get("nonce"), str) and said["nonce"]
            code, detail = ("EARLY_ANSWER", "another nonce") if other else ("GARBAGE", "no nonce")
            raise Fault(code, detail, line, spent)
        if said.get("resign") is True:
            return Reply(line, spent, resigns=True)
        if isinstance(claim := said.get("claim"), str) and claim:
            return Reply(line, spent, claim=claim)
        offers = said.get("offer") is True
        choice = said.get("choice")
        if type(choice) is int and "move" not in said:
            legal = question.table.game.legal_moves
            if question.legal and 0 <= choice < len(legal):
                return Reply(line, spent, move=legal[choice].text, offers=offers)
            return Reply(line, spent, move=f"choice {choice}"[:80])
        move = said.get("move")
        if not isinstance(move, str) or not move.strip():
            raise Fault("GARBAGE", "no move", line, spent)
        return Reply(line, spent, move=move, offers=offers)

    def farewell(self, ending: Ending) -> bytes:
        return _line(
            {
                "type": "end",
                "result": ending.result,
                "reason": ending.reason,
                "article": ending.article,
                "message": ending.message,
            }
        )


def board(position: Position) -> list[list[str]]:
    """Rows from White's side; w W b B, a dot for an empty square.

    >>> board(Position.start("concurso"))[0]
    ['w', '.', 'w', '.', 'w', '.', 'w', '.']
    """
    geometry = position.rulebook.geometry
    rows = [["."] * geometry.size for _ in range(geometry.size)]
    for (row, column), letter in zip(geometry.shown, position.diagram, strict=True):
        rows[row][column] = letter
    return rows


def rules_object(book: Rulebook) -> dict[str, Any]:
    """The rulebook's answers to every question."""
    answers = ((q.key, getattr(book, q.key).value) for questions in SECTIONS.values() for q in questions)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in answers}


def _line(said: dict[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):  # neither text nor JSON, or nested without end
        return None
    return said if isinstance(said, dict) else None


def _illegal(position: Position, text: str) -> bool:
    from damas.errors import DamasError

    try:
        position.parse(text)
    except DamasError:
        return True
    return False
