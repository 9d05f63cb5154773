"""The analysis board in a real browser: P3, P4, P5, P8, P9, P13, P14, and what else one does there."""

import re
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Route, expect

from browser.codes import read
from browser.screen import SIZES, Open, Screen, tour, wait_until
from damas.rules import rulebook_ids
from damas.server.security.headers import FIXED


def opened(screen: Screen, rulebook: str, fen: str = "", moves: str = "") -> Screen:
    fields = {"rulebook": rulebook, "fen": fen, "moves": moves}
    query = "&".join(f"{name}={quote(value, safe=':,')}" for name, value in fields.items() if value)
    return screen.go(f"/analysis?{query}", ready="analysis")


def buttons(screen: Screen) -> Locator:
    """The moves of the list."""
    return screen.get("moves").locator(".move")


def moves(screen: Screen) -> list[str]:
    """The moves of the list, each as the rulebook writes it."""
    return [str(button.get_attribute("title")).split(" · ")[0] for button in buttons(screen).all()]


def wait_for_moves(screen: Screen, count: int) -> list[str]:
    expect(buttons(screen)).to_have_count(count)
    return moves(screen)


# P3


def test_p3_a_smaller_capture_is_refused_by_its_article(screen: Screen) -> None:
    opened(screen, "faraes", "W:Wc3:Bb4,d4,f6")
    screen.drag("c3", "a5")
    explain = screen.get("explain")
    expect(explain).to_contain_text("Art. 7")
    expect(explain).to_contain_text("2 peças")
    expect(explain).to_have_attribute("role", "alert")
    expect(screen.square("c3")).to_have_attribute("aria-label", re.compile("pedra branca"))
    expect(screen.square("a5")).to_have_attribute("aria-label", re.compile("vazia"))
    expect(screen.square("e5")).to_have_attribute("data-path", "1")
    expect(screen.square("g7")).to_have_attribute("data-path", "2")
    for ringed in ("d4", "f6"):
        expect(screen.square(ringed)).to_have_class(re.compile(r"\bringed\b"))
    expect(screen.square("b4")).not_to_have_class(re.compile(r"\bringed\b"))
    screen.get("play-that").click()
    expect(screen.square("g7")).to_have_attribute("aria-label", re.compile("pedra branca"))
    assert wait_for_moves(screen, 1) == ["c3xe5xg7"]


# P4


def test_p4_two_paths_to_one_square_are_chosen_between(screen: Screen):
    opened(screen, "internacional", "W:WK4:B13,32,37,20")
    screen.move("4", "15")
    chooser = screen.get("path-chooser")
    expect(chooser).to_be_visible()
    expect(chooser).to_contain_text("4x27x38x15")
    expect(chooser).to_contain_text("4x31x42x15")
    assert screen.page.locator(".ghost-path").count() == 2
    screen.page.keyboard.press("Escape")
    expect(chooser).to_be_hidden()
    assert moves(screen) == []
    screen.move("4", "15")
    screen.page.keyboard.press("2")
    expect(chooser).to_be_hidden()
    assert wait_for_moves(screen, 1)[0] in ("4x27x38x15", "4x31x42x15")


# P5


def test_p5_only_the_piece_that_must_capture_is_outlined(screen: Screen):
    opened(screen, "brasileira", "W:Wc3,h2:Bd4")
    expect(screen.page.locator("[data-testid=board] .movable")).to_have_count(1)
    expect(screen.square("c3")).to_have_class(re.compile(r"\bmovable\b"))
    screen.tap("h2")
    expect(screen.get("explain")).to_contain_text("Captura obrigatória")


# P13


def test_p13_a_man_that_only_passes_the_last_row_stays_a_man(screen: Screen) -> None:
    opened(screen, "faraes", "W:Wf6:Be7,c7")
    screen.drag("f6", "b6")
    expect(screen.square("b6")).to_have_attribute("aria-label", re.compile("pedra branca"))
    expect(screen.get("not-crowned")).to_contain_text("Art. 9")
    title = buttons(screen).get_attribute("title")
    assert "Art. 9" in str(title)
    opened(screen, "faraes", "W:Wf6:Be7")
    screen.drag("f6", "d8")
    expect(screen.square("d8")).to_have_attribute("aria-label", re.compile("dama branca"))
    expect(screen.get("not-crowned")).to_be_hidden()


