"""The page's end of the line: it asks for what it has missed, and for nothing when it has nothing."""

import asyncio
from urllib.parse import parse_qs, urlsplit

import pytest
import test_services
from playwright.async_api import WebSocket, async_playwright, expect

from damas.server.settings import Limits
from server.rooms.clients import Server
from server.rooms.test_connections import MOVES, device, played

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.mark.parametrize("limits", [Limits(events_in_memory=5)])
async def test_a_page_opens_with_the_table_and_comes_back_with_its_last_event(server: Server) -> None:
    _, game, board = await device(server)
    await played(board)
    opened: list[dict[str, list[str]]] = []

    def note(socket: WebSocket) -> None:
        opened.append(parse_qs(urlsplit(socket.url).query))

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=test_services.browser(), args=ARGUMENTS)
        page = await browser.new_page()
        page.on("websocket", note)
        await page.goto(f"http://127.0.0.1:{server.port}/game/{game}")
        await page.wait_for_selector("body[data-ready=game]")
        shown = "all => all.map(one => one.dataset.move)"
        assert await page.locator("#moves .move").evaluate_all(shown) == list(MOVES)
        assert len(opened) == 1 and "last" not in opened[0]
        room = await server.rooms.room(game)
        for watcher in room.audience:
            if not watcher.sides:
                watcher.disconnect(1012, "come again")
        assert (await board.move("a1-b2"))["t"] == "ack"
        await expect(page.locator("#moves .move")).to_have_count(7)
        async with asyncio.timeout(60):
            while len(opened) < 2:
                await asyncio.sleep(0.05)
        assert opened[1]["last"] == ["7"] and len(opened[1]["chain"][0]) == 64
        await browser.close()
