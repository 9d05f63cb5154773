"""Stored opening statistics: of all public games of this server, and of each person's own games by side.

Beside the counts stands what each game has added to them. Both are written in one transaction, so a game counts once
whatever happens; one that went on after its end is taken out again by what it had added.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from damas.server.store import schema
from damas.server.store.database import Database
from damas.server.store.dialects import add_to
from damas.server.store.rows import GameRow
from damas.server.store.writer import Writer

_move, _counted, _game = schema.opening_move, schema.opening_game, schema.game

EVERYBODY = ("", "")
"""Person and side under which the public games of all are counted."""
RESULTS = {"1-0": "white", "1/2-1/2": "draws", "0-1": "black"}
"""The column of each result."""
_KEY_CHARS = 16


class OpeningCount(msgspec.Struct, frozen=True, kw_only=True):
    """How games went on from a position by one move."""

    side: str
    """The side of the person whose games they are; empty for those of all."""
    after: int
    """Key of the position after the move."""
    white: int
    draws: int
    black: int


class Openings:
    """`store.openings`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def uncounted(self, since_ms: int, most: int) -> list[tuple[str, int]]:
        """Ids and last changes of finished games that are not counted as they are now, in the order of these changes."""
        query = (
            select(_game.c.id, _game.c.updated_ms)
            .outerjoin(_counted, _counted.c.game == _game.c.id)
            .where(
                _game.c.status == "over",
                _game.c.result.in_(tuple(RESULTS)),
                _game.c.updated_ms >= since_ms,
                or_(_counted.c.game.is_(None), _counted.c.seq < _game.c.seq),
            )
            .order_by(_game.c.updated_ms, _game.c.id)
            .limit(most)
        )
        return [(row.id, row.updated_ms) for row in await self._database.rows(query)]

    async def last_counted_ms(self) -> int:
        """The last change of the game that was changed last of those that are counted; 0 without any."""
        row = await self._database.row(select(func.max(_counted.c.updated_ms).label("last")))
        return int(row.last) if row is not None and row.last else 0

    async def count(self, game: GameRow, keys: Sequence[int]) -> None:
        """Counts a game by the keys of its first positions, in place of what it has added before."""
        values = {
            "game": game.id,
            "seq": game.seq,
            "updated_ms": game.updated_ms,
            "result": game.result,
            "keys": "".join(f"{key % (1 << 64):016x}" for key in keys),
        }

        def work(connection: Connection) -> None:
            before = _counted_row(connection, game.id)
            if before is not None:
                if before.seq >= game.seq:
                    return
                _add(connection, game, before.result, keys_in(before._mapping["keys"]), -1)
                connection.execute(delete(_counted).where(_counted.c.game == game.id))
            try:
                connection.execute(insert(_counted).values(values))
            except IntegrityError:  # another node was first: its transaction has counted the game
                raise AlreadyCounted(game.id) from None
            _add(connection, game, game.result or "", keys, 1)

        await self._writer.do(work)

    async def moves(self, person: str, key: int) -> list[OpeningCount]:
        """What was played in a position, in the games of a person, or in those of all for an empty one."""
        columns = [_move.c[name] for name in OpeningCount.__struct_fields__]
        query = select(*columns).where(_move.c.person == person, _move.c.position == key)
        return [OpeningCount(**row._mapping) for row in await self._database.rows(query)]


class AlreadyCounted(Exception):
    """Another node has counted the game."""


def adopt_openings(connection: Connection, visitor: str, account: str) -> None:
    """Adds the counts of a visitor's games to those of an account."""
    rows = connection.execute(select(_move).where(_move.c.person == visitor)).all()
    for row in rows:
        add_to(connection, _move, {**row._mapping, "person": account}, tuple(RESULTS.values()))
    connection.execute(delete(_move).where(_move.c.person == visitor))


def _counted_row(connection: Connection, game: str) -> Any:
    return connection.execute(select(_counted).where(_counted.c.game == game)).one_or_none()


def _add(connection: Connection, game: GameRow, result: str, keys: Sequence[int], sign: int) -> None:
    """Adds a game to the counts (1), or takes it out of them (-1)."""
    column = RESULTS[result]
    counted: list[tuple[str, str]] = [EVERYBODY] if game.public else []
    seats = (("white", game.white_id, game.white_kind), ("black", game.black_id, game.black_kind))
    counted += [(person, side) for side, person, kind in seats if person and kind == "person"]
    for person, side in counted:
        # A position that a game repeats counts once in it; in one order, so that two nodes cannot deadlock.
        for position, after in sorted(set(pairwise(keys))):
            place = {"person": person, "side": side, "position": position, "after": after}
            if sign > 0:
                zeros = dict.fromkeys(RESULTS.values(), 0)
                add_to(connection, _move, {**place, **zeros, column: 1}, (column,))
            else:
                this = and_(*(_move.c[name] == value for name, value in place.items()))
                connection.execute(update(_move).where(this).values({column: _move.c[column] - 1}))


def keys_in(text: str) -> list[int]:
    """The keys in a text of `opening_game`."""
    words: Collection[str] = [text[place : place + _KEY_CHARS] for place in range(0, len(text), _KEY_CHARS)]
    return [int.from_bytes(bytes.fromhex(word), signed=True) for word in words]