# P14


def test_p14_a_move_in_any_scheme_and_the_page_says_which(screen: Screen) -> None:
    opened(screen, "brasileira")
    for text, scheme in (
        ("22-18", "1 no alto à esquerda"),
        ("c3-d4", "letras"),
        ("c3d4", "letras"),
        ("2,2 3,3", "linha e coluna"),
    ):
        screen.enter(text)
        expect(screen.square("d4")).to_have_attribute("aria-label", re.compile("pedra branca"))
        expect(screen.get("read-as")).to_contain_text(scheme)
        expect(screen.get("read-as")).to_contain_text("c3-d4")
        screen.get("first").click()


def test_p14_another_numbering_is_offered_and_not_played(screen: Screen):
    opened(screen, "brasileira")
    screen.enter("9-13")
    expect(screen.get("explain")).to_contain_text("a3-b4")
    assert moves(screen) == []
    screen.get("play-hint").click()
    expect(screen.square("b4")).to_have_attribute("aria-label", re.compile("pedra branca"))
    assert wait_for_moves(screen, 1) == ["a3-b4"]


# P8


def a_poor_game(screen: Screen, book: str) -> str:
    """A game on one device in which both sides move at random until one resigns."""
    game, dice = screen.start(book), Random(7)
    for _ in range(24):
        position = screen.page.request.get(f"{screen.address}/api/games/{game}").json()["view"]
        screen.post(f"/api/board/game/{game}/move/{dice.choice(position['legal'])['text']}")
    screen.post(f"/api/board/game/{game}/resign")
    return game


@pytest.mark.parametrize("book", tour("portuguesa", "brasileira"))
def test_p8_a_game_is_reported_on_and_played_again_from_a_mistake(screen: Screen, book: str) -> None:
    game = a_poor_game(screen, book)
    screen.go(f"/analysis?game={game}", ready="analysis")
    expect(screen.get("report-graph")).to_be_visible()
    for place in (1, 2, 3):
        worst = screen.get(f"worst-{place}")
        expect(worst.get_by_test_id("sentence")).not_to_be_empty()
        expect(worst.get_by_test_id("play-again")).to_contain_text("Jogue de novo daqui")
    screen.assert_accessible()
    first = screen.get("worst-1").get_by_test_id("sentence").inner_text()
    screen.page.reload()
    expect(screen.get("worst-1").get_by_test_id("sentence")).to_have_text(first)
    screen.get("moment-1").click()
    screen.assert_accessible()
    screen.get("worst-1").get_by_test_id("play-again").click()
    screen.get("here-go").click()
    screen.page.wait_for_url(re.compile(r"/game/[\w-]+$"))
    assert screen.page.url.rpartition("/")[2] != game


def test_a_shot_is_shown_step_by_step(screen: Screen):
    opened(screen, "brasileira", "W:Wb2,a3,a5,g7:Bd2,d6,c7", moves="g7-h8")
    screen.get("report-start").click()
    worst = screen.get("worst-1")
    expect(worst.get_by_test_id("sentence")).to_contain_text("golpe")
    expect(worst.get_by_test_id("motif")).to_have_text("Golpe de 2 por 1")
    screen.get("moment-1").click()
    expect(screen.get("moment-1")).to_have_attribute("aria-expanded", "true")
    expect(screen.get("shot-sum")).to_contain_text("Entrega 1 peça, toma 2")
    expect(screen.page.locator("#board .arrow")).to_have_count(1)
    for name in ("c3", "b4", "e7"):
        screen.get("shot-next").click()
        expect(screen.square(name)).to_have_class(re.compile("last-move"))
    expect(screen.page.locator("#board .arrow")).to_have_count(0)
    screen.get("shot-back").click()
    expect(screen.square("b4")).to_have_class(re.compile("last-move"))
    screen.get("moment-1").click()
    expect(screen.get("stepper")).to_have_count(0)


def test_a_moment_is_opened_and_stepped_through_by_keys(screen: Screen):
    opened(screen, "brasileira", "W:Wb2,a3,a5,g7:Bd2,d6,c7", moves="g7-h8")
    screen.get("report-start").click()
    screen.get("moment-1").focus()
    screen.page.keyboard.press("Enter")
    screen.get("shot-next").focus()
    for name in ("c3", "b4", "e7"):
        screen.page.keyboard.press("ArrowRight")
        expect(screen.square(name)).to_have_class(re.compile("last-move"))
    screen.page.keyboard.press("ArrowLeft")
    expect(screen.square("b4")).to_have_class(re.compile("last-move"))


