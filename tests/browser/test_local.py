"""Games without a network: the server cannot be reached, the browser is offline, and the page is loaded again."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Visitors
from browser.network import Connection, bad_gateway, serving
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

KEPT = """async (language) => {
    const names = (await caches.keys()).filter((name) => name.startsWith(`damas-local-3-${language}-`));
    const lists = names.map(async (name) => (await caches.open(name)).match('/words/local-files.json'));
    return (await Promise.all(lists)).some(Boolean);
}"""
"""Whether all that is needed in a language is kept."""

NO_DATABASE = """() => {
    IDBFactory.prototype.open = () => { throw new DOMException('no space', 'QuotaExceededError'); };
}"""


SET_UP = """game => new Promise((resolve, reject) => {
    const record = { version: 2, hash: '', lot: null, events: [], moves: [], result: null, reason: null, fen: '',
        created_ms: Date.now(), updated_ms: Date.now(), ...game };
    const opening = indexedDB.open('damas');
    opening.onsuccess = () => {
        const change = opening.result.transaction('games', 'readwrite');
        change.objectStore('games').put(record);
        change.oncomplete = () => { opening.result.close(); resolve(); };
        change.onabort = () => reject(change.error);
    };
})"""
"""Stores a game as the page itself does."""

FORGET = """() => new Promise((resolve, reject) => {
    localStorage.clear();
    const opening = indexedDB.open('damas');
    opening.onsuccess = () => {
        const names = [...opening.result.objectStoreNames];
        const change = opening.result.transaction(names, 'readwrite');
        for (const name of names) change.objectStore(name).clear();
        change.oncomplete = () => { opening.result.close(); resolve(); };
        change.onabort = () => reject(change.error);
    };
})"""
"""Clears all that pages keep but the files of the service worker."""


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


def lose_server(screen: Screen, connection: Connection) -> None:
    """The server is reached no more, and the browser is offline: the page is loaded again."""
    connection.close()
    screen.page.context.set_offline(True)
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=home]")


@pytest.fixture(scope="module")
def prepared(server: str, chromium: Browser) -> Iterator[Screen]:
    """A phone that has once been at the home page, and has no network any more. `errors` has the server's sentence."""
    visitors = Visitors(chromium, reuse=False)  # its own: a test that gives its visitors back closes them all
    connection = Connection(server)
    screen = Screen(visitors.take("phone", "pt-BR", {}), connection.address)
    screen.go("/", ready="home")
    wait_until_prepared(screen.page)
    screen.errors.append(refusal_of_the_server(screen.page, rulebook="brasileira", move="c3-e5"))
    lose_server(screen, connection)
    yield screen
    visitors.give_back(connection.address)


@pytest.fixture
def alone(prepared: Screen) -> Iterator[Screen]:
    """That phone in a new window, with no game in it."""
    screen = Screen(prepared.page.context.new_page(), prepared.address, prepared.errors)
    screen.go("/", ready="home").page.evaluate(FORGET)
    screen.go("/", ready="home")
    yield screen
    screen.page.close()


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


@pytest.mark.parametrize("level", [10, 9])
def test_the_level_that_thinks_by_the_clock_has_threads(alone: Screen, level: int) -> None:
    workers: list[str] = []
    alone.page.on("worker", lambda worker: workers.append(worker.url.rpartition("/")[2]))
    choose(alone, "portuguesa", level)
    start(alone)
    alone.type_move(alone.legal()[0])
    expect(alone.get("move-2")).to_be_visible()
    has_threads = level == 10 and alone.page.evaluate("navigator.hardwareConcurrency") > 1
    assert ("thread.js" in workers) == has_threads


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


def set_up(screen: Screen, rulebook: str, fen: str, **terms: object) -> None:
    """Opens a game of two on this device that begins with another position."""
    record = {"rulebook": rulebook, "start": fen, "preset": "casual", "time": "none", "level": None, **terms}
    screen.page.evaluate(SET_UP, {"id": "set-up", "you": "both", **record})
    screen.page.goto(f"{screen.address}/local?id=set-up")
    screen.page.wait_for_selector("body[data-ready=game]")


