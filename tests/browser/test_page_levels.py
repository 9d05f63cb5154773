"""Games against the computer on the server, whose moves the player's own browser computes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from browser.conftest import Visitors
from browser.screen import Screen, wait_until
from browser.test_local import PLAY_ON


@pytest.fixture(scope="module")
def visitors(chromium: Browser) -> Visitors:
    return Visitors(chromium, reuse=False)


@pytest.fixture
def phone(visitors: Visitors, server: str) -> Iterator[Screen]:
    """A phone that has not asked to save data."""
    yield Screen(visitors.take("phone", "pt-BR", {}), server)
    visitors.give_back(server)


def messages_of(page: Page) -> list[dict[str, Any]]:
    """What the page will send over its sockets."""
    sent: list[dict[str, Any]] = []

    def note(frame: str | bytes) -> None:
        sent.append(json.loads(frame))

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", note)

    page.on("websocket", listen)
    return sent


def level_moves(page: Page, server: str) -> dict[str, float]:
    """How many moves of levels the server has counted, by who computed them."""
    text = page.context.request.get(f"{server}/metrics").text()
    lines = [line.split() for line in text.splitlines() if line.startswith("damas_level_moves_total{")]
    return {name.split('"')[1]: float(count) for name, count in lines}


def test_the_page_computes_the_moves_of_its_level(phone: Screen, server: str) -> None:
    page = phone.page
    sent = messages_of(page)
    few = "W:Wc3,e3,g3,b2,d2:Bb6,d6,f6,c7,e7"
    game = phone.start("brasileira", few, opponent={"kind": "level", "level": 4})
    wait_until(lambda: any(message["t"] == "compute" for message in sent), page)
    before = level_moves(page, server)
    page.wait_for_function(PLAY_ON)
    expect(phone.get("result-sentence")).to_contain_text("(")
    replies = [message for message in sent if message.get("side") == "black"]
    after = level_moves(page, server)
    assert len(replies) > 2
    assert after["page"] - before.get("page", 0) == len(replies)
    assert after.get("server", 0) == before.get("server", 0), "the server has searched nothing"
    answer = page.context.request.get(f"{server}/api/games/{game}").json()
    assert answer["view"]["ply"] // 2 == len(replies)


def test_by_choice_the_server_computes(phone: Screen, server: str) -> None:
    page = phone.page
    sent = messages_of(page)
    phone.start("brasileira", opponent={"kind": "level", "level": 1})
    wait_until(lambda: any(message["t"] == "compute" for message in sent), page)
    phone.get("settings").click()
    phone.get("set-engine").select_option("server")
    wait_until(lambda: sent[-1] == {"t": "compute", "ready": False}, page)
    page.keyboard.press("Escape")
    phone.type_move("c3-d4")
    expect(phone.get("move-2")).to_be_visible()
    page.reload()
    page.wait_for_selector("body[data-ready=game]")
    phone.type_move(phone.legal()[0])
    expect(phone.get("move-4")).to_be_visible()
    assert not [message for message in sent if message.get("side")]
