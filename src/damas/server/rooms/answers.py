"""Commands that wait for their answer, and the answers: `ack`, `nack` and `busy` as they are sent."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from damas.arbiter import Table
from damas.board import Color
from damas.server.messages import Command, content, encode
from damas.server.rooms import metrics
from damas.server.rooms.watchers import Watcher
from damas.server.store.rows import EventRow
from damas.views import plain
from damas.views.table import clock_view


@dataclass(frozen=True)
class Answer:
    """The answer to one command: an `ack`, a `nack` or a `busy`."""

    message: dict[str, Any]

    @property
    def kind(self) -> str:
        """ack, nack or busy."""
        return str(self.message["t"])


def ack(command: Command, table: Table, last: EventRow) -> Answer:
    """It is on disk."""
    clocks = plain(clock_view(table, table.now))
    return Answer({"t": "ack", "id": command.id, "seq": last.seq, "clocks": clocks, "chain": last.chain})


def nack(command: Command, code: str, error: dict[str, Any], seq: int) -> Answer:
    """It was refused; `error` is the object that explains it."""
    metrics.nacks.labels(code).inc()
    return Answer({"t": "nack", "id": command.id, "code": code, "seq": seq, "error": error})


def busy(command: Command, retry_ms: int) -> Answer:
    """It was not looked at; the same command may be sent again."""
    metrics.busy.inc()
    return Answer({"t": "busy", "id": command.id, "retry_ms": retry_ms})


@dataclass
class PendingCommand:
    """A command in a room's queue, and its sender, who waits for the answer."""

    command: Command
    sides: frozenset[Color]
    """Sides that the sender holds."""
    received: int
    """When it came, on the monotonic clock."""
    language: str
    watcher: Watcher | None
    answer: asyncio.Future[Answer]
    _answered: bool = False

    def reply(self, answer: Answer) -> None:
        """Sends the answer. Only the first counts: what goes wrong after it does not change it."""
        if self._answered:
            return
        self._answered = True
        if self.watcher:
            self.watcher.send(encode(answer.message))
        if not self.answer.done():
            self.answer.set_result(answer)


@dataclass
class FirstArrivals:
    """When a command that was answered `busy` first came: its sender is not charged for the wait (item 9)."""

    _by_side: dict[Color, tuple[str, str, int]] = field(default_factory=dict)
    """For each side the last such command: id, content and first arrival."""

    def first(self, pending: PendingCommand) -> int:
        """When the command first came, on the monotonic clock."""
        if not self._by_side:
            return pending.received
        same = pending.command.id, content(pending.command)
        earlier = [
            kept[2] for side in pending.sides if (kept := self._by_side.get(side)) and kept[:2] == same
        ]
        return min([pending.received, *earlier])

    def keep(self, pending: PendingCommand) -> None:
        """Remembers a command that is answered `busy`."""
        kept = pending.command.id, content(pending.command), self.first(pending)
        self._by_side |= dict.fromkeys(pending.sides, kept)

    def forget(self, pending: PendingCommand) -> None:
        """Forgets a command that is answered for good."""
        if self._by_side:
            answered = pending.command.id
            self._by_side = {side: kept for side, kept in self._by_side.items() if kept[0] != answered}