def test_a_school_game_with_a_touched_piece_and_a_count_that_is_called_for(alone: Screen) -> None:
    page = alone.page
    choose(alone, "faraes")
    alone.get("play-options").click()
    page.locator("label", has=alone.get("preset-school")).click()
    start(alone, "play-device")
    alone.wait_for_names("movable", set())
    alone.move("c3", "d4")
    alone.tap("f6")
    expect(alone.square("f6")).to_have_class(re.compile("bound"))
    alone.tap("d6")
    expect(alone.get("explain")).to_contain_text("Art. 15")
    page.reload()
    page.wait_for_selector("body[data-ready=game]")
    expect(alone.square("f6")).to_have_class(re.compile("bound"))
    expect(page.locator("#table-news")).to_contain_text("Art. 15")
    set_up(alone, "faraes", "W:WKg1,Kc1,Ka3:BKb8", preset="school")
    page.locator("[data-testid^=claim-]").first.click()
    expect(alone.get("counters")).to_contain_text("0 de 13 lances do lado mais forte")
    alone.move("g1", "h2")
    expect(alone.get("counters")).to_contain_text("1 de 13")
    alone.get("offer-draw").click()
    alone.get("offer-draw-confirm").click()
    alone.get("accept").click()
    expect(alone.get("result-sentence")).to_contain_text("Empate: comum acordo dos jogadores")
    alone.assert_fits()


def test_a_page_that_is_behind_shows_the_game_and_takes_nothing_back(alone: Screen) -> None:
    page = alone.page
    start(alone, "play-device")
    behind = Screen(page.context.new_page(), alone.address)
    behind.page.goto(page.url)
    behind.page.wait_for_selector("body[data-ready=game]")
    alone.type_move("c3-d4")
    expect(alone.get("move-1")).to_be_visible()
    behind.type_move("a3-b4")
    expect(behind.get("move-1")).to_have_text("c3-d4")
    alone.type_move("f6-g5")
    expect(alone.get("move-2")).to_be_visible()
    behind.type_move("b6-a5")
    expect(behind.get("move-2")).to_have_text("f6-g5")
    behind.type_move("g3-f4")
    expect(behind.get("move-3")).to_be_visible()
    behind.resign()
    expect(behind.get("result-sentence")).to_be_visible()
    alone.type_move("g3-h4")
    expect(alone.get("result-sentence")).to_be_visible()
    expect(alone.get("move-3")).to_have_text("g3-f4")
    behind.page.close()


def test_a_damaged_record_hides_no_other_game(alone: Screen) -> None:
    set_up(alone, "brasileira", "W:WKc1,a5:BKf8,h6")
    alone.page.evaluate(SET_UP, {"id": "damaged", "version": None, "moves": None})
    # No day of any calendar:
    alone.page.evaluate(SET_UP, {"id": "never", "rulebook": "brasileira", "updated_ms": 1e300})
    for path in ("/", "/games"):
        alone.page.goto(alone.address + path)
        expect(alone.page.locator('a[href*="id=set-up"]').first).to_be_visible()
    alone.page.goto(f"{alone.address}/local?id=damaged")
    expect(alone.get("connection")).to_be_visible()


def test_a_draw_that_the_platform_offers_and_an_invalid_move_that_loses(alone: Screen) -> None:
    page = alone.page
    set_up(alone, "brasileira", "W:WKc1,a5:BKf8,h6")
    for move in ("c1-d2", "f8-e7", "d2-c1", "e7-f8") * 2:
        alone.type_move(move)
    alone.get("claim-platform-third-occurrence").click()
    expect(alone.get("result-sentence")).to_contain_text(
        "a mesma posição apareceu 3 vezes, na posição inicial e após os lances 2 e 4 das pretas"
    )
    page.goto(alone.address)
    page.wait_for_selector("body[data-ready=home]")
    choose(alone, "concurso")
    page.locator("label", has=alone.get("by-document")).click()
    alone.get("play-options").click()
    expect(alone.get("lot-line")).to_be_visible()
    start(alone)
    page.wait_for_function("() => document.querySelector('#board').awaitsMove")
    alone.enter("0,0 7,7")
    expect(alone.get("result-sentence")).to_contain_text("lance inválido, “0,0 7,7”")


