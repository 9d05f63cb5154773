"""Over the board in a browser: two tempi and crowning by hand (003), conduct (002, 003), and the arbiter's table."""

import re

import pytest
from playwright.sync_api import expect

from browser.screen import Open, Screen, tour

TAKES = "W:W10,1:B14,23,30,29"
"""10x19x28 captures 14, then 23; 28-32 crowns."""
VISITORS = tour("phone pt-PT", "desk pt-BR", "desk pt-PT", "phone pt-BR")
"""`make test` tries the first two, `make soak` all."""


def arbiter_link(screen: Screen) -> str:
    """The arbiter's link from the share dialog, without the server's address."""
    screen.get("share").click()
    link = screen.get("arbiter-link").input_value()
    screen.page.keyboard.press("Escape")
    return link.removeprefix(screen.address)


def intervene(arbiter: Screen, remedy: str, reason: str, **fields: str) -> None:
    arbiter.get("arbiter-what").select_option(remedy)
    for name, value in fields.items():
        field = arbiter.get(f"arbiter-{name}")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    arbiter.get("arbiter-reason").fill(reason)
    arbiter.page.keyboard.press("Enter")
    if remedy in ("restore", "position", "result"):
        arbiter.get("arbiter-apply-confirm").click()


@pytest.mark.parametrize("visitor", VISITORS)
def test_a_capture_in_two_tempi_and_a_man_crowned_by_the_opponent(open_screen: Open, visitor: str) -> None:
    screen = open_screen(*visitor.split())
    screen.start("portuguesa", TAKES, preset="school")
    screen.move("10", "19")
    screen.tap("1")  # an own piece in the middle of a capture: a slip of the hand, no attempt to move there
    screen.tap("28")
    expect(screen.get("move-1")).to_have_text("10x28")
    screen.wait_for_names("to-lift", {"14", "23"})
    expect(screen.get("asks")).to_contain_text("Segundo tempo")
    screen.tap("30")  # nobody plays before the second tempo is over
    expect(screen.live()).to_contain_text("Primeiro levante as peças tomadas")
    screen.tap("23")
    expect(screen.get("explain")).to_contain_text("n.º 6")
    screen.get("close-explain").click()
    screen.square("14").focus()
    screen.page.keyboard.press("Enter")
    expect(screen.square("14")).to_have_attribute("aria-label", re.compile("vazia"))
    screen.wait_for_names("to-lift", {"23"})
    screen.tap("23")
    expect(screen.get("asks")).to_be_hidden()
    screen.move("30", "26")
    expect(screen.get("move-2")).to_have_text("30-26")
    screen.move("28", "32")
    expect(screen.get("asks")).to_contain_text("antes de jogar")
    screen.wait_for_names("uncrowned", {"32"})
    # Document 003 says peão, to Brazilian readers too.
    expect(screen.square("32")).to_have_attribute("aria-label", re.compile("peão branco"))
    screen.move("26", "22")  # to play on is refused
    expect(screen.get("explain")).to_contain_text("n.º 11, alínea d")
    screen.get("close-explain").click()
    screen.get("crown").click()
    expect(screen.square("32")).to_have_attribute("aria-label", re.compile("dama branca"))
    expect(screen.page.locator("#board .piece[data-code=W]")).to_have_count(1)
    screen.move("26", "22")
    expect(screen.get("move-4")).to_have_text("26-22")

    screen.get("conduct").click()
    screen.get("conduct-of-black").check(force=True)
    screen.assert_accessible()
    screen.get("report-hands").click()
    expect(screen.get("table-news")).to_contain_text("mãos sobre o tabuleiro")
    screen.get("conduct").click()
    screen.get("conduct-of-white").check(force=True)  # who tries to blow is the one whose irregularity it is
    expect(screen.page.locator("dialog h3")).to_have_text("As brancas tentam soprar uma peça")
    screen.get("blow-square").select_option(label="22")
    screen.get("blow").click()
    expect(screen.get("explain")).to_contain_text("n.º 11, alínea a")
    screen.get("register").locator("summary").click()
    expect(screen.get("total-white")).to_have_text(
        re.compile(r"Brancas: 2 \(n\.º 11, alínea a: 1, n\.º 6: 1\)")
    )
    expect(screen.get("total-black")).to_have_text(
        re.compile(r"Pretas: 2 \(n\.º 11, alínea b: 1, n\.º 11, alínea d: 1\)")
    )
    screen.get("close-explain").click()
    screen.assert_fits()
    screen.assert_translated()
    screen.assert_accessible()


