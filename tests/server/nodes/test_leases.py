"""Leases on a real PostgreSQL: games go on at another node, and nobody acknowledges who may not."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from damas.arbiter import Suspended, TimeAdded
from damas.server.rooms.rooms import Rooms
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.database import WriteConnection
from damas.server.store.errors import StoreFailed
from damas.server.store.nodes import NodeReplaced
from damas.server.store.rows import Alive, EventRow
from server.conftest import PATIENT, Cluster
from server.nodes.conftest import until
from server.rooms.by_hand import ANA, RUI, act, arrive, friends, kill, move

LIMITS = msgspec.structs.replace(PATIENT, lease_s=5.0)


@pytest.fixture
def node_settings(postgresql: Cluster, tmp_path: Path) -> Callable[[str], Settings]:
    """The settings of a node of a database."""
    url = postgresql.create()
    return lambda name: Settings(data=tmp_path / name, database_url=url, node=name, limits=LIMITS)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Rooms]:
    """The rooms of a node."""
    store = await Store.open(settings)
    rooms = await Rooms.open(store, settings, min_reply_ms=0, address="127.0.0.1:1")
    try:
        yield rooms
    finally:
        await rooms.close()
        await store.close()


async def test_games_of_a_node_that_is_gone_go_on_where_nobody_asked_for_them(
    node_settings: Callable[[str], Settings],
) -> None:
    async with opened(node_settings("one")) as one, opened(node_settings("two")) as two:
        room = await friends(one, time="5+3")
        assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"
        watcher = await arrive(room, ANA)
        late = move(room, "f6-g5")
        kill(one)
        await until(lambda: two.in_memory(room.id))
        there = two.in_memory(room.id)
        assert there and there.table.suspended and there.ledger.epoch == room.ledger.epoch + 1
        assert [type(event) for event in there.table.events[-3:]] == [Suspended, TimeAdded, TimeAdded]
        assert (await there.submit(late, RUI.id)).kind == "ack"

        # The old owner wakes up: it acknowledges nothing and refuses nothing, and says when it knows that all is lost.
        assert not one.ownership.lease.held
        assert (await room.submit(move(room, "c3-c4"), ANA.id)).kind == "busy"
        assert (await room.submit(late, RUI.id)).kind == "busy"
        assert room.closed and watcher.closing
        assert [row.seq for row in await two.store.games.events(room.id)] == list(range(1, there.seq + 1))


async def test_a_game_that_began_just_before_its_node_was_gone_goes_on_too(
    node_settings: Callable[[str], Settings],
) -> None:
    async with opened(node_settings("one")) as one, opened(node_settings("two")) as two:
        room, new = await friends(one, time="5+3"), await friends(one, time="5+3")
        kill(one)
        await one.store.nodes.end_lease("one", [room.id])  # the new game is still its own for a lease
        await until(lambda: two.in_memory(room.id))
        await until(lambda: two.in_memory(new.id))


async def test_a_game_that_could_not_be_read_when_it_was_taken_goes_on_later(
    node_settings: Callable[[str], Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(node_settings("one")) as one, opened(node_settings("two")) as two:
        room = await friends(one, time="5+3")
        histories, asked = two.store.games.histories, []

        async def fail_twice(games: list[str]) -> dict[str, list[EventRow]]:
            asked.append(games)
            if len(asked) <= 2:
                raise StoreFailed("the database does not answer", unknown=False)
            return await histories(games)

        monkeypatch.setattr(two.store.games, "histories", fail_twice)
        kill(one)
        await one.store.nodes.end_lease("one", [room.id])
        await until(lambda: two.in_memory(room.id))
        assert len(asked) == 3


class Network:
    """The way to the database, which can be lost: nothing comes through, and nobody is told."""

    def __init__(self, address: str) -> None:
        self._path = f"{parse_qs(urlsplit(address).query)['host'][0]}/.s.PGSQL.5432"
        self._database = urlsplit(address).path
        self.there = asyncio.Event()
        self.there.set()
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def address(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._lead, "127.0.0.1", 0)
        try:
            yield f"postgresql://postgres@127.0.0.1:{server.sockets[0].getsockname()[1]}{self._database}"
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_unix_connection(self._path)
        for ends in ((reader, there_writer), (there_reader, writer)):
            self._tasks.add(asyncio.create_task(self._pump(*ends)))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self.there.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


async def test_a_node_without_a_network_stops_and_its_games_go_on(
    node_settings: Callable[[str], Settings],
) -> None:
    network = Network(node_settings("").database_url)
    async with network.address() as address:
        alone = msgspec.structs.replace(node_settings("one"), database_url=address)
        async with opened(alone) as one, opened(node_settings("two")) as two:
            room = await friends(one, time="5+3")
            assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"
            watcher = await arrive(room, ANA)
            network.there.clear()
            late = asyncio.create_task(room.submit(move(room, "f6-g5"), RUI.id))
            await until(lambda: two.in_memory(room.id))
            there = two.in_memory(room.id)
            assert there and there.table.ply == 1 and not one.ownership.lease.held and not late.done()
            assert (await there.submit(move(there, "b6-a5"), RUI.id)).kind == "ack"
            network.there.set()
            assert (await late).kind == "busy", "it was never acknowledged"
            await until(lambda: one.ownership.lease.held)
            assert room.closed and watcher.closing
            moves = [row for row in await two.store.games.events(room.id) if row.kind == "moved"]
            assert [row.ply for row in moves] == [1, 2] and "b6-a5" in moves[1].data


async def test_a_slow_commit_is_no_death(node_settings: Callable[[str], Settings]) -> None:
    async with opened(node_settings("one")) as one, opened(node_settings("two")) as two:
        room = await friends(one, time="5+3")
        keeper = two.ownership.keeper
        assert keeper
        seen: set[int] = set()
        keeper.follow(lambda peers: seen.update(peer.lease_until_ms for peer in peers if peer.alive))
        held = asyncio.Event()
        line = one.store.writer._line
        assert line
        run = line.run

        async def slow(work: object) -> object:
            await held.wait()
            return await run(work)  # type: ignore[arg-type]

        line.run = slow  # type: ignore[method-assign, assignment]
        answer = asyncio.create_task(room.submit(move(room, "c3-d4"), ANA.id))
        await until(lambda: len(seen) > 7)  # longer than a lease
        assert one.ownership.lease.held and not two.in_memory(room.id)
        held.set()
        assert (await answer).kind == "ack"
        line.run = run  # type: ignore[method-assign]


async def test_a_lease_is_renewed_after_a_mistake_of_ours(node_settings: Callable[[str], Settings]) -> None:
    async with opened(node_settings("one")) as one:
        keeper, mistakes = one.ownership.keeper, []

        def fail_once(_: object) -> None:
            if not mistakes:
                mistakes.append(ZeroDivisionError())
                raise mistakes[0]

        assert keeper
        keeper.follow(fail_once)
        await until(lambda: mistakes)
        room = await friends(one, time="5+3")
        one.ownership.lease.end()
        async with asyncio.timeout(60):
            assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"


async def test_a_connection_that_takes_long_serves_a_later_renewal(
    node_settings: Callable[[str], Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(node_settings("one"))
    database, there, asked = store.nodes._database, asyncio.Event(), []
    renewing = database.renewing

    async def slow() -> WriteConnection:
        asked.append(None)
        await there.wait()
        return await renewing()

    monkeypatch.setattr(database, "renewing", slow)
    life = Alive(node="one", boot="a", wall_ms=1, mono_ms=1)
    for _ in range(3):
        with pytest.raises(StoreFailed):
            await store.nodes.renew(life, start=True, within_s=0.01)
    there.set()
    assert await store.nodes.renew(life, start=True, within_s=60)
    assert len(asked) == 1
    await store.close()


async def test_a_lapse_that_nobody_used_costs_nothing(node_settings: Callable[[str], Settings]) -> None:
    async with opened(node_settings("one")) as one:
        room = await friends(one, time="5+3")
        one.ownership.lease.end()
        assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"  # once the lease is held again
        assert one.ownership.lease.held and not room.closed and room.table.ply == 1


async def test_a_node_that_lost_its_games_in_a_lapse_sends_everybody_away(
    node_settings: Callable[[str], Settings],
) -> None:
    async with opened(node_settings("one")) as one:
        room = await friends(one, time="5+3")
        watcher = await arrive(room, ANA)
        async with opened(node_settings("two")) as two:
            await one.store.nodes.end_lease("one", [room.id])
            assert await two.store.games.take([room.id], "two") == {room.id: room.ledger.epoch + 1}
            one.ownership.lease.end()
            assert (await room.submit(act(room, "resign"), ANA.id)).kind == "busy"
            await until(lambda: one.ownership.lease.held)
            assert room.closed and watcher.closing and not one.in_memory(room.id)


async def test_a_name_belongs_to_the_last_process_that_began_under_it(
    node_settings: Callable[[str], Settings],
) -> None:
    store = await Store.open(node_settings("one"))
    first, second = (Alive(node="one", boot=boot, wall_ms=1, mono_ms=1) for boot in "ab")
    await store.nodes.renew(first, start=True, within_s=60)
    await store.nodes.renew(second, start=True, within_s=60)
    with pytest.raises(NodeReplaced):
        await store.nodes.renew(first, start=False, within_s=60)
    (peer,) = await store.nodes.renew(second, start=False, within_s=60)
    assert peer.node == "one" and peer.alive
    with pytest.raises(StoreFailed):
        await store.nodes.renew(second, start=False, within_s=0)
    assert await store.nodes.renew(second, start=False, within_s=60)
    await store.close()
