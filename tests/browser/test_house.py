"""The house around the pages: home, account, API page, menus, languages, colours, without a network."""

import secrets

import pytest
from playwright.sync_api import expect

from browser.screen import Open, Screen, tour

PASSWORD = "um cavalo sem sela"
LEVEL = {"kind": "level", "level": 1}
LONG = (
    "WW31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50"
    "B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20"
)


def test_the_home_page_leads_back_to_ones_own_games(screen: Screen) -> None:
    screen.go("/", ready="home")
    own = screen.page.locator("#own-games")
    expect(own).to_be_hidden()
    game = screen.start("brasileira", opponent=LEVEL)
    screen.go("/", ready="home")
    expect(own.get_by_role("heading")).to_have_text("Sua partida em andamento")
    expect(own.get_by_role("listitem")).to_contain_text("Computador, nível 1")
    expect(screen.get(f"resume-{game}")).to_be_in_viewport(ratio=1)
    screen.assert_accessible()
    screen.assert_fits()
    newer = [screen.start("portuguesa") for _ in range(3)]
    screen.go("/", ready="home")
    expect(own.get_by_role("heading")).to_have_text("Suas partidas em andamento")
    lines = own.get_by_role("listitem").get_by_role("link")
    expect(lines).to_have_count(3)
    shown = [link.get_attribute("data-testid") for link in lines.all()]
    assert shown == [f"resume-{each}" for each in reversed(newer)], "the newest first, and no more than a few"
    expect(own.get_by_role("link", name="Todas as suas partidas")).to_be_visible()
    lines.first.click()
    screen.page.wait_for_url(f"**/game/{newer[-1]}")


def test_seeks_meet_in_the_lobby_where_ones_own_game_is_continued_and_not_watched(open_screen: Open) -> None:
    seeker, finder, other = open_screen("desk"), open_screen("phone"), open_screen("desk")
    finder.go("/", ready="home")
    seeker.go("/", ready="home")
    seeker.get("play-seek").click()
    seeker.page.wait_for_selector("body[data-ready=game]")
    game = seeker.page.url.rpartition("/")[2]
    seeker.go("/", ready="home")
    expect(seeker.page.locator("#own-games")).to_be_hidden()
    finder.get(f"join-{game}").click()
    finder.page.wait_for_selector("body[data-ready=game]")
    expect(seeker.get(f"continue-{game}")).to_have_text("Continuar")
    expect(seeker.get(f"resume-{game}")).to_be_visible()  # somebody has come while the page was open
    other.go("/", ready="home")
    expect(other.get(f"watch-{game}")).to_have_text("Assistir")
    expect(other.get(f"continue-{game}")).to_have_count(0)


@pytest.mark.parametrize("tapped", ["quick-play", "play-device", "join"])
def test_a_failure_on_the_home_page_is_told_where_it_is_seen(open_screen: Open, tapped: str) -> None:
    screen, seeker = (
        open_screen("phone", service_workers="block"),
        open_screen("desk"),
    )  # no game without a network
    game = seeker.start("brasileira", opponent={"kind": "seek"})
    screen.go("/", ready="home")
    button = screen.get(f"join-{game}" if tapped == "join" else tapped)
    expect(button).to_be_visible()
    message, network = screen.get("play-trouble"), screen.page.context
    try:
        network.set_offline(True)
        button.click()
        expect(message).to_contain_text("O servidor não responde.")
        expect(message).to_be_in_viewport(ratio=1)
        assert message.get_attribute("role") == "alert"
        screen.assert_fits()
    finally:
        network.set_offline(False)
    expect(message).to_be_hidden()
    screen.errors.clear()  # the browser notes every failure by itself


def test_a_failure_goes_with_the_next_try(open_screen: Open) -> None:
    screen = open_screen("phone", service_workers="block")  # no game without a network
    screen.go("/", ready="home")
    screen.page.route("**/api/games", lambda route: route.abort(), times=1)
    screen.get("quick-play").click()
    message = screen.get("play-trouble")
    expect(message).to_be_in_viewport(ratio=1)
    with screen.page.expect_request("**/api/games"):
        screen.get("play-device").click()
        expect(message).to_be_hidden()
    screen.page.wait_for_selector("body[data-ready=game]")
    screen.errors.clear()  # the browser notes every failure by itself


@pytest.mark.parametrize("fen", [LONG, f"W:W{','.join(['99'] * 200)}:B1"])
def test_a_long_text_that_cannot_be_read_does_not_widen_the_page(open_screen: Open, fen: str) -> None:
    screen = open_screen("phone")
    screen.go("/lens?rulebook=internacional", ready="lens")
    screen.get("fen").fill(fen)
    screen.get("fen").press("Enter")
    message = screen.get("lens-problem")
    expect(message).to_be_visible()
    screen.assert_fits()
    assert message.inner_text().count("“99”") <= 1, "what is wrong in the same way is said once"
    screen.go("/analysis?rulebook=internacional", ready="analysis")
    screen.get("fen").fill(fen)
    screen.get("fen").press("Enter")
    expect(screen.page.locator(".notice-bad:visible").first).to_be_visible()
    screen.assert_fits()
    screen.errors.clear()  # the browser notes every 400 by itself


