"""Two nodes of one database."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from damas.server.settings import Limits, Settings
from server.conftest import Cluster
from server.rooms.clients import Person, Server, serving

LIMITS = Limits(read_s=60, connect_s=60, commit_s=60, lease_s=10, logins_per_minute=5)


@pytest.fixture
async def nodes(postgresql: Cluster, tmp_path: Path) -> AsyncIterator[list[Server]]:
    """Two nodes of one database, which know and hear each other."""
    url = postgresql.create()
    async with AsyncExitStack() as stack:
        servers = []
        for name in ("one", "two"):
            settings = Settings(data=tmp_path / name, port=0, database_url=url, node=name, limits=LIMITS)
            servers.append(await stack.enter_async_context(serving(settings)))
        await until(lambda: all(len(server.services.passing.peers) == 1 for server in servers))
        await until(lambda: all(server.services.bus.is_up for server in servers))
        yield servers


async def until(true: Callable[[], object]) -> None:
    """Waits until something is true."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.02)


def at(person: Person, server: Server) -> Person:
    """The same person at another node, with the same cookies."""
    there = Person(server.port)
    there.http.cookies = person.http.cookies
    server._people.append(there)
    return there
