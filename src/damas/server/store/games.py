"""Stored games: their events, from which everything follows, and their summaries for lists.

A game whose summary or events are damaged is left out of lists, and asking for it raises `DamagedGame`. It is named in the
log once, and counted in the metrics.
"""

import logging
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, and_, delete, func, insert, or_, select, tuple_, update

from damas.server.store import schema
from damas.server.store.append import Append, event_columns, event_row, fence, insert_events
from damas.server.store.database import Database
from damas.server.store.dialects import now_ms
from damas.server.store.errors import DamagedGame, SeatTaken, UnknownGame, WriteRefused
from damas.server.store.nodes import Taken, sign_of_life
from damas.server.store.rows import (
    FIRST_EPOCH,
    NO_CHAIN,
    ChatLine,
    EventRow,
    Filter,
    GameRow,
    HeadUpdate,
    LinkHolder,
    Side,
    broken_link,
    is_text,
    linked,
)
from damas.server.store.writer import Writer

log = logging.getLogger("damas.store")

_game, _event, _owner = schema.game, schema.event, schema.game_owner
_chat, _alive = schema.chat, schema.alive


class Games:
    """`store.games`. Every write returns after its COMMIT; `writer` says what else can happen."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._lease_ms = int(database.settings.limits.lease_s * 1000)
        self._page = database.settings.limits.page_size
        self._chat_lines = database.settings.limits.chat_lines
        self.damaged: dict[str, DamagedGame] = {}
        """Games that were found to be damaged since the start, and why."""

    # Writing

    async def create(
        self, game: GameRow, first_events: Sequence[EventRow] = (), *, node: str = ""
    ) -> list[EventRow]:
        """Stores a new game and its first events in one transaction; returns the events with their chain.

        With a `node` the game belongs to it at epoch `FIRST_EPOCH`, which the events must carry; without one it waits
        for somebody to `take` it. Raises `WriteRefused` when the id is there already.
        """
        rows = linked(NO_CHAIN, first_events)
        if any(row.seq != number or row.epoch != FIRST_EPOCH for number, row in enumerate(rows, start=1)):
            raise WriteRefused(
                f"the first events of game {game.id} are not numbered from 1 in epoch {FIRST_EPOCH}"
            )
        values = msgspec.structs.asdict(game)
        values |= {"seq": len(rows), "chain": rows[-1].chain if rows else NO_CHAIN}

        def work(connection: Connection) -> list[EventRow]:
            if connection.scalar(select(_game.c.id).where(_game.c.id == game.id)) is not None:
                raise WriteRefused(f"there is a game {game.id} already")
            connection.execute(insert(_game).values(values))
            lease = connection.scalar(select(now_ms(connection))) + self._lease_ms if node else 0
            connection.execute(
                insert(_owner).values(game=game.id, node=node, epoch=FIRST_EPOCH, lease_until_ms=lease)
            )
            insert_events(connection, game.id, rows)
            return rows

        return await self._writer.do(work)

    async def append(
        self,
        game_id: str,
        epoch: int,
        events: Sequence[EventRow],
        head: HeadUpdate | None = None,
        *,
        follows: str | None = None,
    ) -> list[EventRow]:
        """Adds events, all or none, and returns them with their chain. `follows`: they are linked to this chain already.

        Raises `StaleOwner`, `DuplicateEvent`, `BrokenChain` or `UnknownGame` (nothing was written), `StoreBusy`
        (neither), and `StoreFailed`, after which only `by_client_id` says what happened.
        """
        return await self._writer.append(Append(game_id, epoch, tuple(events), head, follows))

    async def take(self, games: Sequence[str], node: str) -> dict[str, int]:
        """Makes `node` the owner of these games, and returns their new epochs: see `take_over`."""
        return {game: taken.epoch for game, taken in (await self.take_over(games, node)).items()}

    async def take_over(
        self, games: Sequence[str], node: str, *, skip_locked: bool = False
    ) -> dict[str, Taken]:
        """Makes `node` the owner of these games; former owners can no longer write.

        A game that another node holds, whose lease has not ended by the database's clock, is left out; so is one whose
        owner's row is damaged, which is set aside, and with `skip_locked` one that another node is taking now.
        """

        def work(connection: Connection) -> tuple[dict[str, Taken], list[str]]:
            now: int = connection.scalar(select(now_ms(connection)))
            # Locked, so that a node that renews an expired lease waits, and then sees which games it has lost.
            ended = connection.execute(
                select(_alive).where(_alive.c.lease_until_ms <= now).with_for_update(read=True)
            ).all()
            beats = {row.node: sign_of_life(row) for row in ended}
            unknown = ~select(_alive.c.node).where(_alive.c.node == _owner.c.node).exists()
            dead = and_(_owner.c.lease_until_ms <= now, or_(_owner.c.node.in_(beats), unknown))
            query = (
                select(_owner.c.game, _owner.c.epoch, _owner.c.node)
                .where(_owner.c.game.in_(games), or_(_owner.c.node == node, dead))
                .order_by(_owner.c.game)
                .with_for_update(skip_locked=skip_locked)
            )
            rows = connection.execute(query).all()
            taken = {
                row.game: Taken(row.epoch + 1, row.node, beats.get(row.node))
                for row in rows
                if isinstance(row.epoch, int)
            }
            new = {"node": node, "epoch": _owner.c.epoch + 1, "lease_until_ms": now + self._lease_ms}
            connection.execute(update(_owner).where(_owner.c.game.in_(taken)).values(new))
            return taken, [row.game for row in rows if row.game not in taken]

        taken, damaged = await self._writer.do(work)
        for game in damaged:
            self.set_aside(DamagedGame("store.bad_owner", game))
        return taken

    async def set_seat(
        self, game_id: str, epoch: int, side: Side, person: str, name: str, kind: str = "person"
    ) -> None:
        """Gives a free seat to somebody, or renames its holder. Raises `SeatTaken`, `StaleOwner`, `UnknownGame`."""
        seat = _game.c[f"{side}_id"]

        def work(connection: Connection) -> None:
            fence(connection, game_id, epoch)
            done = connection.execute(
                update(_game)
                .where(_game.c.id == game_id, or_(seat.is_(None), seat == person))
                .values({f"{side}_id": person, f"{side}_name": name, f"{side}_kind": kind})
            )
            if done.rowcount != 1:
                raise SeatTaken(f"game {game_id}: somebody else plays {side}")

        await self._writer.do(work)

    async def set_arbiter_link(self, game_id: str, epoch: int, holder: LinkHolder) -> None:
        """Notes who has the arbiter's link. Raises `StaleOwner`, `UnknownGame`."""

        def work(connection: Connection) -> None:
            fence(connection, game_id, epoch)
            connection.execute(update(_game).where(_game.c.id == game_id).values(arbiter_link=holder))

        await self._writer.do(work)

    async def say(self, game_id: str, person: str, name: str, text: str, wall_ms: int) -> ChatLine:
        """Stores a line of chat; only the last `Limits.chat_lines` of a game are kept."""

        def work(connection: Connection) -> ChatLine:
            if connection.scalar(select(_game.c.id).where(_game.c.id == game_id)) is None:
                raise UnknownGame(game_id)
            last = connection.scalar(select(func.max(_chat.c.number)).where(_chat.c.game == game_id))
            line = ChatLine(number=(last or 0) + 1, person=person, name=name, text=text, wall_ms=wall_ms)
            connection.execute(insert(_chat).values(game=game_id, **msgspec.structs.asdict(line)))
            connection.execute(
                delete(_chat).where(_chat.c.game == game_id, _chat.c.number <= line.number - self._chat_lines)
            )
            return line

        return await self._writer.do(work)

    # Reading

    async def events(self, game_id: str, after: int = 0) -> list[EventRow]:
        """The events with a number greater than `after`, in order."""
        query = (
            select(*event_columns)
            .where(_event.c.game == game_id, _event.c.seq > after)
            .order_by(_event.c.seq)
        )
        rows = [event_row(row) for row in await self._database.rows(query)]
        if not all(is_text(row.data) and is_text(row.chain) for row in rows):
            raise self.set_aside(DamagedGame("store.not_text", game_id))
        return rows

    async def history(self, game_id: str) -> tuple[GameRow, list[EventRow]]:
        """The summary and all events of a game at one moment, the chain checked. Raises `UnknownGame`, `DamagedGame`."""
        head_query = select(_game).where(_game.c.id == game_id)
        query = select(*event_columns).where(_event.c.game == game_id).order_by(_event.c.seq)

        def read(connection: Connection) -> tuple[Row[Any] | None, Sequence[Row[Any]]]:
            return connection.execute(head_query).one_or_none(), connection.execute(query).all()

        row, rows = await self._database.read(read)
        if row is None:
            raise UnknownGame(game_id)
        head = self._sound([row]).get(game_id)
        if head is None:
            raise self.damaged[game_id]
        events = [event_row(each) for each in rows]
        self.check(head, events)
        return head, events

    def check(self, head: GameRow, events: Sequence[EventRow]) -> None:
        """Raises `DamagedGame` unless these are the events of the game, from the first to the last, unchanged."""
        if (seq := broken_link(events)) is not None:
            raise self.set_aside(DamagedGame("store.missing_event", head.id, event=seq, last=seq - 1))
        got = (events[-1].seq, events[-1].chain) if events else (0, NO_CHAIN)
        if got != (head.seq, head.chain):
            raise self.set_aside(DamagedGame("store.wrong_end", head.id, got=got[0], expected=head.seq))

    def set_aside(self, damage: DamagedGame) -> DamagedGame:
        """Notes a damaged game, so that it is served no more, and says so in the log."""
        if damage.game not in self.damaged:
            log.error("ALARM: a damaged game is set aside: %s", damage)
            self.damaged[damage.game] = damage
        return self.damaged[damage.game]

    def _sound(self, rows: Sequence[Row[Any]]) -> dict[str, GameRow]:
        """The summaries that can be trusted, by id, in their order; the others are set aside."""
        heads = {}
        for row in rows:
            try:
                head = msgspec.convert(dict(zip(GameRow.__struct_fields__, row, strict=True)), GameRow)
                texts = msgspec.structs.astuple(head)
                if not all(is_text(each) for each in texts if isinstance(each, str)):
                    raise msgspec.ValidationError
            except msgspec.ValidationError:
                self.set_aside(DamagedGame("store.bad_summary", str(row.id)))
                continue
            if head.id not in self.damaged:
                heads[head.id] = head
        return heads

    async def histories(self, games: Sequence[str]) -> dict[str, list[EventRow]]:
        """The events of several games, each in order."""
        query = (
            select(_event.c.game, *event_columns)
            .where(_event.c.game.in_(games))
            .order_by(_event.c.game, _event.c.seq)
        )
        histories: dict[str, list[EventRow]] = {game: [] for game in games}
        values: Sequence[Any]
        for game, *values in await self._database.rows(query):
            histories[game].append(event_row(values))
        return histories

    async def by_client_id(self, game_id: str, client_id: str) -> EventRow | None:
        """The event a client's message caused, if it is on disk.

        None is certain too: after an append whose outcome is unknown, a write to the same game first makes sure that it
        can no longer get there. (PostgreSQL may still be busy with it, and holds the owner's row until it is not; SQLite
        may find it in the write-ahead log after a crash, unless something was written over it.)
        """
        query = select(*event_columns).where(_event.c.game == game_id, _event.c.client_msg_id == client_id)
        if game_id not in self._writer.unsettled:
            row = await self._database.row(query)
            return None if row is None else event_row(row)

        def work(connection: Connection) -> Row[Any] | None:
            same = {"lease_until_ms": _owner.c.lease_until_ms}
            connection.execute(update(_owner).where(_owner.c.game == game_id).values(same))
            return connection.execute(query).one_or_none()

        row = await self._writer.do(work)
        self._writer.unsettled.discard(game_id)
        return None if row is None else event_row(row)

    async def head(self, game_id: str) -> GameRow | None:
        """The summary of a game, if there is such a game. Raises `DamagedGame`."""
        head = (await self.heads([game_id])).get(game_id)
        if head is None and game_id in self.damaged:
            raise self.damaged[game_id]
        return head

    async def heads(self, games: Sequence[str]) -> dict[str, GameRow]:
        """The summaries of several games, but for damaged ones."""
        return self._sound(await self._database.rows(select(_game).where(_game.c.id.in_(games))))

    async def next_after(self, game: GameRow) -> str | None:
        """The id of the next game of the same players, if there is one."""
        players = [each for each in (game.white_id, game.black_id) if each]
        query = select(_game.c.id).where(_game.c.white_id.in_(players), _game.c.previous == game.id).limit(1)
        row = await self._database.row(query)
        return None if row is None else str(row.id)

    async def owner(self, game_id: str) -> tuple[str, int] | None:
        """Node and epoch of the owner."""
        row = await self._database.row(select(_owner.c.node, _owner.c.epoch).where(_owner.c.game == game_id))
        return None if row is None else (row.node, row.epoch)

    async def unfinished(self, node: str) -> list[GameRow]:
        """The games of a node that wait or are being played, oldest first."""
        query = select(_game).join(_owner, _owner.c.game == _game.c.id).where(_owner.c.node == node)
        return await self._in_order(query.where(_game.c.status.in_(("waiting", "playing"))))

    async def invitations(self) -> list[GameRow]:
        """The games of all nodes that wait for one certain player, oldest first."""
        kept = or_(_game.c.white_kind.startswith("invited:"), _game.c.black_kind.startswith("invited:"))
        return await self._in_order(select(_game).where(_game.c.status == "waiting", kept))

    async def _in_order(self, query: Select[Any]) -> list[GameRow]:
        rows = await self._database.rows(query.order_by(_game.c.created_ms, _game.c.id))
        return list(self._sound(rows).values())

    async def search(self, criteria: Filter) -> list[GameRow]:
        """The games that match a filter, last changed first; as many as there are, but for damaged ones, up to the limit."""
        limit = max(0, min(criteria.limit, self._page))
        order = (_game.c.updated_ms.desc(), _game.c.id.desc())
        query = select(_game).where(*_conditions(criteria)).order_by(*order)
        heads: list[GameRow] = []
        scanned = 0
        while len(heads) < limit:
            wanted = limit - len(heads)
            rows = await self._database.rows(query.offset(scanned).limit(wanted))
            heads += self._sound(rows).values()
            scanned += len(rows)
            if len(rows) < wanted:
                break
        return heads

    async def chat(self, game_id: str) -> list[ChatLine]:
        """The stored lines of a game, oldest first."""
        columns = [_chat.c[name] for name in ChatLine.__struct_fields__]
        query = select(*columns).where(_chat.c.game == game_id).order_by(_chat.c.number)
        lines = [ChatLine(**row._mapping) for row in await self._database.rows(query)]
        return [line for line in lines if all(map(is_text, (line.person, line.name, line.text)))]


