"""What is decided and stored in one game: the arbiter's table, and the events on disk from which it follows.

The arbiter decides (`decide`), the store commits (`write`), memory follows (`follow`), always in this order: `table` is
never ahead of the disk.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from damas.arbiter import Event, Moved, ProcedureRefused, Refused, Table, to_json
from damas.board import Color
from damas.errors import DamasError
from damas.server.messages import content
from damas.server.rooms.answers import Answer, PendingCommand
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.commands import SET_BACK, CommandRefused, Milestones
from damas.server.rooms.record import StoredAnswer, summary, updated
from damas.server.rooms.seats import Seats
from damas.server.store.errors import StoreBusy, StoreFailed, WriteRefused
from damas.server.store.games import Games
from damas.server.store.rows import EventRow, GameRow, HeadUpdate, link

_encode = msgspec.json.Encoder().encode


class Busy(Exception):
    """Nothing was written: the store takes no more now, or the room is being loaded again. Try again later."""

    def __init__(self, retry_ms: int) -> None:
        super().__init__(retry_ms)
        self.retry_ms = retry_ms


class GameLost(Exception):
    """The disk has other events than memory, or another server process owns the game."""


class Decision(NamedTuple):
    """What the arbiter makes of an event."""

    table: Table
    events: tuple[Event, ...]
    """The new events; none where nothing is written."""
    refusal: DamasError | None


@dataclass(frozen=True)
class Commit:
    """New events on their way to the disk, and what is true once they are there."""

    table: Table
    events: Sequence[Event]
    rows: list[EventRow]
    head: HeadUpdate
    answer: Answer | None


class Ledger:
    """One game as it is on disk. A game that waits for its second player has no events."""

    def __init__(
        self, games: Games, head: GameRow, table: Table, rows: Sequence[EventRow], epoch: int
    ) -> None:
        self._games = games
        self.head = head
        self.seats = Seats.of(head)
        self.table = table
        self.epoch = epoch
        """Number of this ownership; the store refuses writes of an older one."""
        self.seq = rows[-1].seq if rows else 0
        self.chain = rows[-1].chain if rows else ""
        self.paused: str | None = None
        """Why nothing can be written now, in the database's words."""
        self.next_game: str | None = None
        """Id of the rematch, once it is on disk."""
        self.milestones = Milestones()
        self._lines = 0
        """Take-backs, and positions set by the arbiter: a ply is played once in each line."""
        self._command_ids: set[str] = set()
        self._note(table.events, rows)

    @property
    def id(self) -> str:
        """The game's id."""
        return self.head.id

    @property
    def waiting(self) -> bool:
        """Whether the second player is still to come."""
        return self.head.status == "waiting"

    def _note(self, events: Sequence[Event], rows: Sequence[EventRow]) -> None:
        for event, row in zip(events, rows, strict=False):
            self.milestones.note(event, row.seq)
            if row.client_id:
                self._command_ids.add(row.client_id)
            self._lines += isinstance(event, SET_BACK)

    def set_head(self, **fields: str | None) -> None:
        """Follows a change of the stored summary."""
        self.head = msgspec.structs.replace(self.head, **fields)
        self.seats = Seats.of(self.head)

    # The arbiter decides

    def decide(self, *events: Event) -> Decision:
        """The table after these events; the first that is refused ends them."""
        table, refusal = self.table, None
        for event in events:
            try:
                table = table.apply(event)
            except ProcedureRefused as refused:
                table, refusal = refused.table or table, refused
                break
        new = table.events[len(self.table.events) :]
        return Decision(table, new, refusal or self._written_refusal(new))

    def _written_refusal(self, events: Sequence[Event]) -> DamasError | None:
        """Why a move was refused that also ended the game: a late one, or an illegal one that loses."""
        first = events[0] if events else None
        if not isinstance(first, Refused):
            return None
        if isinstance(first.attempt, Moved) and first.code != "FLAG":
            reading = self.table.reading(first.attempt)
            if isinstance(reading, DamasError):
                return reading
        side = self.table.clocks.running or self.table.to_move
        return ProcedureRefused(first.code, color=side, move=getattr(first.attempt, "move", ""))

    def knows(self, command_id: str) -> bool:
        """Whether a command with this id has been answered."""
        return command_id in self._command_ids

    async def stored_answer(self, pending: PendingCommand) -> Answer:
        """The answer that the same player's same command got before (item 6a)."""
        stored = StoredAnswer.read(await self._games.by_client_id(self.id, pending.command.id))
        if stored is None or stored.content != content(pending.command) or not stored.given_to(pending.sides):
            raise CommandRefused("ID_REUSED")
        return Answer(stored.message)

    # The store commits

    def prepare(
        self,
        table: Table,
        events: Sequence[Event],
        time: MachineTime,
        pending: PendingCommand | None = None,
        answer: Callable[[EventRow], Answer] | None = None,
    ) -> Commit:
        """The rows of new events, each chained to the one before, with the answer to the command that caused them.

        The clocks are those after all of the events; the first row has the id of the command.
        """
        white, black = (table.clocks.remaining(side, table.now) for side in (Color.WHITE, Color.BLACK))
        wall, mono = time.wall_ms(), time.mono_ms()
        chain, line = self.chain, self._lines
        rows: list[EventRow] = []
        for seq, event in enumerate(events, start=self.seq + 1):
            row = EventRow(
                seq=seq,
                epoch=self.epoch,
                kind=event.kind,
                line=line,
                ply=table.ply,
                data=_encode(to_json(event)).decode(),
                wall_ms=wall,
                mono_ms=mono,
                white_ms=white,
                black_ms=black,
                client_id=pending.command.id if pending and not rows else None,
            )
            chain = link(chain, row)
            rows.append(msgspec.structs.replace(row, chain=chain))
            line += isinstance(event, SET_BACK)
        given = answer(rows[-1]) if answer else None
        if pending and given:
            sides = sorted(side.value for side in pending.sides)
            stored = StoredAnswer(content(pending.command), given.message, sides)
            rows[0] = msgspec.structs.replace(rows[0], answer=_encode(stored).decode())
        return Commit(table, events, rows, summary(table, wall), given)

    async def write(self, commit: Commit, *, again: bool) -> str | None:
        """Tries once to get a commit to the disk: None if it is there, else the reason of the failure.

        After a failure whose outcome is unknown, call it `again`: the disk is read first (item 10). Raises `Busy` where
        it is certain that nothing was written, and `GameLost`.
        """
        if again and await self._has(commit.rows):
            return None
        try:
            await self._games.append(self.id, self.epoch, commit.rows, commit.head, follows=self.chain)
        except StoreBusy as busy:
            if not again:
                raise Busy(busy.retry_ms) from None
            return "busy"
        except WriteRefused as refused:
            if not await self._has(commit.rows):
                raise GameLost(str(refused)) from refused
        except StoreFailed as failed:
            return failed.reason
        return None

    async def _has(self, rows: Sequence[EventRow]) -> bool:
        """Whether these events are on disk. If that cannot be read, appending again tells: an event is written once."""
        try:
            stored = await self._games.events(self.id, after=rows[0].seq - 1)
        except StoreFailed:
            return False
        return [row.chain for row in stored[: len(rows)]] == [row.chain for row in rows]

    # Memory follows

    def follow(self, commit: Commit) -> None:
        """Takes over what has been committed."""
        self.table = commit.table
        self._note(commit.events, commit.rows)
        self.seq, self.chain = commit.rows[-1].seq, commit.rows[-1].chain
        self.head = updated(self.head, commit.head)
