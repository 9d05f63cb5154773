"""Games without a network: the server is stopped, the browser is offline, and the page is loaded again."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Visitors
from browser.network import Connection, start_server, wait_until_stopped
from browser.screen import Screen, tour, wait_until
from damas.server.web.static_files import FOLDER

PREPARED = """async () => Boolean(await caches.match('/words/local-files.json'))"""

PLAY_ON = """() => {
    const board = document.querySelector('#board');
    if (!document.querySelector('#result').hidden) return true;
    const { legal } = board;
    if (board.awaitsMove && legal.length) board.entry.playText(legal[board.position.ply * 7 % legal.length].text);
    return false;
}"""
"""Plays on whenever it is the visitor's turn, until the game is over."""

UPDATE = """async () => {
    const changed = new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
    });
    await (await navigator.serviceWorker.ready).update();
    await changed;
}"""
"""Brings the new service worker, and waits until this page is its own."""

VERSIONS = """async () => (await caches.keys()).filter((name) => name.startsWith('damas-local-'))"""

NO_DATABASE = """() => {
    IDBFactory.prototype.open = () => { throw new DOMException('no space', 'QuotaExceededError'); };
}"""


@pytest.fixture(scope="module")
def visitors(chromium: Browser) -> Visitors:
    return Visitors(chromium, reuse=False)


def wait_until_prepared(page: Page) -> None:
    """Until the service worker has kept all that a game needs."""
    wait_until(lambda: bool(page.evaluate(PREPARED)), page)


def refusal_of_the_server(page: Page, **question: object) -> str:
    ask = """question => fetch('/api/explain', { method: 'POST', body: JSON.stringify(question),
        headers: { 'Content-Type': 'application/json', 'X-Damas': '1' } })
        .then(answer => answer.json()).then(({ refusal }) => refusal.message)"""
    return str(page.evaluate(ask, question))


@pytest.fixture
def alone(tmp_path: Path, visitors: Visitors) -> Iterator[Screen]:
    """A phone that has once been at the home page, and has no network any more. `errors` has the server's sentence."""
    server, address = start_server(tmp_path)
    page = visitors.take("phone", "pt-BR", {})
    screen = Screen(page, address)
    screen.go("/", ready="home")
    wait_until_prepared(page)
    screen.errors.append(refusal_of_the_server(page, rulebook="brasileira", move="c3-e5"))
    server.terminate()
    wait_until_stopped(server)
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("body[data-ready=home]")
    yield screen
    visitors.give_back(address)


def start(screen: Screen, button: str = "quick-play") -> Screen:
    screen.get(button).click()
    screen.page.wait_for_url("**/local?id=*")
    screen.page.wait_for_selector("body[data-ready=game]")
    return screen


def choose(screen: Screen, rulebook: str, level: int = 1) -> None:
    screen.page.locator("#more-rulebooks").evaluate("details => { details.open = true; }")
    screen.get(f"rulebook-chip-{rulebook}").click()
    screen.get("level").fill(str(level))


def test_a_game_against_the_computer_is_played_and_kept(alone: Screen) -> None:
    page = alone.page
    choose(alone, "brasileira")
    start(alone)
    expect(alone.get("local")).to_contain_text("neste aparelho")
    alone.enter("c3-e5")
    expect(alone.get("explain")).to_contain_text(alone.errors[0])
    alone.type_move("c3-d4")
    expect(alone.get("move-2")).to_be_visible()
    reply = alone.get("move-2").inner_text()
    page.reload()
    page.wait_for_selector("body[data-ready=game]")
    expect(alone.get("move-2")).to_have_text(reply)
    page.wait_for_function(PLAY_ON)
    expect(alone.get("result-sentence")).to_contain_text("(")
    sentence, address = alone.get("result-sentence").inner_text(), page.url
    with page.expect_download() as saved:
        alone.get("export-pdn").click()
    text = Path(saved.value.path()).read_text()
    assert "1. c3-d4 " in text
    assert '[GameType "26' in text
    page.goto(alone.address)
    alone.get("local-games").locator("summary").click()
    alone.get("local-games").get_by_role("link").click()
    expect(alone.get("result-sentence")).to_have_text(sentence)
    assert page.url == address


@pytest.mark.parametrize(
    "rulebook", tour("frisia", "portuguesa", "concurso", "turca", "inglesa", "canadense")
)
def test_every_rulebook_is_played_to_the_end(alone: Screen, rulebook: str) -> None:
    choose(alone, rulebook)
    start(alone)
    alone.page.wait_for_function(PLAY_ON)
    expect(alone.get("result-sentence")).to_contain_text("(")


def test_two_on_one_device_with_a_clock(alone: Screen) -> None:
    page = alone.page
    alone.get("play-options").click()
    page.locator("label", has=alone.get("time-5+3")).click()
    start(alone, "play-device")
    alone.type_move("c3-d4")
    alone.type_move("f6-g5")
    expect(alone.get("move-2")).to_be_visible()
    expect(alone.get("clock-white")).to_contain_text("5:0")  # three seconds more for the move, running again
    page.reload()
    page.wait_for_selector("body[data-ready=game]")
    expect(alone.get("clock-black")).to_contain_text("5:0")
    alone.resign()
    expect(alone.get("result-sentence")).to_contain_text("as brancas abandonaram")
    alone.assert_fits()


