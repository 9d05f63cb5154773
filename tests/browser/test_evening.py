"""An arbiter's evening in a browser: five boards on one page, whose players play over sockets."""

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from websockets.sync.client import ClientConnection, connect

from browser.screen import Open, Screen, tour
from browser.test_over_the_board import arbiter_link, intervene

SHUTTLE = ("4-8", "29-25", "8-4", "25-29")
VISITORS = tour("phone pt-PT", "desk pt-BR", "phone pt-BR", "desk pt-PT")


class Player:
    """Somebody who plays over a socket."""

    def __init__(self, address: str, close: ExitStack) -> None:
        self._close = close
        self.address = address
        self.http = close.enter_context(httpx.Client(base_url=address, headers={"X-Damas": "1"}, timeout=60))
        self.socket: ClientConnection
        self.seq = self.ply = 0

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.http.post(path, json=body)
        assert answer.is_success, answer.text
        return dict(answer.json())

    def sit(self, game: str) -> None:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        url = f"{self.address.replace('http', 'ws', 1)}/game/{game}/socket"
        socket = connect(url, additional_headers={"Cookie": cookies}, ping_interval=None, max_queue=None)
        self.socket = self._close.enter_context(socket)
        self._wait(lambda message: message["t"] == "hello")

    def act(self, do: str, **facts: Any) -> str:
        """Asks for something; the code of the refusal, or nothing."""
        return self._ask(t="act", do=do, **facts)

    def move(self, text: str) -> str:
        return self._ask(t="move", move=text, ply=self.ply)

    def see(self, kind: str) -> None:
        """Waits for an event of this kind that has not been seen yet."""
        self._wait(lambda message: message.get("event", {}).get("kind") == kind)

    def _ask(self, **message: Any) -> str:
        asked = secrets.token_hex(16)
        self.socket.send(json.dumps({"id": asked, "last_seq": self.seq, **message}))
        return str(self._wait(lambda answer: answer.get("id") == asked).get("code", ""))

    def _wait(self, wanted: Any) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(60))
            self.seq = max(self.seq, message.get("seq") or 0)
            self.ply = (message.get("view") or {}).get("ply", self.ply)
            if wanted(message):
                return message


@pytest.fixture
def close() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def pair(address: str, close: ExitStack, number: int, **terms: Any) -> tuple[str, str, Player, Player]:
    """A board of two players with names, and its arbiter's link."""
    white, black = Player(address, close), Player(address, close)
    for player, name in ((white, f"Ana {number}"), (black, f"Rui {number}")):
        player.post("/api/account/name", name=name)
    wanted = {"rulebook": "faraes", "preset": "school", "time": "20", "color": "white", **terms}
    game = str(white.post("/api/games", opponent={"kind": "friend"}, **wanted)["id"])
    link = str(white.post(f"/api/games/{game}/arbiter")["url"])
    black.post(f"/api/games/{game}/join")
    white.sit(game)
    black.sit(game)
    return game, link, white, black


def certificate_of(arbiter: Screen, game: str) -> str:
    """The text of a board's certificate, as the page of many boards prints it."""
    with arbiter.page.context.expect_page() as opened:
        arbiter.get(f"certificate-{game}").click()
    paper = opened.value
    expect(paper.locator("h1")).to_be_visible()
    text = paper.locator("main").inner_text()
    paper.close()
    return text


