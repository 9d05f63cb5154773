"""What the worker keeps of opened pages for whoever saves data, and that what it keeps is nobody's."""

import re
import secrets
import time

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Visitors
from browser.screen import TIMEOUT_MS, Open, Screen


@pytest.fixture(scope="module")
def visitors(chromium: Browser) -> Visitors:
    """Each leaves with the worker, which may have much to do yet: clearing it away would wait for that."""
    return Visitors(chromium, reuse=False)


CACHED = """async () => {
    const cached = {};
    for (const name of await caches.keys()) {
        const store = await caches.open(name);
        for (const request of await store.keys()) {
            cached[new URL(request.url).pathname] = await (await store.match(request)).text();
        }
    }
    return cached;
}"""


def wait_for_cached(page: Page, *wanted: str) -> dict[str, str]:
    """What the worker keeps, by path, once all that is wanted is there: it is written after the page has come."""
    until = time.monotonic() + TIMEOUT_MS / 1000
    while True:
        cached: dict[str, str] = page.evaluate(CACHED)
        missing = set(wanted) - set(cached)
        if not missing:
            return cached
        assert time.monotonic() < until, f"not cached: {missing}"
        page.wait_for_timeout(50)


SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"


def with_a_worker(screen: Screen) -> Page:
    """A page that the worker looks after; the visitor saves data, so that only what they open is kept."""
    screen.page.add_init_script(SAVES_DATA)
    screen.go("/rules")
    screen.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return screen.page


def test_rules_and_lessons_are_there_without_a_network(open_screen: Open) -> None:
    screen = open_screen()
    page = with_a_worker(screen)
    headings = {}
    for address in ("/rules", "/learn", "/"):
        screen.go(address)
        headings[address] = page.get_by_role("heading", level=1).first.inner_text()
    wait_for_cached(page, *headings)
    page.context.set_offline(True)
    for address, heading in headings.items():
        page.goto(screen.address + address)
        assert page.get_by_role("heading", level=1).first.inner_text() == heading
    page.context.set_offline(False)
    screen.errors.clear()  # what is not kept (the lobby, the visitor's games) is missed aloud


def test_the_examples_of_an_opened_rulebook_are_there_without_a_network(open_screen: Open) -> None:
    screen = open_screen("phone")
    page = with_a_worker(screen)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    screen.go("/rules/faraes", ready="rulebook")
    example = page.locator(".article-board:not([hidden])").first
    example.scroll_into_view_if_needed()
    example.locator(".piece").first.wait_for()
    wait_for_cached(page, "/rules/faraes", "/api/examples/faraes", "/api/rulebook/faraes")
    page.context.set_offline(True)
    screen.go("/rules/faraes", ready="rulebook")
    example.scroll_into_view_if_needed()
    example.locator(".piece").first.wait_for()
    page.evaluate(
        "caches.keys().then(names => Promise.all(names.map(name => caches.open(name))))"
        ".then(stores => Promise.all(stores.map(store => store.delete('/api/examples/faraes'))))"
    )
    screen.go("/rules/faraes", ready="rulebook")
    expect(example).to_contain_text("O servidor não responde")
    screen.get("compare-with").select_option("internacional")
    expect(screen.get("difference").get_by_role("alert")).to_be_visible()
    page.context.set_offline(False)
    screen.errors.clear()  # the browser notes every failed request by itself
    assert failures == []


@pytest.mark.parametrize(("size", "language"), [("phone", "pt-BR"), ("desk", "pt-PT")])
def test_a_lesson_waits_for_the_connection_and_goes_on(open_screen: Open, size: str, language: str) -> None:
    screen = open_screen(size, language, service_workers="block")
    screen.go("/learn/captura", ready="lesson")
    lost, page = screen.get("offline"), screen.page
    page.context.set_offline(True)
    screen.move("c3", "e5")
    expect(lost).to_contain_text("ligação" if language == "pt-PT" else "conexão")
    screen.assert_fits()
    expect(screen.get("dot-1")).not_to_have_class(re.compile("is-done"))
    page.context.set_offline(False)
    expect(screen.get("dot-1")).to_have_class(
        re.compile("is-done")
    )  # the same move, played once more by nobody
    expect(lost).to_be_hidden()
    screen.get("step-next").click()
    page.context.set_offline(True)
    screen.enter("h2-g3")  # why a move is refused is asked as well
    expect(lost).to_be_visible()
    screen.get("dot-3").click()  # another step can be opened meanwhile, and its answer needs no server
    expect(lost).to_be_hidden()
    choices = screen.get("options").get_by_role("button")
    for number in range(choices.count()):
        choices.nth(number).click()
    expect(screen.get("dot-3")).to_have_class(re.compile("is-done"))
    screen.get("dot-2").click()
    screen.enter("h2-g3")
    expect(lost).to_be_visible()
    with page.expect_response("**/api/progress"):
        page.context.set_offline(False)
    expect(screen.get("dot-2")).to_have_class(re.compile("is-done"))
    screen.errors.clear()  # the browser notes every failure by itself