def test_what_needs_the_server_says_so(alone: Screen) -> None:
    alone.get("play-friend").click()
    expect(alone.get("play-trouble")).to_contain_text("Sem conexão, joga-se contra o computador")
    alone.assert_fits()
    alone.page.goto(f"{alone.address}/arena")
    expect(alone.get("offline-page")).to_be_visible()
    expect(alone.get("offline-page")).to_have_css("border-top-style", "solid")  # its sheet is kept too


def test_the_analysis_board_works_without_a_network(alone: Screen) -> None:
    start(alone, "play-device")
    alone.type_move("c3-d4")
    for sentence in ("Você está jogando esta partida", "Profundidade"):
        alone.get("analyse").click()
        alone.page.wait_for_selector("body[data-ready=analysis]")
        expect(alone.get("moves").locator(".move")).to_have_count(1)
        alone.page.evaluate("document.querySelector('[data-testid=engine][aria-pressed=false]')?.click()")
        expect(alone.get("engine-depth")).to_contain_text(sentence)
        alone.page.go_back()
        alone.page.wait_for_selector("body[data-ready=game]")
        if alone.get("resign").is_visible():
            alone.resign()
            expect(alone.get("result-sentence")).to_be_visible()
    alone.go("/analysis?rulebook=brasileira", ready="analysis")
    alone.enter("c3-e5")
    expect(alone.get("explain")).to_contain_text(alone.errors[0])
    alone.get("import").click()
    alone.get("import-text").fill(
        "1. c3-d4! {calmo} (1. e3-f4) b6-a5 2. d4-e5 f6xd4 3. e3xc5 d6xb4 4. a3xc5 *"
    )
    alone.get("import-read").click()
    expect(alone.get("moves").locator(".move")).to_have_count(8)
    expect(alone.page.locator("[data-testid=engine-lines] > li")).to_have_count(3)
    expect(alone.get("engine-depth")).to_contain_text("Profundidade")
    alone.get("report-start").click()
    expect(alone.get("report-graph")).to_be_visible()
    expect(alone.get("worst-1").get_by_test_id("sentence")).to_contain_text("Melhor era")
    alone.get("export").click()
    pdn = "1. c3-d4! {calmo} ( 1. e3-f4 ) 1... b6-a5 2. d4-e5 f6xd4 3. e3xc5 d6xb4 4. a3xc5"
    expect(alone.get("export-pdn")).to_have_value(re.compile(re.escape(pdn)))
    alone.page.keyboard.press("Escape")
    alone.get("fen").fill("W:Wd8:Bc7")
    alone.get("fen").press("Enter")
    expect(alone.get("fen-problem")).to_contain_text("d8")
    alone.get("fen").fill("W:Wc3:Bd4,f6")
    alone.get("fen").press("Enter")
    alone.type_move("c3xe5xg7")
    expect(alone.get("moves").locator(".move")).to_have_count(1)
    alone.assert_fits()


def test_a_browser_that_keeps_nothing_says_so(alone: Screen) -> None:
    page, sentence = alone.page, "não conseguiu guardar a partida"
    start(alone, "play-device")
    page.evaluate(NO_DATABASE)
    alone.enter("c3-d4")
    expect(alone.get("explain")).to_contain_text(sentence)
    expect(alone.get("move-1")).to_have_count(0)
    alone.resign()
    expect(alone.get("connection")).to_contain_text(sentence)
    alone.assert_fits()
    page.reload()
    page.wait_for_selector("body[data-ready=game]")
    alone.type_move("c3-d4")
    page.goto(alone.address)
    page.wait_for_selector("body[data-ready=home]")
    page.evaluate(NO_DATABASE)
    alone.get("quick-play").click()
    expect(alone.get("play-trouble")).to_contain_text(sentence)


def test_an_update_leaves_an_open_game_alone(tmp_path: Path, visitors: Visitors) -> None:
    files = Path(shutil.copytree(FOLDER, tmp_path / "static"))
    server, address = start_server(tmp_path / "data", static=files)
    connection = Connection(address)
    page = visitors.take("phone", "pt-BR", {})
    screen = Screen(page, connection.address)
    screen.go("/", ready="home")
    wait_until_prepared(page)
    (first,) = page.evaluate(VERSIONS)
    connection.cut()
    start(screen, "play-device")
    screen.type_move("c3-d4")
    for name in ("sw.js", "local/worker.js"):
        (files / name).write_text((files / name).read_text().replace("damas-5", "damas-next") + "// new\n")
    connection.restore()
    page.evaluate(UPDATE)
    screen.type_move("f6-g5")
    connection.cut()  # before the new version has come: the earlier one is whole
    page.reload()
    page.wait_for_selector("body[data-ready=game]")
    expect(screen.get("move-2")).to_have_text("f6-g5")
    connection.restore()
    page.reload()
    wait_until(
        lambda: page.evaluate(VERSIONS) not in ([first], []) and len(page.evaluate(VERSIONS)) == 1, page
    )
    connection.cut()
    page.reload()
    page.wait_for_selector("body[data-ready=game]")
    screen.type_move("d4-c5")
    expect(screen.get("move-3")).to_have_text("d4-c5")
    visitors.give_back(connection.address)
    connection.close()
    server.terminate()
    wait_until_stopped(server)
