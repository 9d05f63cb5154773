"""Games as rows of the store: the opening table, stored answers, time left on the clocks, the summary."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from damas.arbiter import (
    Corrected,
    Moved,
    Restored,
    Table,
    draw_lots,
    regulation,
)
from damas.board import Color
from damas.rules.library import edition
from damas.server.rooms.seats import Seats
from damas.server.store.rows import EventRow, GameRow, HeadUpdate, Status


def seed_of(game: str) -> int:
    """The random seed of a game, the same whenever it is loaded."""
    return int.from_bytes(sha256(game.encode()).digest()[:6], "big")


def opening(head: GameRow, lot: int | None = None) -> Table:
    """The table at which a game starts. Where colours are drawn by lot, the seed of the game is the lot, unless they have
    been drawn by another.
    """
    seats = Seats.of(head)
    book = edition(head.rulebook, head.rulebook_hash)
    rules = regulation(head.preset).with_time(head.time_control)
    white, black = seats.white.player, seats.black.player
    if not rules.lot_under(book):
        return Table.start(book, rules, (white, black), fen=head.fen)
    seed = seed_of(head.id) if lot is None else lot
    players = (white, black) if draw_lots(seed) is Color.WHITE else (black, white)
    return Table.start(book, rules, players, fen=head.fen, lot=seed)


class StoredAnswer(msgspec.Struct, frozen=True):
    """The answer to a command as it is stored with its event, bound to the command's content and sender."""

    content: str
    message: dict[str, Any]
    by: list[str] = []
    """The sides of the sender. (Not the sender's id: visitors become accounts in the middle of a game.)"""

    @classmethod
    def read(cls, row: EventRow | None) -> "StoredAnswer | None":
        """The answer in the row of an event, if it has one."""
        return msgspec.json.decode(row.answer, type=cls) if row and row.answer else None

    def given_to(self, sides: frozenset[Color]) -> bool:
        """Whether a sender with these sides got it."""
        return set(self.by) == {side.value for side in sides}


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
    head = HeadUpdate(updated_ms=wall, status=status_of(table), plies=table.ply, fen=table.position.fen)
    if outcome:
        facts = (outcome.result, outcome.reason, outcome.citation.article)
    elif any(isinstance(table.events[n], Corrected | Restored) for n in table.notable):
        facts = ("*", "", "")  # the arbiter may have taken a result away
    else:
        return head
    return msgspec.structs.replace(head, **dict(zip(("result", "reason", "article"), facts, strict=True)))


def terms(head: GameRow) -> dict[str, str]:
    """What a game is played by, as lists and programs read it."""
    return {"rulebook": head.rulebook, "time": head.time_control, "preset": head.preset}


def status_of(table: Table) -> Status:
    """playing, over, or aborted where there is no result."""
    if table.outcome is None:
        return "playing"
    return "aborted" if table.outcome.void else "over"


def updated(head: GameRow, change: HeadUpdate) -> GameRow:
    """The stored summary after a change."""
    given = {name: value for name in change.__struct_fields__ if (value := getattr(change, name)) is not None}
    return msgspec.structs.replace(head, **given)