IN_VIEW = """elements => elements.every(element => {
    const box = element.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
})"""


SCREENS = [*SIZES.values(), (360, 740)]


def test_the_report_is_what_one_sees(open_screen: Open) -> None:
    """Board, graph and the three moments with their sentences, without scrolling."""
    screen = open_screen("desk")
    game = a_poor_game(screen, "brasileira")
    for width, height in SCREENS:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.go(f"/analysis?game={game}", ready="analysis")
        for place in (1, 2, 3):
            expect(screen.get(f"worst-{place}").get_by_test_id("sentence")).to_be_visible()
        seen = "#board, [data-testid=report-graph], .worst-title, .worst [data-testid=sentence]"
        elements = screen.page.locator(seen)
        assert elements.count() == 8
        wait_until(lambda shown=elements: shown.evaluate_all(IN_VIEW), screen.page)
        assert screen.page.evaluate("document.documentElement.scrollWidth") == width
        screen.get("moment-2").click()
        stepper = screen.page.locator("#board, [data-testid=shot-next]")
        wait_until(lambda shown=stepper: shown.evaluate_all(IN_VIEW), screen.page)


def test_a_refusal_is_in_view(open_screen: Open) -> None:
    screen = open_screen("desk")
    covered = """() => {
        const [board, panel] = ["#board", "[data-testid=explain-panel]"]
            .map(name => document.querySelector(name).getBoundingClientRect());
        return panel.left < board.right && panel.top < board.bottom;
    }"""
    for width, height in SCREENS:
        screen.page.set_viewport_size({"width": width, "height": height})
        opened(screen, "brasileira", "W:Wc3,h2:Bd4")
        screen.tap("h2")
        expect(screen.get("explain")).to_contain_text("Captura obrigatória")
        seen = screen.page.locator("#board, [data-testid=explain-panel], [data-testid=see-article]")
        wait_until(lambda shown=seen: shown.evaluate_all(IN_VIEW), screen.page)
        assert not screen.page.evaluate(covered), "the refusal is over the board"
        screen.get("close-explain").click()
        expect(screen.get("explain-panel")).to_be_hidden()


# P9


def test_p9_the_code_leads_to_the_same_page_and_files_are_there(screen: Screen) -> None:
    opened(screen, "faraes", "W:Wc3:Bb4,d4,f6", moves="c3xe5xg7")
    screen.get("share").click()
    expect(screen.get("share-dialog")).to_be_visible()
    address = screen.get("share-link").input_value()
    assert address == screen.page.url and parse_qs(urlsplit(address).query)["moves"] == ["c3xe5xg7"]
    assert read(screen.get("share-qr")) == address
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF89a")):
        file = screen.page.request.get(screen.address + screen.get(f"share-{kind}").get_attribute("href"))
        assert file.ok and file.body().startswith(start)
    with screen.page.expect_download() as download:
        screen.get("share-pdn").click()
    assert "c3xg7" in Path(download.value.path()).read_text()
    screen.assert_accessible()


def test_p9_the_address_opens_the_same_board_for_somebody_else(open_screen: Open) -> None:
    ana, rui = open_screen("desk"), open_screen("phone", "es")
    opened(ana, "brasileira")
    ana.enter("c3-d4")
    expect(ana.square("d4")).to_have_class(re.compile("last-move"))
    ana.enter("f6-g5")
    expect(ana.square("g5")).to_have_class(re.compile("last-move"))
    rui.go(ana.page.url.removeprefix(ana.address), ready="analysis")
    expect(rui.square("g5")).to_have_attribute("aria-label", re.compile("ficha negra"))
    assert wait_for_moves(rui, 2) == ["c3-d4", "f6-g5"]


# The engine and the tables


