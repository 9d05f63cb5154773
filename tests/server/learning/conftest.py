"""A real server with SQLite in a fresh folder, and somebody who has opened a page."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from damas.server.settings import Settings
from server.rooms.clients import serving


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(Settings(data=tmp_path / "data", port=0)) as running:
        address = f"http://127.0.0.1:{running.port}"
        headers = {"X-Damas": "1", "Accept-Language": "pt-BR"}
        async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as client:
            await client.get("/learn", headers={"Accept": "text/html"})
            yield client
