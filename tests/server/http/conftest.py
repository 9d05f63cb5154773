"""Real servers on real ports, with SQLite in fresh folders: one for all tests that only ask, one of its own for each
test that names `server`, or brings limits or settings of its own.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from damas.server.settings import Limits, Settings
from server.http.shared import Thread
from server.rooms.clients import Server, serving

MANY = 1_000_000


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hashes with less work: what they cost is a test of its own."""
    cheap = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr("damas.server.store.keys._hasher", cheap)


@pytest.fixture
def limits() -> Limits:
    """A test may bring its own."""
    return Limits()


@pytest.fixture
def more() -> dict[str, Any]:
    """Other settings of the server; a test may bring its own."""
    return {}


@pytest.fixture
async def server(tmp_path: Path, limits: Limits, more: dict[str, Any]) -> AsyncIterator[Server]:
    async with serving(Settings(data=tmp_path / "data", port=0, limits=limits, **more)) as running:
        yield running


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Thread]:
    """The server of those who only ask, as often as they like."""
    limits = Limits(requests_per_minute=MANY, logins_per_minute=MANY)
    running = Thread(Settings(data=tmp_path_factory.mktemp("shared"), port=0, limits=limits))
    yield running
    running.stop()


@pytest.fixture
def port(request: pytest.FixtureRequest, limits: Limits, more: dict[str, Any]) -> int:
    """Of the server that this test asks."""
    own = "server" in request.fixturenames or limits != Limits() or more
    running: Server | Thread = request.getfixturevalue("server" if own else "shared")
    return running.port


@pytest.fixture
async def web(port: int) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that has not been here yet: it keeps its cookies."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        yield client


@pytest.fixture
async def page(web: httpx.AsyncClient) -> httpx.AsyncClient:
    """The same browser as our own scripts use it."""
    web.headers["X-Damas"] = "1"
    return web
