"""Players that are Python classes of the owner's own, each in a process that can be killed."""

import json
import os
import pickle
import sys
from dataclasses import dataclass, replace
from typing import Any, Self

from damas.arbiter import Table
from damas.board import Color
from damas.engine.limits import Limits
from damas.game import Customs, Game, Move, Position
from damas.matches.faults import Fault
from damas.matches.player import Ending, Question, Reply
from damas.matches.programs.program_player import UNLIMITED, ProgramPlayer
from damas.matches.supervisor.program import Launch, Program
from damas.matches.terms import Terms

HOST = "damas.matches.programs.class_host"
"""The module that runs in the process of the class."""


@dataclass(frozen=True)
class ClassQuestion:
    """A game and how long there is to think, as they travel to the process of the class.

    Moves are texts: an object of the core cannot leave its process.
    """

    start: Position
    moves: tuple[str, ...]
    recorded: bool
    claims: tuple[tuple[int, str], ...]
    customs: Customs
    limits: Limits

    @classmethod
    def of(cls, game: Game, limits: Limits) -> Self:
        """A game and limits, ready to be pickled."""
        record = game.record
        moves = tuple(move.text for move in record.moves)
        return cls(record.start, moves, record.recorded, record.claims, game.customs, limits)

    @property
    def game(self) -> Game:
        """The game again.

        >>> game = Game.start("brasileira").play("c3-d4")
        >>> ClassQuestion.of(game, Limits()).game == game
        True
        """
        position, moves = self.start, list[Move]()
        for text in self.moves:
            moves.append(position.parse(text))
            position = position.play(moves[-1])
        return Game.of(self.start, moves, recorded=self.recorded, claims=self.claims, customs=self.customs)


class ClassPlayer(ProgramPlayer):
    """A class in a process of its own: an endless loop in it costs one game."""

    def __init__(self, text: str, tier: str, terms: Terms) -> None:
        file, _, name = text.rpartition(":")
        # -P: no module is taken from the current folder in place of ours or Python's.
        command = [sys.executable, "-P", "-u", "-m", HOST, file, name]
        limits = replace(terms.limits, turn_output=UNLIMITED, game_output=UNLIMITED, line=UNLIMITED)
        super().__init__(command, tier, replace(terms, limits=limits))

    def launch(self) -> Launch:
        return Launch(self._command, dict(os.environ))

    def introduce(self, program: Program, table: Table, color: Color, name: str, deadline: float) -> None:  # noqa: ARG002
        _message(program.ask(b"", deadline), 0.0)

    def question(self, question: Question) -> bytes:
        return pickle.dumps(ClassQuestion.of(question.table.game, question.limits))

    def read(self, line: bytes, question: Question, spent: float) -> Reply:  # noqa: ARG002
        message = _message(line, spent)
        if "garbage" in message:
            raise Fault("GARBAGE", f"answered with {message['garbage']}", message["shown"].encode(), spent)
        return Reply(message["move"].encode("utf-8", "replace"), spent, move=message["move"])

    def farewell(self, ending: Ending) -> bytes:  # noqa: ARG002
        """It learns of the end by its `close`."""
        return b""


def _message(line: bytes, spent: float) -> dict[str, Any]:
    """A line of the class's process; raises `Fault` if it reports an exception."""
    message: dict[str, Any] = json.loads(line)
    if "crash" in message:
        raise Fault("CRASH", message["crash"], seconds=spent)
    return message