def test_the_engine_shows_its_lines_arrows_and_bar(screen: Screen):
    opened(screen, "brasileira")
    screen.page.keyboard.press("l")
    expect(screen.get("engine")).to_have_attribute("aria-pressed", "true")
    expect(screen.page.locator("[data-testid=engine-lines] > li")).to_have_count(3)
    expect(screen.get("engine-depth")).to_contain_text("Profundidade")
    assert screen.page.evaluate("crossOriginIsolated")
    if screen.page.evaluate("navigator.hardwareConcurrency") > 1:
        expect(screen.get("engine-depth")).to_contain_text("processadores")
    expect(screen.get("eval-bar")).to_have_attribute("aria-label", re.compile("brancas"))
    expect(screen.page.locator("#board .arrow")).to_have_count(3)
    screen.page.keyboard.press("a")
    expect(screen.page.locator("#board .arrow")).to_have_count(0)
    screen.page.keyboard.press("Space")
    expect(buttons(screen)).to_have_count(1)
    screen.page.keyboard.press("l")
    expect(screen.page.locator("[data-testid=engine-lines] > li")).to_have_count(0)


STOPS = """
window.stops = 0;
const send = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message) {
    if (message.ask === 'stop') window.stops += 1;
    send.call(this, message);
};
"""
LOOK_AWAY = """() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    delete document.hidden;
}"""


def test_the_engine_thinks_on_this_device_and_on_the_server_by_choice(screen: Screen) -> None:
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    screen.page.add_init_script(STOPS)
    lines = screen.page.locator("[data-testid=engine-lines] > li")
    opened(screen, "brasileira", moves="c3-d4.f6-g5")
    screen.get("engine").click()
    expect(lines).to_have_count(3)
    screen.get("report-start").click()
    expect(screen.get("report-graph")).to_be_visible()
    searches = ("/api/analysis/stream", "/api/analysis/report")
    assert not {*asked} & {*searches}, "this device searches"
    assert {"/api/analysis/fair", "/api/analysis/judge"} <= {*asked}, (
        "the server says whether it may, and judges"
    )
    screen.page.evaluate(LOOK_AWAY)
    expect(lines).to_have_count(0)
    assert screen.page.evaluate("window.stops") == 1, "nobody looks, and the worker stops"
    with screen.page.expect_request("**/api/analysis/stream?*"):
        screen.page.locator("label", has=screen.get("engine-place-server")).click()
    expect(lines).to_have_count(3)
    with screen.page.expect_request("**/api/analysis/stream?*"):
        screen.page.reload()
    expect(screen.get("engine-place-server")).to_be_checked()
    screen.assert_accessible()


WEAK = {
    "no WebAssembly": "delete window.WebAssembly",
    "slow": """window.Worker = class extends EventTarget {
        postMessage({ n }) {
            const data = { n, progress: { depth: 1, nodes: 9, nodes_per_second: 5, lines: [] } };
            this.dispatchEvent(new MessageEvent('message', { data }));
        }
    }""",
    "broken": """window.Worker = class extends EventTarget {
        postMessage() { this.dispatchEvent(new ErrorEvent('error', { message: 'out of order' })); }
        terminate() {}
    }""",
}
"""Scripts that make a device weak."""


@pytest.mark.parametrize("weakness", tour("slow", "broken", "no WebAssembly"))
def test_a_weak_device_leaves_its_searches_to_the_server(open_screen: Open, weakness: str) -> None:
    screen = open_screen()
    screen.page.add_init_script(WEAK[weakness])
    opened(screen, "brasileira")
    with screen.page.expect_request("**/api/analysis/stream?*"):
        screen.get("engine").click()
    expect(screen.page.locator("[data-testid=engine-lines] > li")).to_have_count(3)


BROKEN_THREAD = """addEventListener('message', () => {
    new BroadcastChannel('thread').postMessage('broken');
    throw new Error('out of order');
});"""
NOTE_BROKEN = (
    """new BroadcastChannel('thread').addEventListener('message', () => { window.isBroken = true; });"""
)


def test_a_thread_that_fails_is_left_out(open_screen: Open) -> None:
    screen = open_screen()
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    screen.page.add_init_script(NOTE_BROKEN)
    script = {"content_type": "text/javascript", "body": BROKEN_THREAD, "headers": FIXED}
    screen.page.context.route("**/static/bundle/thread.js", lambda route: route.fulfill(**script))
    opened(screen, "brasileira")
    if screen.page.evaluate("navigator.hardwareConcurrency") == 1:
        pytest.skip("with one processor there are no threads")
    screen.get("engine").click()
    wait_until(lambda: screen.page.evaluate("window.isBroken"), screen.page)
    lines = screen.page.locator("[data-testid=engine-lines] > li")
    for move in ("c3-d4", "f6-g5"):
        expect(lines).to_have_count(3)
        screen.type_move(move)
    expect(lines).to_have_count(3)
    assert "/api/analysis/stream" not in asked, "this device searches on with the other threads"


