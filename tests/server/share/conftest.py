"""A server for each test that asks."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from damas.server.settings import Settings
from server.rooms.clients import Server, serving


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(Settings(data=tmp_path, port=0)) as running:
        yield running
