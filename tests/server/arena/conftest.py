"""A server for each test, and people with accounts on it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from damas.server.settings import Limits, Settings
from server.arena.people import Member
from server.rooms.clients import Server, serving

Join = Callable[[str], Awaitable[Member]]


@pytest.fixture
def settings(tmp_path: Path, limits: Limits) -> Settings:
    return Settings(data=tmp_path / "data", port=0, limits=limits)


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    async with serving(settings) as running:
        yield running


@pytest.fixture
async def join(server: Server) -> AsyncIterator[Join]:
    members: list[Member] = []

    async def new(name: str) -> Member:
        members.append(Member(server.port))
        return await members[-1].sign_up(name)

    yield new
    for member in members:
        await member.http.aclose()


@pytest.fixture
async def ana(join: Join) -> Member:
    return await join("Ana")