def test_a_game_called_off_is_called_so(open_screen: Open) -> None:
    screen = open_screen("phone", "en")
    screen.go("/games", ready="games")
    game = screen.post("/api/games", rulebook="brasileira", opponent=LEVEL, colour="white")["id"]
    alone = screen.post("/api/games", rulebook="brasileira", opponent={"kind": "seek"}, colour="white")["id"]
    for each in (game, alone):
        screen.post(f"/api/board/game/{each}/abort")
    screen.go("/games", ready="games")
    expect(screen.page.locator("[data-testid=game]")).to_have_count(1)
    expect(screen.page.locator(f"[data-game='{game}']")).to_contain_text("Called off")


def test_the_rules_can_be_read_in_a_dark_room(open_screen: Open) -> None:
    screen = open_screen("desk", color_scheme="dark")
    screen.go("/rules/brasileira")
    screen.assert_accessible()


def test_an_account_is_made_used_and_left(screen: Screen) -> None:
    page, name = screen.page, f"Ana {secrets.token_hex(4)}"
    screen.go("/account")
    screen.assert_accessible()
    form = page.get_by_test_id("signup-form")
    form.get_by_label("Nome").fill(name)
    form.get_by_label("Senha").fill(PASSWORD)
    page.get_by_test_id("sign-up").click()
    page.get_by_test_id("logins").get_by_text("este aparelho").wait_for()
    assert name in page.get_by_test_id("account").inner_text() or page.viewport_size["width"] < 600
    page.get_by_test_id("new-token").click()
    token = page.get_by_test_id("token")
    token.wait_for()
    assert token.inner_text().startswith("dam_")
    screen.assert_accessible()
    screen.assert_fits()
    page.get_by_test_id("log-out").click()
    page.get_by_test_id("login-form").wait_for()


def test_a_refusal_is_said_on_the_page(open_screen: Open) -> None:
    screen = open_screen("phone", "pt-PT")
    screen.go("/account")
    form = screen.page.get_by_test_id("signup-form")
    form.get_by_label("Nome").fill("Rui")
    form.get_by_label("Palavra-passe").fill("password1")
    screen.page.get_by_test_id("sign-up").click()
    message = screen.page.get_by_test_id("account-message")
    expect(message).to_contain_text("intrusos")
    expect(message).to_be_in_viewport()  # the form lies further down
    screen.errors.clear()  # the browser notes every 400 by itself


PAGES = {
    "/api": "",
    "/arbiter": "arbiter",
    "/club": "club",
    "/arena": "arena",
    "/clock": "clock",
    "/drills": "drills",
    "/endings": "endings",
    "/games?mine=0": "games",
    "/glossary": "",
    "/learn": "learn",
    "/learn/dama": "lesson",
    "/lens": "lens",
    "/puzzles": "puzzles",
    "/rules/faraes": "rulebook",
}
"""Pages by address, each with the word that its body says when it is ready."""


@pytest.mark.parametrize("language", tour("es", "pt-BR", "pt-PT", "en"))
def test_every_page_reads_well_in_every_language(open_screen: Open, language: str) -> None:
    screen = open_screen("phone", language).sign_up()
    contest = screen.post("/api/arena", title="Liga", who="code")["id"]
    club = screen.post("/api/club", template="escola", title="Liga")["id"]
    more = {f"/arena/{contest}": "contest", f"/club/{club}": "tournament", f"/club/{club}/desk": "desk"}
    for path, ready in {**PAGES, **more}.items():
        screen.go(path, ready=ready)
        if path != "/api":  # whose examples look like keys
            screen.assert_translated()
        screen.assert_accessible()
        assert screen.page.evaluate("document.documentElement.lang") == language
        screen.assert_fits()


def test_the_language_is_changed_and_kept(screen: Screen) -> None:
    page = screen.page
    screen.go("/account")
    page.get_by_test_id("language").locator("summary").click()
    page.get_by_test_id("language-es").click()
    page.get_by_role("heading", name="Cuenta", exact=True).wait_for()
    screen.go("/api")
    assert page.evaluate("document.documentElement.lang") == "es"


def test_the_colours_are_chosen_and_kept(screen: Screen) -> None:
    page = screen.page
    screen.go("/account")
    page.get_by_test_id("theme").locator("summary").click()
    page.get_by_test_id("theme-dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert not page.get_by_test_id("theme").evaluate("menu => menu.open")  # chosen: it is out of the way
    assert page.evaluate("document.activeElement.closest('details')?.dataset.testid") == "theme"
    screen.go("/api")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.get_by_test_id("theme-dark").get_attribute("aria-pressed") == "true"
    screen.assert_accessible()


def test_menus_close_by_escape_and_by_a_click_elsewhere(open_screen: Open) -> None:
    screen = open_screen()
    page = screen.page
    screen.go("/account")
    menu = page.get_by_test_id("language")
    menu.locator("summary").click()
    assert menu.evaluate("menu => menu.open")
    page.keyboard.press("Escape")
    assert not menu.evaluate("menu => menu.open")
    assert page.evaluate("document.activeElement.closest('details')?.dataset.testid") == "language"
    menu.locator("summary").click()
    page.get_by_role("heading", level=1).click()
    assert not menu.evaluate("menu => menu.open")


def test_the_skip_link_is_the_first_stop(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/account")
    screen.page.keyboard.press("Tab")
    assert screen.page.evaluate("document.activeElement.getAttribute('href')") == "#main"
