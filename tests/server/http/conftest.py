"""Real servers on real ports, with SQLite in fresh folders: one for all tests that only ask, one of its own for each
test that names `server`, or brings limits or settings of its own. With `DAMAS_TEST_DATABASE=postgresql` all of them keep
what they have in PostgreSQL instead (`make soak`; `test_both_databases` always asks both).
"""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from damas.server.settings import Limits, Settings
from server.conftest import PATIENT
from server.http.shared import Thread
from server.rooms.clients import Server, serving

MANY = 1_000_000


@pytest.fixture
def more() -> dict[str, Any]:
    """Other settings of the server; a test may bring its own."""
    return {}


@pytest.fixture(scope="session")
def kept(request: pytest.FixtureRequest) -> Callable[[], dict[str, str]]:
    """Where a new server keeps what it has: the settings that say so."""
    if os.environ.get("DAMAS_TEST_DATABASE", "sqlite") == "sqlite":
        return dict
    cluster = request.getfixturevalue("postgresql")
    return lambda: {"database_url": cluster.create()}


@pytest.fixture
async def server(
    tmp_path: Path, limits: Limits, more: dict[str, Any], kept: Callable[[], dict[str, str]]
) -> AsyncIterator[Server]:
    settings = Settings(**{"data": tmp_path / "data", "port": 0, "limits": limits, **kept(), **more})
    async with serving(settings) as running:
        yield running


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, kept: Callable[[], dict[str, str]]) -> Iterator[Thread]:
    """The server of those who only ask, as often as they like."""
    limits = Limits(requests_per_minute=MANY, logins_per_minute=MANY)
    running = Thread(Settings(data=tmp_path_factory.mktemp("shared"), port=0, limits=limits, **kept()))
    yield running
    running.stop()


@pytest.fixture
def port(request: pytest.FixtureRequest, limits: Limits, more: dict[str, Any]) -> int:
    """Of the server that this test asks."""
    own = "server" in request.fixturenames or limits is not PATIENT or more
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
