"""What a first-time visitor meets: quick hands, low windows, refusals and silences, each of them told or shown."""

import re

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from browser.screen import Open, Screen

LOW = [(844, 390), (640, 400), (932, 430)]
"""A phone on its side, a desk at twice its size, a large phone on its side."""
COMPUTER = {"kind": "level", "level": 1}
DRAWN = ".layer-pieces > *, .layer-held > *"


@pytest.mark.parametrize("finger", [False, True], ids=["mouse", "finger"])
def test_pieces_taken_and_retaken_quickly_leave(open_screen: Open, finger: bool) -> None:
    options = {"has_touch": True, "is_mobile": True} if finger else {}
    screen = open_screen("phone" if finger else "desk", reduced_motion="no-preference", **options)
    screen.start("brasileira", "W:Wh2,e1,a1:Bh4,b8")
    for number, pair in enumerate([("h2", "g3"), ("h4", "f2"), ("e1", "g3")], start=1):
        for name in pair:
            square = screen.square(name)
            square.tap() if finger else square.click()
        expect(
            screen.get(f"move-{number}")
        ).to_be_attached()  # the server has it; the pieces are still under way
    expect(screen.page.locator("#board").locator(DRAWN)).to_have_count(3)
    expect(screen.page.locator("#board .taken")).to_have_count(0)
    assert len(screen.page.evaluate("Object.keys(document.querySelector('#board').position.pieces)")) == 3


def test_an_article_is_linked_only_where_there_is_a_page(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("brasileira", opponent=COMPUTER)
    screen.move("c3", "d4")
    expect(screen.get("move-2")).to_be_visible()
    screen.resign()
    expect(screen.get("result-sentence")).to_be_visible()
    assert screen.get("result-article").count() == 0  # a regulation, which has no page
    screen.start("brasileira", "W:Wc3:Bd4")
    screen.move("c3", "e5")
    link = str(screen.get("result-article").get_attribute("href"))
    assert link.startswith("/rules/brasileira#")
    screen.go(link)
    assert screen.page.evaluate(
        "document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null"
    )


@pytest.mark.parametrize("size", LOW, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_low_window_shows_the_whole_board(open_screen: Open, size: tuple[int, int]) -> None:
    screen = open_screen()
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.start("faraes", "W:Wc3:Bb4,d4,f6")
    board, above, below, bar = map(screen.box, (".board-frame", "#player-above", "#player-below", "#actions"))
    assert board["bottom"] <= size[1] and board["right"] - board["left"] > size[1] * 0.75
    for beside in (above, below, bar):
        assert beside["left"] >= board["right"] and beside["bottom"] <= size[1]
    screen.move("c3", "a5")
    expect(screen.get("explain")).to_be_visible()
    sheet = screen.box("#refusal")
    assert sheet["left"] >= board["right"] and sheet["bottom"] <= bar["top"] + 1
    screen.assert_fits()


@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/analysis", "analysis"),
        ("/puzzles", "puzzles"),
        ("/learn/lei-da-maioria", "lesson"),
        ("/endings", "endings"),
        ("/drills", "drills"),
        ("/lens", "lens"),
    ],
)
def test_every_low_window_shows_the_board_of_every_page(open_screen: Open, path: str, ready: str) -> None:
    screen = open_screen()
    for width, height in LOW:
        screen.page.set_viewport_size({"width": width, "height": height})
        if not screen.page.url.endswith(path):
            screen.go(path, ready=ready)
        frame = screen.box(".board-frame")
        assert 0.75 * height < frame["bottom"] - frame["top"] <= height, (width, height)
        screen.assert_fits()