@pytest.mark.parametrize("visitor", VISITORS)
def test_an_arbiter_comes_to_the_table(open_screen: Open, visitor: str) -> None:
    size, language = visitor.split()
    white, black = open_screen("desk" if size == "phone" else "phone", language), open_screen(size, language)
    game = white.start("faraes", opponent={"kind": "friend"}, preset="school", time="20")
    link = arbiter_link(white)
    black.accept(game)
    expect(white.get("waiting")).to_be_hidden()
    for player in (white, black):
        expect(player.get("arbiter-link-of")).to_contain_text("(brancas) tem")
    black.get("share").click()
    expect(black.get("arbiter-link")).to_have_count(0)  # it is the maker's, unless both ask for it
    expect(black.page.locator("dialog[open]")).to_contain_text("(brancas) tem")
    expect(black.get("ask-arbiter")).to_be_visible()
    black.page.keyboard.press("Escape")
    arbiter = open_screen(size, language)
    arbiter.go(link, ready="game")
    expect(arbiter.get("arbiter")).to_be_visible()
    for player in (white, black):
        expect(player.get("arbiter-here")).to_be_visible()
        expect(player.get("arbiter")).to_be_hidden()

    white.get("adjust").click()
    white.tap("c3")
    for each in (black, arbiter):  # "arrumo" is heard by everybody
        expect(each.get("asks")).to_contain_text("não obriga a jogar")
        expect(each.get("table-news")).to_contain_text("brancas avisam")
    white.page.keyboard.press("Escape")
    white.get("adjust").click()
    white.tap("c3")
    for each in (black, arbiter):
        expect(each.get("asks")).to_contain_text("c3: é com ela que se joga")
    white.tap("e3", "f4")  # another piece is touched: nobody tries to move c3 to f4
    expect(white.get("explain")).to_contain_text("Art. 15")
    white.get("close-explain").click()
    white.drag("e3", "f4")
    expect(white.get("explain")).to_contain_text("Art. 15")
    white.get("close-explain").click()
    intervene(arbiter, "release", "a manga bateu na peça")
    for each in (white, black):
        expect(each.get("table-news")).to_contain_text("a manga bateu na peça")
    white.move("e3", "f4")
    expect(black.get("move-1")).to_have_text("e3-f4")
    black.page.wait_for_function("document.querySelector('#board').awaitsMove")
    black.drag("f6", "e7")  # onto an own piece: a slip of the hand, no attempt to move there
    expect(white.get("asks")).to_contain_text("f6: é com ela que se joga")
    black.move("f6", "g5")
    expect(arbiter.get("move-2")).to_have_text("f6-g5")

    intervene(arbiter, "time", "o relógio parou", side="black", seconds="120")
    expect(black.get("table-news")).to_contain_text("(2:00): o relógio parou")
    expect(black.get("clock-black")).to_have_text(re.compile(r"^2[12]:"))
    intervene(arbiter, "restore", "lance trocado", ply="1")
    expect(white.page.locator("#moves .move")).to_have_count(1)
    expect(black.get("turn")).to_contain_text("vez" if language == "pt-PT" else "Sua vez")
    intervene(arbiter, "note", "contava com o dedo", side="black", conduct="pointing")
    arbiter.get("register").locator("summary").click()
    expect(arbiter.get("total-black")).to_have_text("Pretas: 1 (Art. 14: 1)")
    expect(arbiter.page.locator("#register-entries li").last).to_have_text(
        re.compile("^Lance 1 das pretas: segundo")
    )
    expect(arbiter.get("total-white")).to_have_text("Brancas: 2 (Art. 15: 2)")
    arbiter.assert_accessible()
    arbiter.assert_fits()
    arbiter.assert_translated()

    arbiter.get("arbiter-what").select_option("position")
    arbiter.get("arbiter-edit").click()
    arbiter.get("tool-empty").check(force=True)
    arbiter.square("h8").click()
    expect(arbiter.square("h8")).to_have_attribute("aria-label", re.compile("vazia"))
    intervene(arbiter, "position", "a pedra de h8 caiu")
    for each in (white, black):
        expect(each.square("h8")).to_have_attribute("aria-label", re.compile("vazia"))
        expect(each.page.locator("#moves li").last).to_have_text("O árbitro corrigiu a posição")
    black.move("f6", "g5")
    expect(white.get("move-2")).to_have_text("f6-g5")
    expect(white.get("corrected")).to_have_count(1)
    for each in (white, arbiter):  # the game can be looked through on both sides of the correction
        each.get("move-1").click()
        expect(each.square("h8")).to_have_attribute("aria-label", re.compile("pret"))
        each.get("replay-last").click()
        expect(each.square("h8")).to_have_attribute("aria-label", re.compile("vazia"))
    intervene(arbiter, "result", "acordo à mesa", result="1/2-1/2")
    expect(white.get("result-sentence")).to_contain_text("acordo à mesa")
    with arbiter.page.expect_download() as download:
        arbiter.get("arbiter-certificate").click()
    assert download.value.suggested_filename.endswith("certificate.json")


def test_only_the_key_makes_an_arbiter(open_screen: Open) -> None:
    screen, stranger = open_screen("desk"), open_screen("phone")
    game = screen.start("faraes", preset="school")
    stranger.go(f"/game/{game}#arbiter={'x' * 32}", ready="game")
    expect(stranger.page.locator(".toast")).to_contain_text("Só o árbitro")
    expect(stranger.get("arbiter")).to_be_hidden()
    # In the player's own browser the arbiter has a window apart, and the player goes on playing.
    window = Screen(screen.page.context.new_page(), screen.address)
    window.go(arbiter_link(screen), ready="game")
    expect(window.get("arbiter")).to_be_visible()
    screen.move("c3", "d4")
    expect(window.get("move-1")).to_have_text("c3-d4")
    expect(screen.get("connection")).to_be_hidden()