def test_a_refutation_goes_on_when_the_connection_is_back(open_screen: Open) -> None:
    screen = open_screen("phone", service_workers="block")
    screen.go("/learn/conselhos?step=12", ready="lesson")
    screen.page.context.set_offline(True)
    screen.enter("7-11")
    expect(screen.get("offline")).to_be_visible()
    screen.page.context.set_offline(False)
    expect(screen.page.locator("#board .movable")).not_to_have_count(0)
    screen.type_move("18-22")
    expect(screen.get("dot-12")).to_have_class(re.compile("is-done"))
    screen.errors.clear()  # the browser notes every failure by itself


def test_a_lesson_opened_without_a_network_says_so_and_comes(open_screen: Open) -> None:
    screen = open_screen("phone")
    page = with_a_worker(screen)
    screen.go("/learn/dama", ready="lesson")
    wait_for_cached(page, "/learn/dama", "/api/lessons/dama", "/api/rulebook/brasileira")
    page.evaluate(
        "caches.keys().then(names => Promise.all(names.map(name => caches.open(name))))"
        ".then(stores => Promise.all(stores.map(store => store.delete('/api/lessons/dama'))))"
    )
    page.context.set_offline(True)
    page.goto(screen.address + "/learn/dama")
    expect(screen.get("offline")).to_be_visible()
    page.context.set_offline(False)
    expect(screen.get("step-of")).to_contain_text("Passo 1")
    expect(screen.get("offline")).to_be_hidden()
    screen.errors.clear()  # the browser notes every failure by itself


def test_the_very_first_page_can_be_loaded_again_without_a_network(open_screen: Open) -> None:
    """It was there before the worker."""
    screen = open_screen("phone")
    screen.go("/learn/dama", ready="lesson")
    page = screen.page
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    wait_for_cached(page, "/learn/dama", "/api/lessons/dama", "/offline", "/static/bundle/lesson.js")
    page.context.set_offline(True)
    page.reload()
    expect(screen.get("step-of")).to_contain_text("Passo 1")
    page.goto(f"{screen.address}/learn/captura")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.context.set_offline(False)
    screen.errors.clear()  # the browser notes every failed request by itself


def test_a_page_that_was_not_kept_says_so(open_screen: Open) -> None:
    screen = open_screen("phone", "pt-PT")
    page = with_a_worker(screen)
    screen.go("/account")
    wait_for_cached(page, "/offline")
    page.context.set_offline(True)
    for address in ("/games", "/learn/dama"):
        page.goto(screen.address + address)
        assert page.get_by_role("heading", level=1).inner_text() == "Sem ligação"
        screen.assert_fits()
    page.context.set_offline(False)
    page.get_by_test_id("again").click()
    page.wait_for_url("**/learn/dama")
    page.get_by_test_id("board").wait_for()
    screen.errors.clear()  # the browser notes every failure by itself


def test_no_page_is_kept_with_its_readers_name(open_screen: Open) -> None:
    screen = open_screen()
    page, name = screen.page, f"Ana {secrets.token_hex(4)}"
    screen.go("/account")
    screen.post("/api/account", name=name, password="um cavalo sem sela")
    with_a_worker(screen)
    for address in ("/rules", "/learn", "/"):
        screen.go(address)
        assert name in page.content(), "the page itself says who reads it"
    cached = wait_for_cached(page, "/", "/learn", "/rules")
    assert not [path for path, text in cached.items() if name in text]
    assert 'lang="pt-BR"' in cached["/"]
    page.context.set_offline(True)
    page.goto(screen.address + "/rules")
    assert page.get_by_role("heading", level=1).first.inner_text()
    assert name not in page.content()
    page.context.set_offline(False)
    screen.errors.clear()  # what is not kept is missed aloud