def test_a_declined_draw_is_told(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("brasileira", opponent=COMPUTER)
    screen.move("c3", "d4")
    expect(screen.get("move-2")).to_be_visible()
    screen.get("offer-draw").click()
    screen.get("offer-draw-confirm").click()
    for place in (screen.get("note"), screen.live()):
        expect(place).to_contain_text("não aceitou o empate")
    screen.resign()
    expect(screen.get("result")).to_be_visible()
    expect(screen.get("note")).to_be_hidden()  # it goes on no more


def test_a_refused_take_back_is_told(open_screen: Open) -> None:
    white, black = open_screen(), open_screen("phone")
    white.invite(black)
    white.move("c3", "d4")
    expect(white.get("move-1")).to_be_visible()
    white.get("take-back").click()
    black.get("refuse").click()
    expect(white.get("note")).to_contain_text("não deixou voltar")
    expect(black.get("note")).to_be_hidden()


def test_a_lost_network_is_told_at_once_and_truly(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("brasileira")
    network = screen.page.context
    try:
        network.set_offline(True)
        expect(screen.get("connection")).to_have_text("Sem conexão. Tentando de novo.")
        screen.move("c3", "d4")
        expect(screen.get("connection")).to_contain_text("seu lance está guardado")
        expect(screen.get("turn")).to_be_visible()
    finally:
        network.set_offline(False)
    expect(screen.get("connection")).to_be_hidden()
    expect(screen.get("move-1")).to_have_text("c3-d4")
    cut = ("WebSocket connection", "net::ERR_")  # what a browser says of a line that is down
    screen.errors[:] = [error for error in screen.errors if not any(word in error for word in cut)]


def test_the_board_is_drawn_before_the_first_greeting(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/", ready="home")
    game = screen.post("/api/games", rulebook="portuguesa", opponent={"kind": "device"}, colour="white")["id"]

    def silent(_: WebSocketRoute) -> None:
        """A line that is open and says nothing."""

    screen.page.route_web_socket(re.compile("/socket"), silent)
    screen.go(f"/game/{game}")
    expect(screen.page.locator("#board .piece")).to_have_count(24)
    expect(screen.page.locator("#board")).to_have_attribute("rulebook", "portuguesa")
    screen.tap("10", "14")
    expect(screen.page.locator("#board .selected")).to_have_count(0)
    expect(screen.get("move-input")).to_be_hidden()  # nobody knows yet whether the visitor plays


def test_whose_piece_it_is_is_said_and_shown(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.start("brasileira", opponent=COMPUTER)
    screen.tap("f6")
    expect(screen.live()).to_have_text("f6, pedra preta: é do adversário")
    expect(screen.get("board-hint")).to_have_text("f6, pedra preta: é do adversário")
    expect(screen.get("board-hint")).to_be_visible()
    expect(screen.get("board-hint")).to_be_hidden()
    screen.start("brasileira")
    screen.tap("f6")
    expect(screen.get("board-hint")).to_have_text("f6, pedra preta: agora jogam as brancas")


def test_a_move_typed_out_of_turn_is_told_so(open_screen: Open) -> None:
    white, black = open_screen(), open_screen("phone")
    white.invite(black, preset="school")
    field = black.get("move-input")
    field.fill("f6-g5")
    expect(field).not_to_have_attribute("aria-invalid", "true")  # it is a move, only not now
    field.press("Enter")
    expect(black.get("board-hint")).to_have_text("É a vez do outro lado")
    expect(black.live()).to_have_text("É a vez do outro lado")
    viewer = open_screen()
    viewer.go(white.page.url.replace(white.address, ""), ready="game")
    expect(viewer.get("move-input")).to_be_hidden()


def test_the_keyboards_place_outlives_what_happens(open_screen: Open) -> None:
    white, black = open_screen(), open_screen()
    white.invite(black)
    black.get("flip").focus()
    white.move("c3", "d4")
    expect(black.get("move-1")).to_be_visible()
    expect(black.get("flip")).to_be_focused()
    black.get("move-1").focus()
    black.move("f6", "g5")
    expect(black.get("move-2")).to_be_visible()  # a new move shows the position now, whatever was looked at
    black.get("move-1").press("Enter")
    expect(black.get("move-1")).to_have_attribute("aria-current", "step")
    expect(black.get("move-1")).to_be_focused()
    black.get("replay-previous").press("Enter")  # to the beginning, where it can be pressed no more
    expect(black.get("replay-next")).to_be_focused()
    black.get("replay-last").press("Enter")
    black.get("take-back").press("Enter")
    expect(black.get("take-back")).to_have_count(0)
    expect(black.get("actions")).to_be_focused()  # its button is gone, its row is not
    white.get("refuse").press("Enter")
    expect(white.get("asks")).to_be_hidden()
    white.page.wait_for_function("document.activeElement !== document.body")


def test_what_is_no_move_is_not_written_down_and_asks_for_no_other(open_screen: Open) -> None:
    screen = open_screen()
    for preset in ("casual", "school"):
        screen.start("brasileira", preset=preset)
        screen.enter("olá")
        expect(screen.get("explain")).to_be_visible()
        assert screen.get("refused-move").count() == 0
        screen.enter("c3-e5")
        expect(screen.get("refused-move")).to_have_count(1)
    screen.start("brasileira", "W:Wc3,h2:Bd4,h8")
    screen.enter("olá")
    expect(screen.get("explain")).to_contain_text("olá")
    expect(screen.get("play-that")).to_have_count(0)
    screen.wait_for_names("ringed", set())
    screen.enter("h2-g3")
    expect(screen.get("play-that")).to_be_visible()


def test_an_open_invitation_says_where_it_is(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("brasileira", opponent={"kind": "seek"})
    expect(screen.get("waiting-how")).to_contain_text("à vista de todos")
    screen.start("brasileira", opponent={"kind": "friend"})
    expect(screen.get("waiting-how")).to_contain_text("Mande este link")


def test_players_are_named_in_the_analysis(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/analysis?rulebook=brasileira", ready="analysis")
    screen.get("import").click()
    screen.get("import-text").fill('[White "Ana"]\n[Black "Rui"]\n[GameType "26"]\n\n1. c3-d4 *')
    screen.get("import-read").click()
    expect(screen.get("players")).to_have_text("Ana – Rui")
    game = screen.start("brasileira", opponent=COMPUTER)
    screen.move("c3", "d4")
    expect(screen.get("move-2")).to_be_visible()
    expect(screen.page).to_have_title(re.compile("Computador, nível 1"))
    screen.go(f"/analysis?game={game}", ready="analysis")
    expect(screen.get("players")).to_contain_text("Computador, nível 1")


def test_a_page_that_is_not_there_fetches_nothing_in_vain(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/", ready="home")
    preloads = screen.page.locator("link[rel=preload], link[rel=modulepreload]")
    assert preloads.count() > 0
    screen.go("/nowhere")
    expect(screen.get("error-page")).to_be_visible()
    assert preloads.count() == 0  # no script of this page would use it, and the browser would warn
    screen.errors[:] = [error for error in screen.errors if "404" not in error]


REPORT = """async () => {
  const { reportPanel } = await import('/static/pages/analysis/report.js');
  const mistake = (ply, lost, moves) => ({ ply, number: (ply + 1) / 2, by: 'white', move: `m${ply}`, lost, kind: 'blunder',
    chance_before: 0.9, chance_after: 0.3, best: 'c3-d4', missed: moves && { moves }, sentence: { 'pt-BR': `frase ${ply}`, en: '' } });
  const shot = ['c3-d4', 'e5xc3', 'b2xf6'];
  const tally = { inaccuracy: 11, mistake: 12, blunder: 13, kept: 0.55 };
  reportPanel.show({
    graph: [{ ply: 1, chance: 0.5, move: 'c3-d4', score: 0 }], tally: { white: tally, black: tally },
    mistakes: [mistake(3, 0.9, shot), mistake(5, 0.8, shot), mistake(7, 0.7, shot), mistake(9, 0.6), mistake(11, 0.5)] });
}"""

WORDS_OF_SEVERAL_LINES = """heads => heads.flatMap(head => [...head.textContent.matchAll(/\\S+/g)].filter(word => {
  const range = document.createRange();
  range.setStart(head.firstChild, word.index);
  range.setEnd(head.firstChild, word.index + word[0].length);
  return range.getClientRects().length > 1;
}).map(word => word[0]))"""


def test_a_shot_missed_thrice_is_one_of_the_three_worst(screen: Screen) -> None:
    screen.go("/analysis?rulebook=brasileira&modules", ready="analysis")
    screen.page.evaluate(REPORT)
    sentences = screen.get("worst").get_by_test_id("sentence")
    expect(sentences).to_have_text(["frase 3", "frase 9", "frase 11"])
    expect(screen.get("worst-1").get_by_test_id("again")).to_contain_text("3. m5, 4. m7")
    assert screen.page.locator(".tally th[scope=col]").evaluate_all(WORDS_OF_SEVERAL_LINES) == []
    screen.assert_fits()


def test_what_scrolls_sideways_shows_it(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.go("/", ready="home")
    row = screen.page.locator(".site-nav ul")
    assert row.evaluate("row => row.scrollWidth > row.clientWidth")
    shown = "row => getComputedStyle(row).backgroundAttachment.includes('local')"
    assert row.evaluate(shown)
    screen.start("brasileira", opponent=COMPUTER)
    assert screen.get("actions").evaluate(shown)


def test_nothing_is_offered_while_tables_are_prepared(open_screen: Open) -> None:
    screen = open_screen()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    screen.page.route("**/api/endings", hold)
    screen.go("/endings", ready="endings")
    for name in ("another", "same", "take-back", "best"):
        expect(screen.get(name)).to_be_disabled()
    while not held:
        screen.page.wait_for_timeout(50)
    held[0].continue_()
    for name in ("another", "same", "best"):
        expect(screen.get(name)).to_be_enabled()
    expect(screen.get("take-back")).to_be_disabled()