SEARCH_ALL = """async ids => {
    const { CoreWorker } = await import('/static/local/core-worker.js');
    const core = new CoreWorker('threads');
    for (const rulebook of ids) {
        const found = new AbortController(), watch = { signal: found.signal, report: () => found.abort() };
        await core.ask('analyse', { rulebook, fen: '', moves: [], lines: 1 }, watch)
            .catch(({ message }) => { throw new Error(`${rulebook}: ${message}`); });
    }
    core.close();
}"""
"""Searches under each rulebook, as somebody does who changes the rulebook of a page again and again."""


def test_any_number_of_rulebooks_is_searched_in_one_worker(screen: Screen) -> None:
    opened(screen, "brasileira")
    screen.page.evaluate(SEARCH_ALL, rulebook_ids())


def test_nobody_gets_help_in_a_game_that_goes_on(screen: Screen) -> None:
    game = screen.start("brasileira")
    screen.type_move("c3-d4")
    expect(screen.get("move-1")).to_be_visible()
    for query in (f"game={game}", "rulebook=brasileira&moves=c3-d4.f6-g5"):
        screen.go(f"/analysis?{query}", ready="analysis")
        screen.page.evaluate("document.querySelector('[data-testid=engine][aria-pressed=false]')?.click()")
        expect(screen.get("engine-depth")).to_contain_text("Você está jogando esta partida")
        expect(screen.page.locator("[data-testid=engine-lines] > li")).to_have_count(0)
        screen.get("report-start").click()
        expect(screen.get("report")).to_contain_text("Você está jogando esta partida")
    screen.errors.clear()  # the browser notes every 403 by itself


def test_the_tables_say_whether_the_limit_leaves_time_to_win(screen: Screen):
    opened(screen, "faraes", "W:WKg1,Kc1,Ka3:BKb8")
    sentence = screen.get("tablebase-sentence")
    expect(sentence).to_contain_text("Art. 12")
    opened(screen, "faraes", "W:WKg1,Kc1,Ka3:BKb8", moves=".".join(["g1-h2", "b8-a7", "h2-g1", "a7-b8"] * 4))
    expect(screen.get("tablebase")).to_have_attribute("data-verdict", "cursed-win")
    expect(screen.get("counters")).to_contain_text("8")


# The tree


def test_variations_are_made_promoted_commented_and_deleted(screen: Screen):
    opened(screen, "brasileira")
    for text in ("c3-d4", "f6-g5"):
        screen.enter(text)
        expect(screen.get("moves").locator("[aria-current]")).to_have_attribute("title", text)
    screen.page.locator("body").click(position={"x": 2, "y": 2})
    screen.page.keyboard.press("ArrowLeft")
    screen.page.keyboard.press("ArrowLeft")
    screen.enter("e3-f4")
    expect(screen.page.locator(".variation .move")).to_have_attribute("title", "e3-f4")
    screen.get("move-tools").click()
    screen.get("comment").fill("Um começo calmo <b>")
    screen.get("comment").blur()
    expect(screen.page.locator(".variation .move-comment")).to_have_text("Um começo calmo <b>")
    screen.get("promote").click()
    expect(screen.page.locator(".main-line > li > .move").first).to_have_attribute("title", "e3-f4")
    screen.get("export").click()
    expect(screen.get("export-pdn")).to_have_value(
        re.compile(r"1\. e3-f4 \{Um começo calmo <b>\} \( 1\. c3-d4 f6-g5 \)")
    )
    screen.page.keyboard.press("Escape")
    screen.get("delete").click()
    expect(screen.page.locator(".variation")).to_have_count(0)
    assert wait_for_moves(screen, 2) == ["c3-d4", "f6-g5"]


def test_a_move_typed_before_the_last_is_answered_is_read_after_it(screen: Screen) -> None:
    opened(screen, "brasileira")
    held: list[Route] = []

    def keep_the_first(route: Route) -> None:
        route.continue_() if held else held.append(route)

    screen.page.route("**/api/analysis/line", keep_the_first)
    for text in ("c3-d4", "f6-g5"):
        screen.enter(text)
        expect(buttons(screen)).to_have_count(1)
    held[0].continue_()
    assert wait_for_moves(screen, 2) == ["c3-d4", "f6-g5"]