@pytest.mark.parametrize("visitor", VISITORS)
def test_an_evening_of_five_boards(open_screen: Open, close: ExitStack, visitor: str) -> None:
    """Two claims, one touched piece, one illegal move, one wrong clock; certificates printed."""
    arbiter = open_screen(*visitor.split())
    kings = {"rulebook": "portuguesa-fpd", "preset": "club", "fen": "W:WK4,9:BK29,24"}
    boards = [pair(arbiter.address, close, n, **(kings if n < 2 else {})) for n in range(5)]
    games = [game for game, *_ in boards]
    arbiter.go("/arbiter", ready="arbiter")
    expect(arbiter.get("no-boards")).to_be_visible()
    arbiter.get("boards-links").fill(
        "\n".join(f"Mesa {n}: {arbiter.address}{board[1]}" for n, board in enumerate(boards))
    )
    arbiter.get("boards-add").click()
    for game in games:
        expect(arbiter.get(f"board-{game}")).to_contain_text("Ainda sem lances")
    expect(arbiter.get("boards-count")).to_contain_text("5 mesas, 5 em jogo, 0")
    expect(arbiter.get(f"number-{games[2]}")).to_have_text("Mesa 3")
    arbiter.get(f"renumber-{games[2]}").click()
    arbiter.get("table-number").fill("12")
    arbiter.page.keyboard.press("Enter")
    arbiter.page.reload()
    expect(arbiter.get(f"number-{games[2]}")).to_have_text("Mesa 12")
    expect(arbiter.get(f"number-{games[3]}")).to_have_text("Mesa 4")
    expect(arbiter.get(f"board-{games[4]}").get_by_test_id("clock-black")).to_have_text("20:00")
    arbiter.get("boards-links").fill(f"{arbiter.address}{boards[3][1][:-3]}")  # a link without its end
    arbiter.get("boards-add").click()
    expect(arbiter.page.locator(".toast")).to_contain_text("não abre a partida")
    expect(arbiter.get(f"board-{games[3]}")).to_contain_text("Ainda sem lances")  # by the link that it had
    arbiter.assert_fits()
    arbiter.assert_translated()
    arbiter.assert_accessible()

    # Two claims: one right, one too early, for which the other player calls the arbiter.
    _, _, white, black = boards[0]
    for ply in range(8):
        assert (black if ply % 2 else white).move(SHUTTLE[ply % 4]) == ""
        white.see("moved")
        black.see("moved")
    assert black.act("claim", rule="threefold") == ""
    expect(arbiter.get(f"state-{games[0]}")).to_contain_text("a mesma posição")
    _, _, white, black = boards[1]
    assert black.act("claim", rule="threefold") == "WRONG_CLAIM"
    expect(arbiter.get(f"news-{games[1]}")).to_contain_text("reclamação sem razão")
    assert white.act("call") == ""
    expect(arbiter.get(f"call-{games[1]}")).to_contain_text("Ana 1")
    expect(arbiter.get("boards").locator("li.card").first).to_have_attribute(
        "data-testid", f"board-{games[1]}"
    )
    arbiter.get(f"open-{games[1]}").click()
    arbiter.page.wait_for_selector("body[data-ready=game]")
    expect(arbiter.get("call")).to_contain_text("brancas")
    intervene(arbiter, "say", "reclamação cedo demais; dois minutos para as brancas")
    expect(arbiter.get("call")).to_have_count(0)
    black.see("advised")

    # A touched piece, released.
    arbiter.get("arbiter-boards").click()
    arbiter.page.wait_for_selector("body[data-ready=arbiter]")
    _, _, white, black = boards[2]
    assert white.act("touch", square="c3") == ""
    assert white.move("e3-f4") == "TOUCHED"
    expect(arbiter.get(f"board-{games[2]}").get_by_test_id("irregular-white")).to_contain_text(
        "1 irregularidade"
    )
    arbiter.get(f"open-{games[2]}").click()
    intervene(arbiter, "release", "tocou ao arrumar")
    white.see("released")
    assert white.move("e3-f4") == ""

    # An illegal move, and a wrong clock, set right both ways.
    _, _, white, black = boards[3]
    assert white.move("c3-c5") == "NOT_DIAGONAL"
    arbiter.get("arbiter-boards").click()
    expect(arbiter.get(f"news-{games[3]}")).to_contain_text("lance ilegal")
    arbiter.get(f"open-{games[4]}").click()
    arbiter.get("arbiter-what").select_option("clock")
    expect(arbiter.get("arbiter-side")).to_have_value("white")
    arbiter.get("arbiter-side").select_option("black")
    expect(arbiter.get("arbiter-minutes")).to_have_value("20")  # what that clock shows: it has not run yet
    intervene(arbiter, "clock", "relógio trocado", side="black", minutes="5", seconds="30")
    expect(arbiter.get("clock-black")).to_have_text("5:30")
    intervene(arbiter, "clock", "relógio trocado", side="black", minutes="25", seconds="0")
    expect(arbiter.get("clock-black")).to_have_text("25:00")
    boards[4][2].see("time_set")

    # The round ends: a result for every board, and its certificate on paper.
    for number, game in enumerate(games[1:], start=1):
        arbiter.get("arbiter-boards").click()
        arbiter.get(f"open-{game}").click()
        intervene(arbiter, "result", f"fim da ronda {number}", result="1/2-1/2")
        expect(arbiter.get("result-sentence")).to_contain_text(f"fim da ronda {number}")
    arbiter.get("arbiter-boards").click()
    expect(arbiter.get("boards-count")).to_contain_text("5 mesas, 0 em jogo")
    papers = [certificate_of(arbiter, game) for game in games]
    assert "a mesma posição" in papers[0]
    assert "reclamação sem razão" in papers[1]
    assert "tocou ao arrumar" in papers[2]
    assert "lance ilegal" in papers[3]
    for face in ("5:30", "25:00"):
        assert f"acerta o relógio das pretas em {face}: relógio trocado" in papers[4]
    assert not re.search(r"\b[A-Z]+_[A-Z]+\b", "".join(papers))
    arbiter.get(f"forget-{games[4]}").click()
    expect(arbiter.get(f"board-{games[4]}")).to_have_count(0)
    arbiter.assert_accessible()


