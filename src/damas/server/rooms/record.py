"""Games as rows of the store, and back: the opening table, events with their numbers, chain and clocks, the summary."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from damas.arbiter import (
    Event,
    Moved,
    Table,
    TakeBackGranted,
    draw_lots,
    from_json,
    regulation,
    replay,
    to_json,
)
from damas.board import Color
from damas.rules import rulebook
from damas.server.messages import content
from damas.server.rooms.answers import Answer, PendingCommand
from damas.server.rooms.seats import Seats
from damas.server.store.rows import NO_CHAIN, EventRow, GameRow, HeadUpdate, Status, link

_encode = msgspec.json.Encoder().encode


def seed_of(game: str) -> int:
    """The random seed of a game, the same whenever it is loaded."""
    return int.from_bytes(sha256(game.encode()).digest()[:6], "big")


def opening(head: GameRow) -> Table:
    """The table at which a game starts. Where colours are drawn by lot, the seed of the game is the lot."""
    seats = Seats.of(head)
    book = rulebook(head.rulebook)
    rules = regulation(head.preset).with_time(head.time_control)
    white, black = seats.white.player, seats.black.player
    if not rules.lot_under(book):
        return Table.start(book, rules, (white, black), fen=head.fen)
    seed = seed_of(head.id)
    players = (white, black) if draw_lots(seed) is Color.WHITE else (black, white)
    return Table.start(book, rules, players, fen=head.fen, lot=seed)


class StoredAnswer(msgspec.Struct, frozen=True):
    """The answer to a command as it is stored with its event, bound to the command's content and sender."""

    content: str
    message: dict[str, Any]
    by: list[str] = []
    """The sides of the sender. (Not the sender's id: visitors become accounts in the middle of a game.)"""

    @classmethod
    def of(cls, pending: PendingCommand, answer: Answer) -> "StoredAnswer":
        sides = sorted(side.value for side in pending.sides)
        return cls(content(pending.command), answer.message, sides)

    @classmethod
    def read(cls, row: EventRow | None) -> "StoredAnswer | None":
        return msgspec.json.decode(row.answer, type=cls) if row and row.answer else None

    @property
    def written(self) -> str:
        return _encode(self).decode()

    def given_to(self, sides: frozenset[Color]) -> bool:
        return set(self.by) == {side.value for side in sides}


def event_rows(
    events: Sequence[Event],
    table: Table,
    *,
    seq: int,
    chain: str,
    epoch: int,
    line: int,
    wall: int,
    mono: int,
    client_id: str | None = None,
) -> list[EventRow]:
    """The rows of new events that led to `table`, after event number `seq`, each chained to the one before.

    `line` counts earlier take-backs. The clocks are those after all of the events. The first row has the id of the
    command that caused them.
    """
    white, black = (table.clocks.remaining(side, table.now) for side in (Color.WHITE, Color.BLACK))
    rows: list[EventRow] = []
    for event in events:
        seq += 1
        row = EventRow(
            seq=seq,
            epoch=epoch,
            kind=event.kind,
            line=line,
            ply=table.ply,
            data=_encode(to_json(event)).decode(),
            wall_ms=wall,
            mono_ms=mono,
            white_ms=white,
            black_ms=black,
            client_id=None if rows else client_id,
        )
        chain = link(chain, row)
        rows.append(msgspec.structs.replace(row, chain=chain))
        line += isinstance(event, TakeBackGranted)
    return rows


def read_event(row: EventRow) -> Event:
    return from_json(msgspec.json.decode(row.data))


def table_of(rows: Sequence[EventRow]) -> Table:
    """The table after the events of these rows: the only way a game is loaded."""
    return replay([read_event(row) for row in rows])


def broken_link(rows: Sequence[EventRow]) -> int | None:
    """The number of the first event whose hash chain is wrong; None if all is well."""
    chain = NO_CHAIN
    for row in rows:
        if link(chain, row) != row.chain:
            return row.seq
        chain = row.chain
    return None


def time_left(rows: Sequence[EventRow], table: Table) -> list[int | None]:
    """For each ply that stands: the time left on its player's clock, from the rows that led there."""
    left: list[int | None] = []
    for row, event in zip(rows, table.events, strict=False):
        if isinstance(event, Moved):
            left += [None] * (row.ply - 1 - len(left))
            del left[row.ply - 1 :]
            left.append(row.white_ms if event.by is Color.WHITE else row.black_ms)
        del left[row.ply :]
    return left


def summary(table: Table, wall: int) -> HeadUpdate:
    """The summary of a game, for lists."""
    outcome = table.outcome
    return HeadUpdate(
        updated_ms=wall,
        status=status_of(table),
        plies=table.ply,
        fen=table.position.fen,
        result=outcome.result if outcome else None,
        reason=outcome.reason if outcome else None,
        article=outcome.citation.article if outcome else None,
    )


def status_of(table: Table) -> Status:
    if table.outcome is None:
        return "playing"
    return "aborted" if table.outcome.void else "over"


def updated(head: GameRow, change: HeadUpdate) -> GameRow:
    """The stored summary after a change."""
    given = {name: value for name in change.__struct_fields__ if (value := getattr(change, name)) is not None}
    return msgspec.structs.replace(head, **given)
