"""The bus: messages arrive over PostgreSQL and over Redis, and its death is noticed and made up for."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from starlette.applications import Starlette

from damas.server.nodes.bus import MAX_BYTES, Bus, NodeBus
from damas.server.nodes.listener import NodeListener, NoNodeAddress
from damas.server.nodes.redis import RedisError, RedisLine
from damas.server.nodes.shared_rates import share_rates
from damas.server.security.rates import Rates
from damas.server.settings import BadSetting, Limits, Settings
from damas.server.store.database import Database, NotificationLine, open_database
from ports import lasting_port
from server.conftest import Cluster
from server.nodes.conftest import until


class Redis:
    """A Redis of our own, which can be stopped and started again."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._port = lasting_port()
        self.url = f"redis://:se%20cret@127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--requirepass", "se cret"]
        self._process = subprocess.Popen(
            [self._program, *options], cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait(60)
            self._process = None


@pytest.fixture
def redis(tmp_path: Path) -> "Redis":
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("not proved: no Redis server here, install redis-server")
    return Redis(program, tmp_path)


@asynccontextmanager
async def database(postgresql: Cluster, tmp_path: Path) -> AsyncIterator[Database]:
    opened = await open_database(Settings(data=tmp_path, database_url=postgresql.create(), node="one"))
    try:
        yield opened
    finally:
        await opened.close()


async def exchange(
    first: NodeBus, second: NodeBus, end: Callable[[], None], begin: Callable[[], None]
) -> None:
    """What every bus does. `end` and `begin` stop and start what it goes over."""
    heard: list[object] = []
    missed: list[None] = []
    second.subscribe("news", heard.append)
    second.when_missed(lambda: missed.append(None))
    first.subscribe("news", lambda _: heard.append("nobody hears their own"))
    for bus in (first, second):
        bus.open()
    try:
        await until(lambda: first.is_up and second.is_up)
        assert missed, "what there was before is read"
        for number in range(100):
            first.publish("news", {"number": number, "name": "Zé ♟ " + chr(34)})
        first.publish("news", "x" * 2 * MAX_BYTES)
        first.publish("other", None)
        await until(lambda: len(heard) == 101)
        assert [each["number"] for each in heard[:100] if isinstance(each, dict)] == list(range(100))
        assert heard[100] is None, "what is too long is read elsewhere"
        count = len(missed)
        await asyncio.to_thread(end)
        await until(lambda: not second.is_up and len(missed) > count + 1)  # again and again while it is away
        await asyncio.to_thread(begin)
        await until(lambda: first.is_up and second.is_up)
        heard.clear()
        first.publish("news", "back")
        await until(lambda: heard == ["back"])
    finally:
        for bus in (first, second):
            await bus.close()


async def test_over_postgresql(new_cluster: Callable[[], Cluster], tmp_path: Path) -> None:
    cluster = new_cluster()
    async with database(cluster, tmp_path) as opened:
        buses = [NodeBus(opened.notifications) for _ in range(2)]
        await exchange(*buses, end=cluster.stop, begin=cluster.start)


async def test_over_redis(redis: Redis) -> None:
    redis.start()
    try:
        buses = [NodeBus(partial(RedisLine.open, redis.url)) for _ in range(2)]
        await exchange(*buses, end=redis.stop, begin=redis.start)
        wrong = redis.url.replace("se%20cret", "another")
        with pytest.raises(RedisError):
            await RedisLine.open(wrong, lambda _: None)
    finally:
        redis.stop()


async def test_one_process_alone_tells_nobody() -> None:
    bus = Bus()
    bus.open()
    bus.publish("news", object())  # not even looked at
    await bus.close()
    assert not bus.is_shared


def test_another_address_is_refused() -> None:
    with pytest.raises(BadSetting, match="DAMAS_BUS=http://a"):
        Settings.from_env(environ={"DAMAS_BUS": "http://a"})
    for address in ("8100", "a:b", ":1", "a:70000"):
        with pytest.raises(BadSetting, match="DAMAS_NODE_ADDRESS"):
            Settings.from_env(environ={"DAMAS_NODE_ADDRESS": address})
    assert Settings.from_env(environ={"DAMAS_BUS": "valkeys://u:p@host:1"}).bus


def test_an_address_for_nodes_that_is_not_ours_is_said_so(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, database_url="postgresql://x/y", node_address="203.0.113.9:8100")
    with pytest.raises(NoNodeAddress) as refused:
        NodeListener(Starlette(), settings)
    assert refused.value.facts["host"] == "203.0.113.9"


async def test_a_long_name_hides_no_other_count() -> None:
    """A message that is too long for the database says nothing: a guesser must not be able to make one."""
    wires: list[NodeBus] = [NodeBus(not_opened), NodeBus(not_opened)]
    here, there = Rates(Limits()), Rates(Limits())
    share_rates(here, wires[0])
    share_rates(there, wires[1])
    for number in range(30):
        here.spend("login", ("192.0.2.1", f"{number}" + "ã" * 1000))
    here.spend("failed logins of an address", "192.0.2.1")
    await until(lambda: wires[0]._outgoing)
    for text in wires[0]._outgoing:
        wires[1]._hear(text)
    counted = there._buckets["failed logins of an address"]
    assert counted["192.0.2.1"].left < counted.capacity
    assert len(there._buckets["login"]._buckets) == 30


async def not_opened(_: Callable[[str], None]) -> NotificationLine:
    raise OSError("there is no way")
