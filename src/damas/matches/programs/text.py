"""Players that speak the text mode: plain lines in the rows and columns of document 004.

`RULEBOOK COLOUR MS` comes first, followed by the position in FEN if the game does not begin where the rulebook does;
then, at each turn of the program, the opponent's last move or `start`; the program answers with its move. `end RESULT
REASON` is the last line. Any byte before a question is early. The program has started when it has read the first line:
until then, ten seconds at most, no clock runs.
"""

from damas.arbiter import Table
from damas.board import Color
from damas.game import Position
from damas.matches.faults import Fault
from damas.matches.player import Ending, Question, Reply
from damas.matches.programs.program_player import ProgramPlayer
from damas.matches.supervisor.program import Program
from damas.notation import move_text


class TextPlayer(ProgramPlayer):
    """A program of the text mode."""

    _opening = 0

    def introduce(self, program: Program, table: Table, color: Color, name: str, deadline: float) -> None:  # noqa: ARG002
        self._opening = table.ply
        words = [table.book.id, color.value, str(self._terms.move_budget_ms or 0)]
        if table.position != Position.start(table.book):
            words.append(table.position.fen)
        program.give(" ".join(words).encode() + b"\n", deadline)
        if early := program.early():
            raise Fault("EARLY_ANSWER", "said before it was asked", early)

    def question(self, question: Question) -> bytes:
        record = question.table.game.record
        if record.length <= self._opening:
            return b"start\n"
        before, last = record.position_after(record.length - 1), record.move(record.length)
        return move_text(before, last, "rows-columns").encode() + b"\n"

    def read(self, line: bytes, question: Question, spent: float) -> Reply:  # noqa: ARG002
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise Fault("GARBAGE", "no UTF-8", line, spent) from None
        if text == "resign":
            return Reply(line, spent, resigns=True)
        if not any(letter.isdigit() for letter in text):
            raise Fault("GARBAGE", "no move", line, spent)
        return Reply(line, spent, move=text)

    def farewell(self, ending: Ending) -> bytes:
        return f"end {ending.result} {ending.reason}\n".encode()
