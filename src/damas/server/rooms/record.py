"""Events on their way to the store and back: rows with their numbers, chain and clocks, and the summary of a game."""

from collections.abc import Sequence
from typing import Any

import msgspec

from damas.arbiter import Event, Moved, Table, TakeBackGranted, from_json, replay, to_json
from damas.board import Color
from damas.server.store.rows import NO_CHAIN, EventRow, GameRow, HeadUpdate, Status, link

_encode = msgspec.json.Encoder().encode


class Kept(msgspec.Struct, frozen=True):
    """The answer to a command as its event keeps it, bound to what was asked and by whom."""

    content: str
    message: dict[str, Any]
    by: list[str] = []
    """The sides of the sender. (Not who it is: people make accounts in the middle of a game.)"""

    @classmethod
    def read(cls, row: EventRow | None) -> "Kept | None":
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
    """The rows of events that led to `table`, after event number `seq`, each chained to the one before.

    The clocks of a row are those after the whole of it was done, to the millisecond. The first row bears the id of the
    message that caused them all.
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
    """The game played again from its rows: the only way one is loaded."""
    return replay([read_event(row) for row in rows])


def broken_link(rows: Sequence[EventRow]) -> int | None:
    """The number of the first event whose chain is not what it should be."""
    chain = NO_CHAIN
    for row in rows:
        if link(chain, row) != row.chain:
            return row.seq
        chain = row.chain
    return None


def line_after(rows: Sequence[EventRow]) -> int:
    """How many take-backs there have been."""
    return sum(row.kind == TakeBackGranted.kind for row in rows)


def time_left(rows: Sequence[EventRow], table: Table) -> list[int | None]:
    """What each ply of the game as it stands left on the clock of the player who made it, by the rows that led there."""
    left: list[int | None] = []
    for row, event in zip(rows, table.events, strict=False):
        if isinstance(event, Moved):
            left += [None] * (row.ply - 1 - len(left))
            del left[row.ply - 1 :]
            left.append(row.white_ms if event.by is Color.WHITE else row.black_ms)
        del left[row.ply :]
    return left


def summary(table: Table, wall: int) -> HeadUpdate:
    """What lists say of a game."""
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
    """The summary as the store has it after a change."""
    given = {name: value for name in change.__struct_fields__ if (value := getattr(change, name)) is not None}
    return msgspec.structs.replace(head, **given)
