"""A server for each test, on SQLite in a fresh folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from damas.server.settings import Limits, Settings
from server.rooms.clients import Server, serving


@pytest.fixture
async def server(tmp_path: Path, limits: Limits) -> AsyncIterator[Server]:
    async with serving(Settings(data=tmp_path, port=0, limits=limits)) as running:
        yield running