def test_a_pdn_is_imported_with_its_variations_and_a_bad_one_explained(screen: Screen):
    opened(screen, "brasileira")
    screen.get("import").click()
    screen.get("import-text").fill("1. c3-d4 (1. e3-f4) f6-g5 2. b2-c3 *")
    screen.get("import-read").click()
    expect(buttons(screen)).to_have_count(4)
    screen.get("import").click()
    screen.get("import-text").fill("1. c3-d4 f6-g5 2. b2-b3 *")
    screen.get("import-read").click()
    expect(screen.get("import-results")).to_contain_text("b2-b3")


def test_variations_and_comments_outlive_a_reload(screen: Screen) -> None:
    opened(screen, "brasileira")
    screen.enter("c3-d4")
    wait_for_moves(screen, 1)
    screen.get("back").click()
    screen.enter("e3-f4")
    wait_for_moves(screen, 2)
    screen.get("move-tools").click()
    screen.get("comment").fill("calmo")
    screen.get("comment").blur()
    expect(screen.page.locator(".move-comment")).to_have_text("calmo")
    screen.page.reload()
    assert wait_for_moves(screen, 2) == ["c3-d4", "e3-f4"]
    expect(screen.page.locator(".move-comment")).to_have_text("calmo")
    expect(screen.page.locator(".move[aria-current]")).to_have_attribute("title", "e3-f4")


def test_a_stored_game_that_cannot_be_shown_is_forgotten(open_screen: Open) -> None:
    screen = opened(open_screen(), "brasileira", moves="c3-d4")
    tree = {"fen": "", "tags": {}, "result": "*", "comments": [], "moves": []}
    for spoilt in ({}, {**tree, "rulebook": "xadrez"}, {**tree, "rulebook": "faraes", "fen": "lixo"}):
        stored = {"tree": spoilt, "moves": []}
        screen.page.evaluate(
            "stored => sessionStorage['damas.analysis.tree'] = JSON.stringify({address: location.search, ...stored})",
            stored,
        )
        screen.page.reload()
        assert wait_for_moves(screen, 1) == ["c3-d4"]
        expect(screen.square("d4")).to_have_attribute("aria-label", re.compile("pedra branca"))
        expect(screen.get("state")).to_have_text("Pretas jogam")
        expect(screen.get("rulebook")).to_have_value("brasileira")
        kept = screen.page.evaluate("JSON.parse(sessionStorage['damas.analysis.tree']).tree.rulebook")
        assert kept == "brasileira", "what was there is not tried again"
    screen.errors.clear()  # the browser notes every 400 and 404 by itself


def test_a_lost_network_takes_no_moves_away(screen: Screen) -> None:
    opened(screen, "brasileira", moves="c3-d4.f6-g5.b2-c3")
    network = screen.page.context
    network.set_offline(True)
    for step in ("back", "first"):
        screen.get(step).click()
        expect(screen.page.locator(".toast").last).to_contain_text("O servidor não responde")
        expect(buttons(screen)).to_have_count(3)
    expect(screen.square("c3")).to_have_attribute("aria-label", re.compile("pedra branca"))
    network.set_offline(False)
    screen.get("back").click()
    expect(screen.square("c3")).to_have_attribute("aria-label", re.compile("vazia"))
    assert wait_for_moves(screen, 3) == ["c3-d4", "f6-g5", "b2-c3"]
    screen.errors[:] = [error for error in screen.errors if "net::ERR_" not in error]