def test_puzzles_of_the_rulebook_last_used_are_there_without_a_network(screen: Screen) -> None:
    page = with_a_worker(screen)
    screen.go("/puzzles?rulebook=portuguesa", ready="puzzles")
    cached = wait_for_cached(page, "/puzzles", "/api/puzzles/portuguesa/sample")
    assert not [path for path in cached if path.startswith("/api/puzzles/brasileira")]
    page.context.set_offline(True)
    screen.go("/puzzles", ready="puzzles")
    expect(screen.get("rulebook")).to_have_value("portuguesa")
    for _ in range(2):
        for text in screen.solution()[::2]:
            screen.type_move(text)
        expect(screen.get("feedback")).to_contain_text("Resolvido")
        before = page.url
        screen.get("next-puzzle").click()
        expect(page).not_to_have_url(before)
    expect(screen.get("solved-count")).to_contain_text(re.compile(r"2 de \d{4}"))
    screen.get("rulebook").select_option("internacional")
    expect(screen.get("feedback")).to_contain_text("“Internacional” não estão guardados neste aparelho")
    expect(screen.get("rulebook")).to_have_value("portuguesa")
    screen.assert_fits()
    page.context.set_offline(False)
    screen.get("rulebook").select_option("internacional")
    expect(screen.get("feedback")).to_be_empty()
    expect(screen.get("rulebook")).to_have_value("internacional")
    screen.errors.clear()  # the browser notes every failure by itself


def test_neither_games_nor_puzzles_that_nobody_opened_are_kept(open_screen: Open) -> None:
    screen = open_screen()
    page = with_a_worker(screen)
    for address in ("/", "/learn", "/rules"):
        screen.go(address)
        page.wait_for_load_state("networkidle")
    for path in ("/api/account", "/api/lobby", "/api/rulebooks"):
        page.evaluate("path => fetch(path).then(answer => answer.text())", path)
    cached = wait_for_cached(page, "/rules", "/api/rulebooks")
    personal = ("/api/account", "/api/lobby", "/api/games", "/game", "/api/puzzles")
    assert not [path for path in cached if path.startswith(personal)]
    page.context.set_offline(True)
    page.goto(screen.address + "/puzzles")
    assert page.get_by_role("heading", level=1).inner_text() == "Sem conexão"
    page.context.set_offline(False)
    screen.errors.clear()  # the browser notes every failure by itself


FILL = """async () => {
    const cache = await caches.open((await caches.keys()).find((name) => !name.startsWith('damas-local-')));
    for (let n = 0; n < 80; n += 1) await cache.put(`/puzzles?n=${n}`, new Response('an old page'));
    for (const tag of ['old', 'older']) await cache.put(`/static/bundle/rules.js?v=${tag}`, new Response(''));
}"""

COUNTED = """async () => {
    const counted = { pages: 0, scripts: [] };
    for (const name of await caches.keys()) {
        for (const { url } of await (await caches.open(name)).keys()) {
            if (url.includes('/puzzles?n=')) counted.pages += 1;
            if (url.includes('/bundle/rules.js')) counted.scripts.push(new URL(url).search);
        }
    }
    return counted;
}"""


def test_old_pages_and_old_versions_of_files_are_deleted(open_screen: Open) -> None:
    screen = open_screen("phone")
    page = with_a_worker(screen)
    wait_for_cached(page, "/rules", "/static/bundle/rules.js")
    page.evaluate(FILL)
    screen.go("/glossary")
    screen.go("/rules")
    until = time.monotonic() + TIMEOUT_MS / 1000
    while (counted := page.evaluate(COUNTED)) and (counted["pages"] >= 60 or len(counted["scripts"]) > 1):
        assert time.monotonic() < until, counted
        page.wait_for_timeout(50)
    (tag,) = counted["scripts"]
    assert tag not in ("?v=old", "?v=older")


def test_where_nothing_can_be_cached_pages_are_shown_all_the_same(open_screen: Open) -> None:
    screen = open_screen("phone")
    page = with_a_worker(screen)
    (worker,) = page.context.service_workers
    worker.evaluate(
        "() => { Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError')); }"
    )
    screen.go("/learn/captura", ready="lesson")
    expect(screen.get("step-of")).to_contain_text("Passo 1")