def test_players_agree_on_an_arbiter_in_the_middle_of_a_game(open_screen: Open) -> None:
    white, black, arbiter = open_screen("desk"), open_screen("phone"), open_screen("phone")
    game = white.start("faraes", opponent={"kind": "friend"}, preset="club", color="white")
    black.accept(game)
    expect(white.get("waiting")).to_be_hidden()
    expect(black.get("arbiter-link-of")).to_have_count(0)  # whoever made the game has not taken the link
    black.get("share").click()
    black.get("ask-arbiter").click()
    black.page.keyboard.press("Escape")
    expect(white.get("asks")).to_contain_text("quer um árbitro")
    white.get("agree-arbiter").click()
    for each in (white, black):
        expect(each.page.locator(".toast")).to_contain_text("Os dois querem um árbitro")
        expect(each.get("agree-arbiter")).to_have_count(0)
    link = arbiter_link(black)
    assert link == arbiter_link(white)
    arbiter.go(link, ready="game")
    for each in (white, black):
        expect(each.get("arbiter-here")).to_be_visible()
    white.get("call-arbiter").click()
    for each in (white, black, arbiter):
        expect(each.get("call")).to_contain_text("brancas")
    expect(white.get("call-arbiter")).to_have_count(0)
    arbiter.get("arbiter-boards").click()
    expect(arbiter.get(f"call-{game}")).to_be_visible()
    for each in (white, black):  # from the page of many boards the arbiter is still here
        expect(each.get("arbiter-here")).to_be_visible()

    # The rematch has the same arbiter.
    arbiter.get(f"open-{game}").click()
    arbiter.page.wait_for_selector("body[data-ready=game]")
    intervene(arbiter, "result", "acordo", result="1/2-1/2")
    for each in (white, black):
        each.get("rematch").click()
    for each in (white, black, arbiter):
        each.page.wait_for_url(re.compile(rf"/game/(?!{game})"))
    expect(arbiter.get("role")).to_contain_text("árbitro")
    expect(arbiter.get("arbiter")).to_be_visible()
