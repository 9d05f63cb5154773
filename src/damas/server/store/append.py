"""Appending events: for many games in few statements, or for one game alone.

Both are fenced: the owner's epoch is read under the transaction's lock, and an older epoch writes nothing. Both check by
number and hash that the new events follow the last one on disk.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from damas.server.store import schema
from damas.server.store.dialects import Statement
from damas.server.store.errors import BrokenChain, DuplicateEvent, StaleOwner, UnknownGame, WriteRefused
from damas.server.store.rows import EventRow, HeadUpdate, linked

_SUMMARY = HeadUpdate.__struct_fields__
_HEAD = (*_SUMMARY, "seq", "chain")

_EVENT = EventRow.__struct_encode_fields__
"""The columns of an event in the order of its fields."""

event_columns = tuple(schema.event.c[name] for name in _EVENT)
"""Columns of the table in the order of the fields of `EventRow`."""

_tip = (
    select(schema.game.c.id, schema.game_owner.c.epoch, *(schema.game.c[name] for name in _HEAD))
    .join(schema.game_owner, schema.game_owner.c.game == schema.game.c.id)
    # In one order everywhere, so that two nodes cannot deadlock; and both rows, or after a wait the summary would still
    # be the old one. (SQLite has one writer and no row locks.)
    .order_by(schema.game.c.id)
    .with_for_update(of=[schema.game_owner, schema.game])
)
_one_tip = Statement(_tip.where(schema.game.c.id == bindparam("the_game")))
_insert = Statement(insert(schema.event).values({name: bindparam(name) for name in ("game", *_EVENT)}))
_update = Statement(
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
    follows: str | None = None
    """The chain to which the events are already linked, so that their hashes are not computed again; None: not linked."""


@dataclass
class Tip:
    """The end of a game on disk, as this transaction sees it."""

    epoch: int
    head: dict[str, Any]

    def advance(self, append: Append) -> list[EventRow]:
        """The rows to write; moves the tip to the last of them. Raises `WriteRefused` and stays as it is."""
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
        rows = self._linked(append)
        if append.head is not None:
            self.head |= {
                name: value for name in _SUMMARY if (value := getattr(append.head, name)) is not None
            }
        if rows:
            self.head |= {"seq": rows[-1].seq, "chain": rows[-1].chain}
        return rows

    def _linked(self, append: Append) -> list[EventRow]:
        """The events with their chain. Raises `BrokenChain` if they follow another event than the last one on disk."""
        chain, last = self.head["chain"], self.head["seq"]
        if append.follows is not None:
            if append.follows != chain:
                raise BrokenChain(append.game, last + 1, last)
            return list(append.events)
        rows = linked(chain, append.events)
        for row, event in zip(rows, append.events, strict=True):
            if event.chain and event.chain != row.chain:
                raise BrokenChain(append.game, event.seq, last)
        return rows


def append_many(connection: Connection, appends: Sequence[Append]) -> list[list[EventRow] | WriteRefused]:
    """Appends all in three statements; a refusal takes the place of its rows in the result.

    A violated constraint raises `IntegrityError` for all: the caller rolls back and tries each with `append_one`.
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
        _insert.write(connection, values)
    if changed:
        _update.write(connection, [_head_values(game, tips[game]) for game in sorted(changed)])
    return results


def append_one(connection: Connection, append: Append) -> list[EventRow]:
    """Appends to one game. Raises `WriteRefused`."""
    try:
        (result,) = append_many(connection, [append])
    except IntegrityError as error:
        raise DuplicateEvent(append.game, append.events[0].seq) from error
    if isinstance(result, WriteRefused):
        raise result
    return result


def fence(connection: Connection, game: str, epoch: int) -> None:
    """Raises unless `epoch` is the game's; nobody can take the game before the transaction ends."""
    tips = _tips(connection, {game})
    if game not in tips:
        raise UnknownGame(game)
    if tips[game].epoch != epoch:
        raise StaleOwner(game, epoch, tips[game].epoch)


def insert_events(connection: Connection, game: str, rows: Sequence[EventRow]) -> None:
    """The first events of a game."""
    if rows:
        _insert.write(connection, event_values(game, rows))


def event_values(game: str, rows: Iterable[EventRow]) -> list[dict[str, Any]]:
    """Rows as parameters of the insert."""
    return [dict(zip(_EVENT, msgspec.structs.astuple(row), strict=True)) | {"game": game} for row in rows]


def event_row(values: Sequence[Any]) -> EventRow:
    """A row from the values of `event_columns`."""
    return EventRow(**dict(zip(EventRow.__struct_fields__, values, strict=True)))


def _tips(connection: Connection, games: set[str]) -> dict[str, Tip]:
    tips: Iterable[Sequence[Any]]
    if _one_tip.is_local(connection):
        tips = [row for game in games for row in _one_tip.read(connection, {"the_game": game})]
    else:  # each query is a round trip: one for all games
        tips = connection.execute(_tip.where(schema.game.c.id.in_(sorted(games))))
    return {game: Tip(epoch, dict(zip(_HEAD, head, strict=True))) for game, epoch, *head in tips}


def _head_values(game: str, tip: Tip) -> dict[str, Any]:
    return {"the_game": game} | {f"new_{name}": tip.head[name] for name in _HEAD}
