"""Events on their way to the disk: many games in few statements, or one game alone.

Both ways fence: the owner's epoch is read under the transaction's lock, and an older epoch writes nothing. Both check
that the new events follow the last one on disk, number by number and hash by hash.
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

_EVENT = tuple("client_msg_id" if name == "client_id" else name for name in EventRow.__struct_fields__)
"""The columns of an event in the order of its fields."""

event_columns = tuple(schema.event.c[name] for name in _EVENT)

_tip = (
    select(schema.game.c.id, schema.game_owner.c.epoch, *(schema.game.c[name] for name in _HEAD))
    .join(schema.game_owner, schema.game_owner.c.game == schema.game.c.id)
    # In one order everywhere, so that two nodes never wait for each other; and both rows, or after a wait the summary
    # would still be the one from before it. (SQLite has one writer, and no such words.)
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
        _insert.write(connection, values)
    if changed:
        _update.write(connection, [_head_values(game, tips[game]) for game in sorted(changed)])
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


def insert_events(connection: Connection, game: str, rows: Sequence[EventRow]) -> None:
    """The first events of a game."""
    if rows:
        _insert.write(connection, event_values(game, rows))


def event_values(game: str, rows: Iterable[EventRow]) -> list[dict[str, Any]]:
    """As the table wants them."""
    return [dict(zip(_EVENT, msgspec.structs.astuple(row), strict=True)) | {"game": game} for row in rows]


def event_row(values: Sequence[Any]) -> EventRow:
    """Out of `event_columns`, as the table gives them."""
    return EventRow(**dict(zip(EventRow.__struct_fields__, values, strict=True)))


def _tips(connection: Connection, games: set[str]) -> dict[str, Tip]:
    found: Iterable[Sequence[Any]]
    if _one_tip.at_hand(connection):
        found = [row for game in games for row in _one_tip.read(connection, {"the_game": game})]
    else:  # each question is a journey: one for all
        found = connection.execute(_tip.where(schema.game.c.id.in_(sorted(games))))
    return {game: Tip(epoch, dict(zip(_HEAD, head, strict=True))) for game, epoch, *head in found}


def _head_values(game: str, tip: Tip) -> dict[str, Any]:
    return {"the_game": game} | {f"new_{name}": tip.head[name] for name in _HEAD}
