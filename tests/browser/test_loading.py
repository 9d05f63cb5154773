"""A slow network: few requests, few bytes, and a game that starts before the scripts have come, or without them."""

import pytest
from playwright.sync_api import Route, expect

from browser.loading import load
from browser.screen import Open
from browser.test_local import SET_UP

MAX_REQUESTS = 12
MAX_BYTES = 150_000
MAX_SHIFT = 0.1
"""Of the layout, which web vitals call good."""


@pytest.mark.parametrize("name", ["home", "game"])
def test_a_page_needs_few_requests_and_bytes(open_screen: Open, name: str) -> None:
    screen = open_screen("phone")
    path = "/"
    if name == "game":
        screen.go("/api/rulebooks")  # so that the visitor is known; nothing of the page is loaded
        level = {"kind": "level", "level": 1}
        path = screen.post("/api/games", rulebook="brasileira", color="white", opponent=level)["url"]
    devtools = screen.page.context.new_cdp_session(screen.page)
    devtools.send("Network.clearBrowserCache")
    counted = load(screen.page, screen.address + path, name, slow=False)
    assert len(counted.requests) <= MAX_REQUESTS, counted.requests
    assert 20_000 < counted.bytes <= MAX_BYTES
    assert counted.cls <= MAX_SHIFT
    assert counted.lcp_ms > 0 and counted.inp_ms > 0, "the vitals are measured"


@pytest.mark.parametrize("games", [1, 3])
def test_games_that_go_on_move_nothing_on_the_home_page(open_screen: Open, games: int) -> None:
    """Their list comes after the form, and stands above it."""
    screen = open_screen("phone")
    for _ in range(games):
        screen.go("/", ready="home")
        screen.get("quick-play").click()
        screen.page.wait_for_url("**/game/*")
        screen.page.wait_for_selector("body[data-ready=game]")
    counted = load(screen.page, screen.address, "home", slow=False)
    expect(screen.get("own-games").get_by_role("listitem")).to_have_count(games)
    assert counted.cls <= MAX_SHIFT
    screen.page.evaluate("localStorage.removeItem('damas.own-games')")
    assert load(screen.page, screen.address, "home", slow=False).cls > MAX_SHIFT, "the shift is measured"


def test_a_game_of_this_browser_moves_nothing_either(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.go("/", ready="home")
    terms = {"rulebook": "brasileira", "preset": "casual", "time": "none", "level": None, "you": "both"}
    screen.page.evaluate(SET_UP, {"id": "open", **terms})
    screen.go("/local?id=open", ready="game")
    counted = load(screen.page, screen.address, "home", slow=False)
    expect(screen.get("own-games").get_by_test_id("resume-open")).to_be_visible()
    assert counted.cls <= MAX_SHIFT


def test_no_room_is_kept_for_a_game_that_is_over(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.go("/", ready="home")
    screen.start("brasileira")
    screen.type_move("c3-d4")
    screen.type_move("f6-g5")
    expect(screen.get("move-2")).to_be_visible()
    assert screen.page.evaluate("localStorage.getItem('damas.own-games')")
    screen.resign()
    expect(screen.get("result-sentence")).to_be_visible()
    counted = load(screen.page, screen.address, "home", slow=False)
    assert counted.cls <= MAX_SHIFT
    expect(screen.page.locator("#own-games")).to_be_hidden()


def test_play_works_before_the_script_has_come(open_screen: Open) -> None:
    screen = open_screen("phone", service_workers="block")
    page = screen.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/static/bundle/home.js*", hold)
    page.goto(screen.address, wait_until="commit")
    screen.get("quick-play").click()
    page.wait_for_url("**/game/*")
    page.wait_for_selector("body[data-ready=game]")
    expect(screen.get("turn")).to_contain_text("Sua vez")
    assert held, "the script was asked for and did not come"
    screen.errors.clear()  # the script that never came


def test_the_form_works_without_scripts(open_screen: Open) -> None:
    screen = open_screen("phone", "es", java_script_enabled=False)
    page = screen.page
    page.goto(screen.address)
    page.get_by_text("Más reglamentos").click()
    page.locator("label.chip", has_text="Rusa").click()
    page.get_by_test_id("quick-play").click()
    page.wait_for_url("**/game/*")
    expect(screen.get("no-script")).to_be_visible()
    page.goto(screen.address)
    page.get_by_test_id("play-device").click()
    page.wait_for_url("**/game/*")
