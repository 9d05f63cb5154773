"""Two people at one table: by link, over a connection that breaks, with claims, offers and manners."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.network import Connection, start_server, wait_until_stopped
from browser.screen import Open, Screen, tour, wait_until


@pytest.fixture
def connection(server: str) -> Iterator[Connection]:
    breakable = Connection(server)
    yield breakable
    breakable.close()


def moves(screen: Screen) -> list[str]:
    return screen.page.locator("#moves .move").evaluate_all("all => all.map(one => one.dataset.move)")


def invited(open_screen: Open, connection: Connection | None = None, **terms: str) -> tuple[Screen, Screen]:
    """White on a desk and Black on a phone, whose connection may be one that breaks."""
    white, black = open_screen("desk"), open_screen("phone")
    if connection:
        black.address = connection.address
    white.invite(black, **terms)
    return white, black


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_an_invitation_asks_before_it_seats_anybody(open_screen: Open, size: str) -> None:
    white, guest, late = open_screen("desk"), open_screen(size), open_screen("phone", "en")
    terms = {"opponent": {"kind": "friend"}, "time": "5+3", "preset": "school"}
    game = white.start("faraes", **terms)
    number = str(white.page.locator("html").get_attribute("data-visitor")).split()[-1]
    for each in (guest, late):
        each.go(f"/game/{game}", ready="game")
        expect(each.get("invite-from")).to_contain_text(number)
    expect(guest.get("terms")).to_contain_text("5 min + 3 s")
    expect(guest.get("terms")).to_contain_text("Escolar")
    expect(guest.get("rulebook-link")).to_be_visible()
    expect(guest.get("invite-color")).to_have_text("Você joga com as pretas.")
    if size == "phone":
        assert guest.box("[data-testid=invite-accept]")["bottom"] <= guest.box("#actions")["top"]
    guest.assert_accessible()
    guest.assert_fits()
    guest.assert_translated()
    assert guest.page.request.get(f"{guest.address}/api/games/{game}").json()["you"] == "viewer"
    guest.get("invite-accept").focus()
    guest.page.keyboard.press("Enter")
    expect(white.get("waiting")).to_be_hidden()
    expect(guest.get("waiting")).to_be_hidden()
    expect(late.get("waiting")).to_be_hidden()  # there is nothing to accept any more
    expect(late.get("terms").locator(".tag")).to_have_count(1)


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_pieces_are_counted_beside_the_names(open_screen: Open, size: str) -> None:
    screen = open_screen(size)
    screen.start("brasileira", "W:Wc3,a1,Kh2:Bd4,f6,Kb8")
    expect(screen.get("count-white")).to_have_text(re.compile("2 pedras, 1 dama"))
    expect(screen.get("count-black")).to_have_text(re.compile("2 pedras, 1 dama"))
    screen.move("c3", "g7")
    expect(screen.get("count-black")).to_have_text(re.compile("^0 pedras, 1 dama"))
    expect(screen.get("count-black").locator(".piece-icon")).to_have_count(2)
    screen.assert_accessible()
    screen.assert_fits()


def test_pieces_are_counted_in_the_words_of_the_rulebook(open_screen: Open) -> None:
    screen = open_screen("phone", "pt-PT")
    screen.start("portuguesa")
    expect(screen.get("count-white")).to_have_text(re.compile("12 peões, 0 damas"))


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_spectators_have_no_move_box(open_screen: Open, size: str) -> None:
    white, black, viewer = open_screen("desk"), open_screen("phone"), open_screen(size)
    game = white.invite(black)
    viewer.go(f"/game/{game}", ready="game")
    box = viewer.get("move-input")
    expect(box).to_be_hidden()
    white.move("c3", "d4")
    expect(viewer.get("move-1")).to_be_visible()
    expect(box).to_be_hidden()
    viewer.get("replay-first").click()
    viewer.get("replay-last").click()
    expect(box).to_be_hidden()
    viewer.page.keyboard.press("t")  # the key that leads to it
    expect(box).to_be_hidden()
    viewer.tap("f6", "g5")
    assert viewer.names("selected") == viewer.names("premove") == set()
    expect(white.get("move-input")).to_be_visible()
    viewer.assert_fits()


HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


@pytest.mark.parametrize(
    ("language", "words"),
    [("pt-BR", "Sua vez"), ("pt-PT", "É a sua vez"), ("es", "Tu turno"), ("en", "Your turn")],
)
def test_the_title_says_whose_turn_it_is(open_screen: Open, language: str, words: str) -> None:
    white, black = open_screen("desk"), open_screen("phone", language)
    game = white.start("brasileira", opponent={"kind": "friend"})
    black.accept(game)
    expect(white.page).to_have_title(re.compile("^Sua vez · .*Brasileira"))
    expect(black.page).not_to_have_title(re.compile(words))
    black.page.evaluate(HIDE, True)
    expect(black.page).not_to_have_title(re.compile("●"))
    white.move("c3", "d4")
    expect(black.page).to_have_title(re.compile(f"^● {words} · "))  # in a tab that nobody looks at
    expect(white.page).not_to_have_title(re.compile("Sua vez"))
    black.page.evaluate(HIDE, False)
    expect(black.page).to_have_title(re.compile(f"^{words} · "))
    black.move("f6", "e5")
    expect(black.page).not_to_have_title(re.compile(words))
    expect(white.page).to_have_title(re.compile("^Sua vez · "))


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_a_player_gives_the_opponent_time(open_screen: Open, size: str) -> None:
    white, black = open_screen(size), open_screen("phone")
    white.invite(black, time="20")
    white.get("give-time").click()
    expect(white.get("clock-black")).to_have_text("20:15")
    expect(black.get("clock-black")).to_have_text("20:15")
    expect(black.get("table-news")).to_contain_text("As brancas dão tempo ao adversário (0:15)")
    expect(black.live()).to_contain_text("As brancas dão tempo ao adversário")
    black.get("give-time").click()
    expect(black.page.locator("#table-news li")).to_have_count(2)
    white.assert_fits()
    white.assert_accessible()


def test_time_is_given_in_casual_games_of_two_people_alone(open_screen: Open) -> None:
    white, black = open_screen(), open_screen("phone")
    white.invite(black, time="20", preset="school")
    expect(white.get("resign").or_(white.get("abort"))).to_be_visible()
    expect(white.get("give-time")).to_have_count(0)
    for terms in ({"opponent": {"kind": "level", "level": 1}}, {}):
        white.start("brasileira", time="20", **terms)
        expect(white.get("flip")).to_be_visible()
        expect(white.get("give-time")).to_have_count(0)


def test_an_invitation_to_one_player_asks_nobody_else(open_screen: Open) -> None:
    white, other = open_screen("desk"), open_screen("phone")
    guest = open_screen("phone").sign_up()
    white.sign_up()
    name = guest.go("/").page.locator("html").get_attribute("data-visitor")
    game = white.post(f"/api/challenge/{name}", rulebook="brasileira")["id"]
    other.go(f"/game/{game}", ready="game")
    expect(other.get("terms").locator(".tag")).to_have_count(1)  # who only watches
    expect(other.get("waiting")).to_be_hidden()
    guest.accept(game)
    expect(other.get("turn")).to_contain_text("brancas")


def test_a_friend_comes_by_the_link(open_screen: Open) -> None:
    white = open_screen("phone")
    white.go("/", ready="home")
    white.get("play-friend").click()
    white.page.wait_for_selector("body[data-ready=game]")
    address = white.page.url
    expect(white.get("waiting-link")).to_have_value(address)
    expect(white.get("move-input")).to_be_hidden()  # nobody can move yet
    assert white.get("invite-qr").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    white.assert_accessible()
    white.assert_fits()
    bar = white.box("#actions")["top"]
    for testid in ("waiting-link", "waiting-copy"):  # without scrolling, above the bar of actions
        assert white.box(f"[data-testid={testid}]")["bottom"] <= bar, testid
    black = open_screen("desk")
    black.go(address.replace(black.address, ""), ready="game")
    expect(black.get("invite-color")).to_contain_text("pretas")
    expect(white.get("viewers")).to_be_visible()  # who has only opened the link looks on
    expect(white.get("waiting")).to_be_visible()
    black.get("invite-accept").click()
    expect(black.page.locator("#board")).to_have_attribute("orientation", "black")
    expect(white.get("waiting")).to_be_hidden()
    expect(white.get("move-input")).to_be_visible()
    expect(black.get("move-input")).to_be_visible()  # also while the other is to move
    expect(white.get("viewers")).to_have_count(0)  # who sat down looks on no more
    white.move("c3", "d4")
    expect(black.live()).to_have_text("Brancas: c3-d4")
    black.move("f6", "e5")
    black.tap("d4")  # not one's own piece: nothing happens
    expect(white.live()).to_contain_text("Pretas: f6-e5")
    wait_until(lambda: moves(white) == moves(black) == ["c3-d4", "f6-e5"], white.page)
    black.get("chat-text").fill("Boa partida <b>!</b>")
    black.get("chat-send").click()
    expect(white.get("chat-lines")).to_contain_text("Boa partida <b>!</b>")
    white.get("chat-mute").click()
    expect(white.get("chat-lines")).to_be_hidden()
    viewer = open_screen()
    viewer.go(address.replace(viewer.address, ""), ready="game")
    expect(viewer.get("terms")).to_contain_text("Você assiste")
    expect(viewer.get("chat-room")).to_be_visible()  # the players' chat is theirs
    expect(viewer.get("chat-lines")).not_to_contain_text("Boa partida")
    expect(white.get("chat-room")).to_be_hidden()
    expect(viewer.get("move-input")).to_be_hidden()
    expect(white.get("viewers")).to_contain_text("1")
    white.resign()
    expect(black.get("result")).to_contain_text("Você ganhou")
    expect(black.live()).to_contain_text("Você ganhou")
    expect(black.get("move-input")).to_be_hidden()
    expect(viewer.get("result-sentence")).to_be_visible()
    white.get("rematch").click()
    black.get("rematch").click()
    black.page.wait_for_url(re.compile(r"/game/(?!" + address[-12:] + ")"))
    white.page.wait_for_url(black.page.url)
    expect(white.page.locator("#board")).to_have_attribute("orientation", "black")


def test_no_move_is_lost_with_the_line(open_screen: Open, connection: Connection) -> None:
    white, black = invited(open_screen, connection)
    white.move("c3", "d4")
    expect(black.live()).to_have_text("Brancas: c3-d4")
    # The move reaches the server, its acknowledgement does not reach the player, and then the connection is gone.
    connection.lose_answers()
    black.move("b6", "a5")
    expect(white.live()).to_contain_text("Pretas: b6-a5")
    connection.cut()
    expect(black.get("connection")).to_contain_text("Sem conexão")
    white.move("e3", "f4")
    connection.restore()
    expect(black.get("connection")).to_be_hidden()
    expect(black.live()).to_contain_text("Brancas: e3-f4")
    # A move made without a connection waits, also through a new load of the page, and is played once.
    connection.cut()
    expect(black.get("connection")).to_contain_text("Sem conexão")
    black.move("d6", "e5")
    expect(black.get("turn")).to_contain_text("Enviando")
    connection.restore()
    expect(white.live()).to_contain_text("Pretas: d6-e5")
    expect(black.get("turn")).to_contain_text("Vez do adversário")
    played = ["c3-d4", "b6-a5", "e3-f4", "d6-e5"]
    wait_until(lambda: moves(white) == moves(black) == played, white.page)
    assert (
        black.page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('damas.pending'))")
        == []
    )
    black.errors[:] = [error for error in black.errors if "WebSocket connection" not in error]


def test_a_killed_server_loses_nothing(open_screen: Open, tmp_path: Path) -> None:
    process, address = start_server(tmp_path)
    try:
        screen = open_screen("phone")
        screen.address = address
        screen.start("brasileira")
        screen.move("c3", "d4")
        expect(screen.get("move-1")).to_have_text("c3-d4")
        process.kill()
        wait_until_stopped(process)
        expect(screen.get("connection")).to_contain_text("Sem conexão")
        screen.move("b6", "a5")
        process, _ = start_server(tmp_path, int(address.rpartition(":")[2]))
        expect(screen.get("move-2")).to_have_text("b6-a5")
        expect(screen.get("connection")).to_be_hidden()
        screen.move("e3", "f4")
        expect(screen.get("move-3")).to_have_text("e3-f4")
        screen.errors[:] = [error for error in screen.errors if "WebSocket connection" not in error]
    finally:
        process.kill()
        wait_until_stopped(process)


def test_a_second_window_takes_over(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("brasileira")
    other = Screen(screen.page.context.new_page(), screen.address)
    other.go(screen.page.url.replace(screen.address, ""), ready="game")
    expect(screen.get("connection")).to_contain_text("outra janela")
    screen.get("play-here").click()
    expect(other.get("connection")).to_contain_text("outra janela")
    screen.move("c3", "d4")
    expect(screen.get("move-1")).to_have_text("c3-d4")
    expect(other.live()).to_contain_text("c3-d4")
    expect(other.get("viewers")).to_have_count(0)  # nobody else looks on


def test_clocks_run_and_tell_tenths(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.start("brasileira", time="9s")
    screen.move("c3", "d4")
    expect(screen.page.locator("[data-side=black].running")).to_have_count(1)
    expect(screen.get("clock-black")).to_have_text(re.compile(r"^0:0\d\.\d$"))
    assert screen.page.locator("[data-side=black] .clock.low").count() == 1
    screen.page.keyboard.press("c")
    expect(screen.live()).to_contain_text("Pretas 0:0")


def test_offers_and_take_backs(open_screen: Open) -> None:
    white, black = invited(open_screen)
    white.move("c3", "d4")
    expect(black.get("move-1")).to_have_text("c3-d4")
    white.get("take-back").click()
    black.get("grant").click()
    expect(white.page.locator("#moves .move")).to_have_count(0)
    expect(white.get("turn")).to_contain_text("Sua vez")
    white.move("c3", "b4")
    black.move("f6", "g5")
    black.get("offer-draw").click()
    black.get("offer-draw-confirm").click()
    expect(white.get("asks")).to_contain_text("propõe empate")
    expect(white.live()).to_contain_text("propõe empate")
    white.get("accept").click()
    expect(black.get("result")).to_contain_text("Empate")
    for each in (white, black):  # who listens hears how it ended
        expect(each.live()).to_contain_text("Empate")
    expect(white.get("result-sentence")).to_be_visible()
    white.get("replay-first").click()
    expect(white.square("c3")).to_have_attribute("aria-label", re.compile("pedra branca"))
    white.page.keyboard.press("ArrowRight")
    expect(white.square("b4")).to_have_attribute("aria-label", re.compile("pedra branca"))
    white.assert_accessible()


def test_attention_starts_the_count(screen: Screen) -> None:  # A3, as far as the page shows it
    screen.start("faraes", "W:WKg1,Kc1,Ka3:BKb8", preset="school")
    screen.page.locator("[data-testid^=claim-]").first.click()
    expect(screen.get("counters")).to_contain_text("três damas contra uma: 0 de 13 lances do lado mais forte")
    expect(screen.get("counters")).to_contain_text("Art. 12")
    screen.move("g1", "h2")
    expect(screen.get("counters")).to_contain_text("1 de 13")
    screen.assert_accessible()


@pytest.mark.parametrize("visitor", tour("phone pt-BR", "desk pt-PT", "phone pt-PT", "desk pt-BR"))
def test_a_counter_and_the_result_have_the_name_and_the_unit_of_the_article(
    open_screen: Open, visitor: str
) -> None:
    """Document 000: two kings against one, five moves each; no offer of the platform comes before them."""
    screen = open_screen(*visitor.split())
    screen.start("brasileira", "W:WKa1,Kg1:BKb8")
    moves = [("g1", "h2"), ("b8", "a7"), ("h2", "g1"), ("a7", "b8")] * 3
    for move in moves[:8]:
        screen.move(*move)
    expect(screen.get("counters")).to_contain_text("duas damas contra uma: 4 de 5 lances de cada lado")
    bar = screen.get("counters").get_by_role("progressbar").first
    assert (bar.get_attribute("aria-valuenow"), bar.get_attribute("aria-valuemax")) == ("4", "5")
    expect(screen.get("claim-platform-third-occurrence")).to_have_count(0)
    screen.assert_accessible()
    for move in moves[8:10]:
        screen.move(*move)
    expect(screen.get("result-sentence")).to_contain_text(
        "Empate: duas damas contra uma, limite de 5 lances de cada lado, contado desde o lance 1"
    )
    screen.assert_fits()
    screen.start("portuguesa", "W:WK32,K3,K4:BK29")
    screen.move("32", "28")
    expect(screen.get("counters")).to_contain_text("forçada: 1 de 12 lances do lado mais forte")


def test_touched_is_played_in_school(open_screen: Open) -> None:  # A4
    screen = open_screen("phone")
    screen.start("faraes", preset="school")
    screen.wait_for_names("movable", set())
    screen.get("adjust").click()
    expect(screen.get("asks")).to_contain_text("arrumam as peças")
    screen.move("c3", "d4")
    expect(screen.get("move-1")).to_have_text("c3-d4")
    screen.tap("f6")
    expect(screen.square("f6")).to_have_class(re.compile("bound"))
    assert screen.page.locator("#board .pin").count() == 1
    screen.tap("d6")
    expect(screen.get("explain")).to_contain_text("Art. 15")
    expect(screen.square("f6")).not_to_have_class(re.compile("selected"))  # or the next tap would move it
    lines = screen.get("explain").locator("> *").all_inner_texts()
    assert len(lines) == len(set(lines)), "each sentence once"
    sheet = screen.box("#refusal")
    assert screen.box(".board-frame")["bottom"] <= sheet["top"]
    assert sheet["bottom"] <= screen.box("#actions")["top"] + 1
    screen.get("close-explain").click()
    screen.move("f6", "g5")  # touching it once more does not let it go
    expect(screen.get("move-2")).to_have_text("f6-g5")


def test_school_gives_no_hints(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("faraes", "W:Wc3,h2:Bb4,d4,f6", preset="school")
    field = screen.get("move-input")
    field.focus()
    expect(field).to_have_attribute("placeholder", "Digite um lance")  # and not the capture that is asked for
    field.fill("h2")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    field.fill("")
    screen.square("c3").focus()
    screen.page.keyboard.press("m")
    expect(screen.live()).to_contain_text("sem dicas")
    screen.wait_for_names("movable", set())


@pytest.mark.parametrize("size", tour("phone", "desk"))
def test_a_capture_let_go_too_early_is_the_opponents_to_judge(open_screen: Open, size: str) -> None:  # A5
    screen = open_screen(size)
    screen.start("faraes", "W:Wc3:Bd4,f6,a7", preset="school")
    screen.move("c3", "e5")
    expect(screen.get("asks")).to_contain_text("A captura continua")
    screen.page.keyboard.press("Escape")  # nothing was let go yet
    expect(screen.get("asks")).to_be_hidden()
    screen.move("c3", "e5")
    screen.get("stop").click()
    expect(screen.get("asks")).to_contain_text("c3xe5")
    expect(screen.square("e5")).to_have_attribute(
        "aria-label", re.compile("pedra branca")
    )  # where it was left
    expect(screen.square("c3")).not_to_have_attribute("aria-label", re.compile("pedra"))
    expect(screen.page.locator("#turn")).to_have_text("Vez das pretas")  # the game waits for their answer
    sheet, bar = screen.box(".ask-first"), screen.box(".actions")
    on_a_phone = bar["left"] == 0
    # The bar has a border of one pixel.
    assert (
        not on_a_phone or screen.box("#board")["bottom"] <= sheet["top"] < sheet["bottom"] <= bar["top"] + 1
    )
    for answer in ("accept", "demand"):
        expect(screen.get(answer)).to_be_in_viewport(ratio=1)
    screen.get("demand").click()
    expect(screen.get("asks")).to_be_hidden()
    screen.move("c3", "e5", "g7")
    expect(screen.get("move-1")).to_have_text("c3xg7")
    screen.start("faraes", "W:Wc3:Bd4,f6,a7", preset="school")
    screen.move("c3", "e5")
    screen.get("stop").click()
    screen.get("accept").click()
    expect(screen.square("e5")).to_have_attribute("aria-label", re.compile("pedra branca"))
    expect(screen.square("f6")).to_have_attribute("aria-label", re.compile("pedra preta"))


def test_flip_numbering_zen_and_settings(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("brasileira")
    screen.page.keyboard.press("f")
    expect(screen.page.locator("#board")).to_have_attribute("orientation", "black")
    screen.get("settings").click()
    screen.get("set-numbering").select_option("numbers")
    expect(screen.page.locator("#board .label-inside")).to_have_count(32)
    screen.get("set-theme").select_option("contrast")
    expect(screen.page.locator("html")).to_have_attribute("data-theme", "contrast")
    screen.get("set-confirm").select_option("always")
    screen.assert_accessible()
    screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("z")
    expect(screen.page.locator(".masthead")).to_be_hidden()
    screen.page.keyboard.press("z")
    screen.page.keyboard.press("?")
    expect(screen.get("keys-dialog")).to_be_visible()
    screen.page.keyboard.press("Escape")
    screen.move("c3", "d4")
    expect(screen.page.locator("#moves .move")).to_have_count(0)
    screen.get("confirm-move").click()
    expect(screen.get("move-1")).to_have_text("c3-d4")
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=game]")
    expect(screen.page.locator("#board .label-inside")).to_have_count(32)


@pytest.mark.parametrize("size", tour("phone", "desk"))
def test_ones_own_seek_is_opened_or_withdrawn_and_not_played(open_screen: Open, size: str) -> None:
    screen, other = open_screen(size), open_screen("desk", "en")
    game = screen.start("brasileira", opponent={"kind": "seek"})
    lobby = screen.page.context.new_page()
    lobby.goto(screen.address)
    own = lobby.get_by_test_id(f"own-{game}")
    expect(own).to_contain_text("Seu convite")
    expect(lobby.get_by_test_id(f"join-{game}")).to_have_count(0)
    expect(lobby.get_by_test_id(f"open-{game}")).to_have_attribute("href", f"/game/{game}")
    lobby.evaluate("scrollTo(0, document.body.scrollHeight)")
    below = lobby.evaluate(
        """() => document.querySelector('.lobby').getBoundingClientRect().top
            - document.querySelector('.hero-caption').getBoundingClientRect().bottom"""
    )
    assert below >= 0, "the board that stays in sight covers nobody's invitation"
    seen = Screen(lobby, screen.address)
    seen.assert_fits()
    seen.assert_accessible()
    other.go("/", ready="home")
    expect(other.get(f"join-{game}")).to_be_visible()
    lobby.get_by_test_id(f"withdraw-{game}").click()
    expect(own).to_have_count(0)
    expect(other.get(f"join-{game}")).to_have_count(0)
    expect(screen.get("result")).to_contain_text("Partida cancelada")
