"""What a command is answered with: `ack`, `nack` or `busy`, as it goes over the wire; and who waits for it."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from damas.arbiter import Table
from damas.board import Color
from damas.server.messages import Command, content, encode
from damas.server.rooms import measures
from damas.server.rooms.commands import Misplaced
from damas.server.rooms.watchers import Watcher
from damas.server.store.rows import EventRow
from damas.server.words import Words
from damas.views.table import clock_view


@dataclass(frozen=True)
class Answer:
    message: dict[str, Any]

    @property
    def kind(self) -> str:
        return str(self.message["t"])


def ack(command: Command, table: Table, last: EventRow) -> Answer:
    """It is on disk."""
    clocks = clock_view(table, table.now)
    return Answer({"t": "ack", "id": command.id, "seq": last.seq, "clocks": clocks, "chain": last.chain})


def nack(command: Command, code: str, error: dict[str, Any], seq: int) -> Answer:
    """It did not happen."""
    measures.nacks.labels(code).inc()
    return Answer({"t": "nack", "id": command.id, "code": code, "seq": seq, "error": error})


def busy(command: Command, retry_ms: int) -> Answer:
    """Not yet: the same again, please."""
    measures.busy.inc()
    return Answer({"t": "busy", "id": command.id, "retry_ms": retry_ms})


def said(words: Words, why: Misplaced, language: str) -> dict[str, Any]:
    """Why the room itself does not let a command through, in words."""
    message = words.say(f"rooms.{why.code}", language, **why.facts)
    return {"code": why.code, **why.facts, "message": message, "lang": language}


@dataclass
class Asked:
    """A command in the queue, with the moment at which it was received."""

    command: Command
    sides: frozenset[Color]
    received: int
    language: str
    watcher: Watcher | None
    answer: asyncio.Future[Answer]
    replied: bool = False

    def reply(self, answer: Answer) -> None:
        """The first answer is the answer: what goes wrong after it does not take it back."""
        if self.replied:
            return
        self.replied = True
        if self.watcher:
            self.watcher.send(encode(answer.message).decode())
        if not self.answer.done():
            self.answer.set_result(answer)


@dataclass
class Arrivals:
    """When a command that was sent away as busy first came: it is not charged for coming again (item 9)."""

    _slots: dict[Color, tuple[str, str, int]] = field(default_factory=dict)
    """Of each side: id, content and first arrival of the last one."""

    def first(self, asked: Asked) -> int:
        if not self._slots:
            return asked.received
        same = asked.command.id, content(asked.command)
        first = [slot[2] for side in asked.sides if (slot := self._slots.get(side)) and slot[:2] == same]
        return min([asked.received, *first])

    def keep(self, asked: Asked) -> None:
        slot = asked.command.id, content(asked.command), self.first(asked)
        self._slots |= dict.fromkeys(asked.sides, slot)

    def forget(self, asked: Asked) -> None:
        """It has been answered."""
        if self._slots:
            self._slots = {side: slot for side, slot in self._slots.items() if slot[0] != asked.command.id}
