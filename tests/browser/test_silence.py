"""A network that takes requests and never answers: what is kept is shown all the same, and nothing is stored twice."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visitors
from browser.network import Connection
from browser.screen import Screen, wait_until
from browser.test_local import refusal_of_the_server, wait_until_prepared

REFUSED = {"rulebook": "brasileira", "move": "c3-e5"}
PLAYING = "async () => (await (await fetch('/api/archive?mine=1&status=playing')).json()).games.length"


@pytest.fixture
def line(server: str) -> Iterator[Connection]:
    connection = Connection(server)
    yield connection
    connection.close()


@pytest.fixture
def screen(line: Connection, chromium: Browser) -> Iterator[Screen]:
    """A phone that keeps what is needed without a network."""
    visitors = Visitors(chromium, reuse=False)
    screen = Screen(visitors.take("phone", "pt-BR", {}), line.address)
    screen.go("/", ready="home")
    wait_until_prepared(screen.page)
    yield screen
    visitors.give_back(line.address)


def test_a_silent_network_is_as_good_as_none(screen: Screen, line: Connection) -> None:
    page = screen.page
    refusal = refusal_of_the_server(page, **REFUSED)
    line.lose_answers()
    screen.go("/", ready="home")
    screen.get("quick-play").click()
    page.wait_for_url("**/local?id=*")
    page.wait_for_selector("body[data-ready=game]")
    screen.enter("c3-e5")
    expect(screen.get("explain")).to_contain_text(refusal)
    screen.type_move("c3-d4")
    expect(screen.get("move-2")).to_be_visible()
    screen.go("/learn/captura", ready="lesson")
    screen.move("c3", "e5")
    expect(screen.get("dot-1")).to_have_class(re.compile("is-done"))
    screen.go("/arena")
    expect(screen.get("offline-page")).to_be_visible()
    line.restore()

    def is_back() -> bool:
        screen.go("/account")
        return not screen.get("offline-page").is_visible()

    wait_until(is_back, page)
    screen.go("/games")
    assert page.evaluate(PLAYING) == 0, "the game was begun in the browser alone"


def test_a_page_that_is_open_when_the_network_falls_silent(screen: Screen, line: Connection) -> None:
    page = screen.page
    page.goto(f"{screen.address}/learn/captura")
    page.wait_for_selector("body[data-ready=lesson]")
    line.lose_answers()
    screen.move("c3", "e5")
    expect(screen.get("dot-1")).to_have_class(re.compile("is-done"))
    line.restore()
    with page.expect_response("**/api/progress"):
        page.goto(screen.address)