def test_an_address_without_a_game_opens_a_board_all_the_same(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/analysis?game=nowhere", ready="analysis")
    expect(screen.get("fen-problem")).to_have_text("Esta partida não existe.")
    screen.move("c3", "d4")
    wait_for_moves(screen, 1)
    screen.errors.clear()  # the browser notes every 404 by itself


def test_stepping_through_a_long_game_asks_seldom(screen: Screen) -> None:
    opened(
        screen, "brasileira", "W:WKg1,a3:BKb8,h6", moves=".".join(["g1-h2", "b8-a7", "h2-g1", "a7-b8"] * 8)
    )
    screen.get("first").click()
    requests: list[str] = []
    screen.page.on(
        "request",
        lambda request: (
            requests.append(request.url) if re.search("/api/(position|analysis/line)", request.url) else None
        ),
    )
    screen.page.locator("body").click(position={"x": 2, "y": 2})
    for _ in range(32):
        screen.page.keyboard.press("ArrowRight")
    expect(screen.page.locator(".move[aria-current]")).to_have_attribute("data-ply", "32")
    expect(screen.square("b8")).to_have_class(re.compile("last-move"))
    seen = screen.page.evaluate(
        """() => {
          const [frame, here] = ['[data-testid=moves-frame]', '.move[aria-current]'].map((s) => document.querySelector(s).getBoundingClientRect());
          return here.top >= frame.top - 1 && here.bottom <= frame.bottom + 1;
        }"""
    )
    assert seen, "the list follows the board"
    assert len(requests) <= 4, requests


# The editor


def test_a_position_is_set_up_by_hand_and_what_cannot_stand_is_refused(screen: Screen):
    opened(screen, "brasileira")
    screen.get("edit").click()
    screen.get("editor-clear").click()
    screen.get("tool-white_man").check(force=True)
    screen.tap("c3")
    screen.get("tool-black_king").check(force=True)
    screen.tap("d4")
    expect(screen.get("fen")).to_have_value("W:Wc3:BKd4")
    screen.get("tool-white_man").check(force=True)
    screen.tap("d8")
    expect(screen.get("editor-problem")).to_contain_text("d8")
    screen.tap("d8")
    expect(screen.get("editor-problem")).to_be_hidden()
    screen.get("editor-done").click()
    expect(screen.get("editor")).to_be_hidden()
    screen.drag("c3", "e5")
    expect(buttons(screen)).to_have_attribute("title", "c3xe5")


def test_the_names_of_squares_are_chosen_here_too(screen: Screen) -> None:
    opened(screen, "brasileira")
    screen.get("settings").click()
    screen.get("set-numbering").select_option("numbers")
    expect(screen.page.locator("#board .label-inside")).to_have_count(32)
    screen.assert_accessible()
    screen.page.keyboard.press("Escape")
    screen.assert_fits()
    opened(screen, "brasileira", "W:Wc3:Bd4")
    expect(screen.page.locator("#board .label-inside")).to_have_count(32)


def test_the_keyboards_place_outlives_a_step(open_screen: Open) -> None:
    screen = open_screen()
    opened(screen, "brasileira", moves="c3-d4.f6-g5")
    first = buttons(screen).first
    first.press("Enter")
    expect(first).to_have_attribute("aria-current", "true")
    expect(first).to_be_focused()
    screen.get("back").press("Enter")
    expect(screen.get("forward")).to_be_focused()


def test_a_game_outlives_an_editor_that_changed_nothing(screen: Screen) -> None:
    opened(screen, "brasileira", moves="c3-d4.f6-g5")
    screen.get("edit").click()
    screen.get("editor-done").click()
    expect(screen.get("editor")).to_be_hidden()
    assert wait_for_moves(screen, 2) == ["c3-d4", "f6-g5"]
    screen.get("edit").click()
    screen.get("editor-clear").click()
    screen.get("editor-cancel").click()
    expect(screen.page.locator("#board .piece")).to_have_count(24)
    screen.move("b2", "c3")
    assert wait_for_moves(screen, 3) == ["c3-d4", "f6-g5", "b2-c3"]


def test_the_rulebook_changes_under_the_same_position(screen: Screen):
    opened(screen, "brasileira", "W:Wc3:Bb4,d4,f6")
    screen.get("rulebook").select_option("portuguesa")
    expect(screen.get("fen")).to_have_value("W:W10:B13,14,23")
    expect(screen.page.locator("[data-testid=board] [data-name='10']")).to_have_attribute(
        "aria-label", re.compile("branc")
    )


@pytest.mark.parametrize("size", tour("desk", "phone"))
@pytest.mark.parametrize("language", tour("es", "pt-BR", "pt-PT", "en"))
def test_the_page_is_sound_in_every_language(open_screen: Open, language: str, size: str) -> None:
    screen = open_screen(size, language)
    opened(screen, "faraes", "W:Wc3:Bb4,d4,f6")
    screen.get("engine").click()
    expect(screen.page.locator("[data-testid=engine-lines] > li")).to_have_count(1)
    screen.assert_translated()
    screen.assert_accessible()
