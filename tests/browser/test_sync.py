"""What is done without the server reaches it once when it is back, under whoever did it."""

import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visitors
from browser.network import DYING, start_server, wait_until_stopped
from browser.screen import Screen, wait_until
from browser.test_local import start, wait_until_prepared

FORGET_ANSWER = """id => new Promise((resolve) => {
    const opening = indexedDB.open('damas');
    opening.onsuccess = () => {
        const transaction = opening.result.transaction('games', 'readwrite');
        const store = transaction.objectStore('games');
        store.get(id).onsuccess = ({ target }) => {
            delete target.result.stored;
            store.put(target.result);
        };
        transaction.oncomplete = () => { opening.result.close(); resolve(); };
    };
})"""
"""As if the answer to a stored game had never come."""

SENT = "() => localStorage.getItem('damas.unsent') === null"


@pytest.fixture(scope="module")
def visitors(chromium: Browser) -> Visitors:
    return Visitors(chromium, reuse=False)


class Host:
    """A server that is stopped and started again at one port, and a browser that has been there."""

    def __init__(self, folder: Path, screen: Screen) -> None:
        self.folder = folder
        self.screen = screen
        self.process, self.screen.address = start_server(folder)

    def stop(self) -> None:
        self.process.terminate()
        wait_until_stopped(self.process)
        self.screen.page.context.set_offline(True)

    def come_back(self, first: str = "") -> subprocess.Popen[str]:
        port = int(self.screen.address.rpartition(":")[2])
        self.process, _ = start_server(self.folder, port, first=first)
        self.screen.page.context.set_offline(False)
        return self.process

    def own_games(self) -> list[dict[str, object]]:
        answer = self.screen.page.context.request.get(f"{self.screen.address}/api/archive?mine=1")
        return list(answer.json()["games"])

    def count(self, query: str) -> int:
        with sqlite3.connect(f"file:{self.folder / 'damas.sqlite3'}?mode=ro", uri=True) as database:
            return int(database.execute(query).fetchone()[0])


@pytest.fixture
def host(tmp_path: Path, visitors: Visitors) -> Iterator[Host]:
    page = visitors.take("phone", "pt-BR", {})
    running = Host(tmp_path, Screen(page, ""))
    yield running
    running.process.terminate()
    wait_until_stopped(running.process)
    visitors.give_back(running.screen.address)


def play_to_the_end(screen: Screen) -> str:
    """A short game for two on this device; its id here."""
    screen.go("/", ready="home")
    start(screen, "play-device")
    screen.type_move("c3-d4")
    screen.type_move("f6-g5")
    screen.resign()
    expect(screen.get("result-sentence")).to_contain_text("brancas abandonaram")
    return screen.page.url.partition("id=")[2]


def test_a_game_is_stored_once_though_the_server_is_killed_before_it_answers(host: Host) -> None:
    screen, page = host.screen, host.screen.page
    screen.go("/", ready="home")
    wait_until_prepared(page)
    host.stop()
    game = play_to_the_end(screen)
    screen.go("/games", ready="games")
    expect(screen.get("here-waiting")).to_contain_text("espera de ser enviada")
    expect(screen.get("download-all")).to_be_hidden()
    screen.assert_fits()
    dying = host.come_back(DYING)
    assert dying.wait(60) == -9  # it has stored the game, and nobody has been told
    wait_until_stopped(dying)
    host.come_back()
    assert len(host.own_games()) == 1
    expect(screen.get("here-waiting")).to_have_count(0)  # sent again by itself
    expect(screen.get("download-all")).to_be_visible()
    page.evaluate(FORGET_ANSWER, game)
    screen.go(f"/local?id={game}", ready="game")
    page.reload()
    screen.go("/games", ready="games")
    [stored] = host.own_games()
    assert (stored["result"], stored["plies"], stored["you"]) == ("0-1", 2, "both")
    expect(screen.get("game")).to_have_count(1)  # until it is sent again, also as one that waits
    expect(screen.get("game")).to_have_attribute("data-game", str(stored["id"]))
    screen.go(f"/local?id={game}", ready="game")
    screen.get("stored").click()
    page.wait_for_url(f"**{stored['id']}")
    expect(screen.get("result-sentence")).to_contain_text("brancas abandonaram")


def test_a_game_of_an_account_waits_until_it_is_back(host: Host) -> None:
    screen, page = host.screen, host.screen.page
    ana = {"name": "Ana", "password": "um cavalo sem sela"}
    screen.go("/", ready="home").post("/api/account", **ana)
    screen.go("/", ready="home")
    wait_until_prepared(page)
    host.stop()
    play_to_the_end(screen)
    own_page = page.url
    page.context.clear_cookies()
    with page.expect_response("**/api/local-games/*") as answer:  # of this page, or of the next
        host.come_back()
        screen.go("/games", ready="games")
    assert answer.value.status == 403
    screen.go("/games", ready="games")
    expect(screen.get("here-waiting")).to_have_count(0)  # somebody else looks at the list
    page.goto(own_page)
    expect(page.locator("main")).to_contain_text("Esta partida é de outra conta")
    expect(screen.get("result-sentence")).to_be_hidden()
    page.goto(own_page.replace("/local?id=", "/analysis?local="))
    expect(screen.get("state")).to_contain_text("Esta partida é de outra conta")
    assert host.own_games() == [] and host.count("SELECT count(*) FROM game") == 0
    screen.post("/api/account/login", **ana)
    screen.go("/games", ready="games")
    expect(screen.get("game")).to_have_count(1)
    page.wait_for_function(SENT)
    assert len(host.own_games()) == 1


def test_a_result_of_a_puzzle_and_its_progress_arrive_once(host: Host) -> None:
    screen, page = host.screen, host.screen.page
    screen.go("/puzzles?rulebook=brasileira")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    screen.go("/puzzles?rulebook=brasileira")
    expect(screen.get("own-moves")).to_contain_text("lance")
    host.stop()
    screen.get("solution").click()
    wait_until(lambda: "attempts" in (page.evaluate("localStorage.getItem('damas.unsent')") or ""), page)
    host.come_back()
    screen.go("/", ready="home")  # any page sends it
    page.wait_for_function(SENT)
    assert host.count("SELECT count(*) FROM puzzle_attempt WHERE NOT solved") == 1
    page.evaluate("""localStorage.setItem('damas.unsent', '{"attempts": "again", "progress": "again"}')""")
    page.reload()
    page.wait_for_function(SENT)
    assert host.count("SELECT count(*) FROM puzzle_attempt") == 1
