"""Events on their way to the disk: many games in few statements, or one game alone.

Both ways fence: the owner's epoch is read under the transaction's lock, and an older epoch writes nothing. Both check
that the new events follow the last one on disk, number by number and hash by hash.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from damas.server.store import schema
from damas.server.store.errors import BrokenChain, DuplicateEvent, StaleOwner, UnknownGame, WriteRefused
from damas.server.store.rows import EventRow, HeadUpdate, linked

_SUMMARY = HeadUpdate.__struct_fields__
_HEAD = (*_SUMMARY, "seq", "chain")

_insert = insert(schema.event)
_update = (
    update(schema.game)
    .where(schema.game.c.id == bindparam("the_game"))
    .values({name: bindparam(f"new_{name}") for name in _HEAD})
)


@dataclass(frozen=True)
class Append:
    """Events for one game, under the epoch of its owner."""

    game: str
    epoch: int
    events: Sequence[EventRow]
    head: HeadUpdate | None


@dataclass
class Tip:
    """The end of a game on disk, as this transaction sees it."""

    epoch: int
    head: dict[str, Any]

    def advance(self, append: Append) -> list[EventRow]:
        """The rows to write, and the tip moved on to the last of them. Raises `WriteRefused` and stays where it is."""
        if self.epoch != append.epoch:
            raise StaleOwner(append.game, append.epoch, self.epoch)
        last: int = self.head["seq"]
        for offset, event in enumerate(append.events):
            if event.epoch != append.epoch:
                raise StaleOwner(append.game, event.epoch, self.epoch)
            if event.seq <= last:
                raise DuplicateEvent(append.game, event.seq)
            if event.seq != last + 1 + offset:
                raise BrokenChain(append.game, event.seq, last)
        rows = linked(self.head["chain"], append.events)
        for row, event in zip(rows, append.events, strict=True):
            if event.chain and event.chain != row.chain:
                raise BrokenChain(append.game, event.seq, last)
        if append.head is not None:
            self.head |= {
                name: value for name in _SUMMARY if (value := getattr(append.head, name)) is not None
            }
        if rows:
            self.head |= {"seq": rows[-1].seq, "chain": rows[-1].chain}
        return rows


def append_many(connection: Connection, appends: Sequence[Append]) -> list[list[EventRow] | WriteRefused]:
    """All of them in three statements, whatever their number; what is refused stands at its place in the list.

    A broken uniqueness raises `IntegrityError` for all: then the transaction is undone and each is tried by
    `append_one`.
    """
    tips = _tips(connection, {append.game for append in appends})
    results: list[list[EventRow] | WriteRefused] = []
    values: list[dict[str, Any]] = []
    changed: set[str] = set()
    for append in appends:
        try:
            if append.game not in tips:
                raise UnknownGame(append.game)
            rows = tips[append.game].advance(append)
        except WriteRefused as refused:
            results.append(refused)
            continue
        results.append(rows)
        values += event_values(append.game, rows)
        changed.add(append.game)
    if values:
        connection.execute(_insert, values)
    if changed:
        connection.execute(_update, [_head_values(game, tips[game]) for game in sorted(changed)])
    return results


def append_one(connection: Connection, append: Append) -> list[EventRow]:
    """One game alone. Raises `WriteRefused`."""
    try:
        (result,) = append_many(connection, [append])
    except IntegrityError as error:
        raise DuplicateEvent(append.game, append.events[0].seq) from error
    if isinstance(result, WriteRefused):
        raise result
    return result


def fence(connection: Connection, game: str, epoch: int) -> None:
    """Raises unless `epoch` is the game's; nobody can take the game before this transaction ends."""
    tips = _tips(connection, {game})
    if game not in tips:
        raise UnknownGame(game)
    if tips[game].epoch != epoch:
        raise StaleOwner(game, epoch, tips[game].epoch)


def event_values(game: str, rows: Iterable[EventRow]) -> list[dict[str, Any]]:
    """As the table wants them."""
    values = []
    for row in rows:
        value = msgspec.structs.asdict(row)
        value["client_msg_id"] = value.pop("client_id")
        value["game"] = game
        values.append(value)
    return values


def event_row(values: RowMapping) -> EventRow:
    """As the table gives them."""
    given: dict[str, Any] = dict(values)
    given["client_id"] = given.pop("client_msg_id")
    del given["game"]
    return EventRow(**given)


def _tips(connection: Connection, games: set[str]) -> dict[str, Tip]:
    game, owner = schema.game, schema.game_owner
    wanted = (
        select(game.c.id, owner.c.epoch, *(game.c[name] for name in _HEAD))
        .join(owner, owner.c.game == game.c.id)
        .where(game.c.id.in_(sorted(games)))
        # In one order everywhere, so that two nodes never wait for each other; and both rows, or after a wait the
        # summary would still be the one from before it. (SQLite has one writer, and no such words.)
        .order_by(game.c.id)
        .with_for_update(of=[owner, game])
    )
    found = connection.execute(wanted)
    return {row.id: Tip(row.epoch, {name: getattr(row, name) for name in _HEAD}) for row in found}


def _head_values(game: str, tip: Tip) -> dict[str, Any]:
    return {"the_game": game} | {f"new_{name}": tip.head[name] for name in _HEAD}