def _conditions(criteria: Filter) -> list[Any]:
    conditions: list[Any] = []
    white, black = _game.c.white_id == criteria.person, _game.c.black_id == criteria.person
    if criteria.person is not None:
        conditions.append(or_(white, black))
    if criteria.rulebook is not None:
        conditions.append(_game.c.rulebook == criteria.rulebook)
    if criteria.status is not None:
        conditions.append(_game.c.status == criteria.status)
    if criteria.public is not None:
        conditions.append(_game.c.public.is_(criteria.public))
    if criteria.result is not None:
        conditions.append(_result(criteria.result, white, black))
    if criteria.opponent_kind is not None:
        as_white, as_black = (
            _kind("black_kind", criteria.opponent_kind),
            _kind("white_kind", criteria.opponent_kind),
        )
        if criteria.person is None:
            conditions.append(or_(as_white, as_black))
        else:
            conditions.append(or_(and_(white, as_white), and_(black, as_black)))
    if criteria.before is not None and criteria.before_id is not None:
        place = tuple_(_game.c.updated_ms, _game.c.id)
        conditions.append(place < tuple_(criteria.before, criteria.before_id))
    elif criteria.before is not None:
        conditions.append(_game.c.updated_ms < criteria.before)
    return conditions


def _result(result: str, white: Any, black: Any) -> Any:
    if result in ("won", "lost"):
        as_white, as_black = ("1-0", "0-1") if result == "won" else ("0-1", "1-0")
        return or_(and_(white, _game.c.result == as_white), and_(black, _game.c.result == as_black))
    return _game.c.result == ("1/2-1/2" if result == "drawn" else result)


def _kind(column: str, kind: str) -> Any:
    return _game.c[column].startswith("level:") if kind == "level" else _game.c[column] == kind