def test_what_needs_the_server_says_so(alone: Screen) -> None:
    alone.get("play-friend").click()
    expect(alone.get("play-trouble")).to_contain_text("Sem conexão, joga-se contra o computador")
    expect(alone.page.locator("#lobby")).to_be_hidden()  # nobody can say who seeks a game
    alone.assert_fits()
    alone.page.goto(f"{alone.address}/arena")
    expect(alone.get("offline-page")).to_be_visible()
    assert alone.box("[data-testid=again]")["top"] > alone.box("[data-testid=kept-pages]")["bottom"]
    expect(alone.get("offline-page")).to_have_css("border-top-style", "solid")  # its sheet is kept too


def test_the_analysis_board_works_without_a_network(alone: Screen) -> None:
    start(alone, "play-device")
    alone.type_move("c3-d4")
    alone.type_move("f6-g5")  # before that a game is called off, not resigned
    expect(alone.get("move-2")).to_be_visible()
    for sentence in ("Você está jogando esta partida", "Profundidade"):
        alone.get("analyse").click()
        alone.page.wait_for_selector("body[data-ready=analysis]")
        expect(alone.get("moves").locator(".move")).to_have_count(2)
        alone.page.evaluate("document.querySelector('[data-testid=engine][aria-pressed=false]')?.click()")
        expect(alone.get("engine-depth")).to_contain_text(sentence)
        alone.page.go_back()
        alone.page.wait_for_selector("body[data-ready=game]")
        if alone.get("resign").is_visible():
            alone.resign()
            expect(alone.get("result-sentence")).to_be_visible()
    alone.go("/analysis?rulebook=brasileira", ready="analysis")
    assert alone.page.evaluate("crossOriginIsolated"), "kept pages may share memory among threads too"
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
    for fen, sentence in (
        ("W:WKa1,Kg1:BKb8", "Empate"),
        ("W:Wa3,c3:Bb6,d6", "de 4, só o servidor pode ter"),
        ("W:W:Bb6,d6,f6,h6", "ficaram sem peças"),
    ):
        alone.get("fen").fill(fen)
        alone.get("fen").press("Enter")
        expect(alone.get("tablebase-sentence")).to_contain_text(sentence)
    alone.get("fen").fill("W:Wc3:Bd6,h8")
    alone.get("fen").press("Enter")
    alone.page.wait_for_function("() => document.querySelector('#board').legal.length === 2")
    alone.get("play-from-here").click()
    alone.get("here-friend").check()
    alone.get("here-go").click()
    expect(alone.get("here-problem")).to_contain_text("Sem conexão")  # nobody is there to be invited
    alone.get("here-device").check()
    start(alone, "here-go")
    alone.type_move("c3-d4")
    alone.type_move("d6-c5")  # both sides
    alone.page.go_back()
    alone.page.wait_for_function("() => document.querySelector('#board').legal.length === 2")
    alone.get("play-from-here").click()
    alone.get("here-level").check()
    start(alone, "here-go")
    alone.type_move("c3-d4")
    expect(alone.get("move-2")).to_be_visible()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that a test may end."""
    with serving(tmp_path / "data") as server:
        yield server


def test_languages_that_were_visited_are_kept(
    own_server: tuple[subprocess.Popen[str], str], visitors: Visitors
) -> None:
    server, address = own_server
    page = visitors.take("phone", "pt-BR", {})
    screen = Screen(page, address)
    for language in ("pt-BR", "en"):
        screen.go(f"/?lang={language}", ready="home")
        wait_until(lambda language=language: bool(page.evaluate(KEPT, language)), page)
    server.kill()
    server.wait()
    page.context.set_offline(True)
    shown = page.locator("html")
    screen.go("/rules")
    expect(shown).to_have_attribute("lang", "en")
    for language in ("pt-BR", "en", "pt-BR"):
        screen.get("language").locator("summary").click()
        screen.get(f"language-{language}").click()
        expect(shown).to_have_attribute("lang", language)
        screen.go("/", ready="home")
        expect(shown).to_have_attribute("lang", language)
    start(screen, "play-device")
    screen.enter("c3-e5")
    expect(screen.get("explain")).to_contain_text("casa")
    screen.go("/?lang=es", ready="")
    expect(screen.get("not-in-language")).to_contain_text("Neste idioma este aparelho não guardou nada ainda")
    screen.assert_fits()
    screen.go("/learn")
    expect(shown).to_have_attribute("lang", "pt-BR")
    expect(screen.get("not-in-language")).to_have_count(0)
    visitors.give_back(address)


def test_a_proxy_without_its_server_is_as_good_as_no_network(
    own_server: tuple[subprocess.Popen[str], str], visitors: Visitors
) -> None:
    server, address = own_server
    screen = Screen(visitors.take("phone", "pt-BR", {}), address)
    screen.go("/", ready="home")
    wait_until_prepared(screen.page)
    server.kill()
    server.wait()
    with bad_gateway(address):
        screen.go("/", ready="home")
        start(screen)
        screen.enter("c3-e5")
        expect(screen.get("explain")).to_contain_text("casa")
        screen.type_move("c3-d4")
        expect(screen.get("move-2")).to_be_visible()
        screen.go("/analysis?rulebook=brasileira", ready="analysis")
        screen.page.evaluate("document.querySelector('[data-testid=engine][aria-pressed=false]')?.click()")
        expect(screen.get("engine-depth")).to_contain_text("Profundidade")
        screen.go("/arena")
        expect(screen.get("offline-page")).to_be_visible()
    visitors.give_back(address)


def test_a_browser_that_keeps_nothing_says_so(alone: Screen) -> None:
    page, sentence = alone.page, "não conseguiu guardar a partida"
    start(alone, "play-device")
    alone.type_move("c3-d4")
    alone.type_move("f6-g5")
    expect(alone.get("move-2")).to_be_visible()
    page.evaluate(NO_DATABASE)
    alone.enter("d4-c5")
    expect(alone.get("explain")).to_contain_text(sentence)
    expect(alone.get("move-3")).to_have_count(0)
    alone.resign()
    expect(alone.get("connection")).to_contain_text(sentence)
    alone.assert_fits()
    page.reload()
    page.wait_for_selector("body[data-ready=game]")
    alone.type_move("d4-c5")
    page.goto(alone.address)
    page.wait_for_selector("body[data-ready=home]")
    page.evaluate(NO_DATABASE)
    alone.get("quick-play").click()
    expect(alone.get("play-trouble")).to_contain_text(sentence)


@pytest.fixture
def own_files(tmp_path: Path) -> Path:
    """A copy of the scripts and styles that a test may change."""
    return Path(shutil.copytree(FOLDER, tmp_path / "static"))


@pytest.fixture
def connection(tmp_path: Path, own_files: Path) -> Iterator[Connection]:
    """The line to a server of these scripts and styles."""
    with serving(tmp_path / "data", static=own_files) as (_, address):
        connection = Connection(address)
        yield connection
        connection.close()


def test_an_update_leaves_an_open_game_alone(
    own_files: Path, connection: Connection, visitors: Visitors
) -> None:
    page = visitors.take("phone", "pt-BR", {})
    screen = Screen(page, connection.address)
    screen.go("/", ready="home")
    wait_until_prepared(page)
    (first,) = page.evaluate(VERSIONS)
    connection.cut()
    start(screen, "play-device")
    screen.type_move("c3-d4")
    for name in ("sw.js", "local/worker.js"):
        file = own_files / name
        file.write_text(file.read_text().replace("damas-5", "damas-next") + "// new\n")
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
