"""A whole hall in one browser: 25 phones, 12 games in the app, results at the desk and two televisions.

`python tests/browser/soak.py --seconds 60`; `make soak` runs it. No outside address can be reached. Prints how long the server
took to acknowledge a move, as the phones saw it: that figure needs an idle machine and is not judged. Ends with 1 if a move was
not acknowledged, a result did not reach its television, or a page asked for an outside address.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import test_services
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from browser.network import start_server, wait_until_stopped
from browser.screen import TIMEOUT_MS
from browser.test_tv import TV, Tournament

GAMES, WATCHED_BOARDS = 12, 30
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
MEASURE = """(() => {
    window.moveTimes = [];
    window.unanswered = new Map();
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
        constructor(...args) {
            super(...args);
            this.addEventListener('message', ({ data }) => {
                const message = JSON.parse(data), sentAt = window.unanswered.get(message.id);
                if (message.t !== 'ack' || sentAt === undefined) return;
                window.unanswered.delete(message.id);
                window.moveTimes.push(performance.now() - sentAt);
            });
        }
        send(data) {
            const message = JSON.parse(data);
            const isNew = message.t === 'move' && !window.unanswered.has(message.id);
            if (isNew) window.unanswered.set(message.id, performance.now());
            super.send(data);
        }
    };
})()"""
"""Notes the time from each move to its acknowledgement."""
PLAY = """(thinkMs) => {
    const board = document.querySelector('#board');
    const play = () => {
        if (window.isOver) return;
        if (board.awaitsMove && board.legal.length && window.unanswered.size === 0) {
            board.entry.playTyped(board.legal[Math.floor(Math.random() * board.legal.length)].text);
        }
        setTimeout(play, thinkMs * (0.4 + 1.2 * Math.random()));
    };
    play();
}"""
"""Plays any legal move after a thought, for as long as the page is there."""


class Hall:
    """The server's guests, and the outside addresses that their pages asked for."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.outside: list[str] = []

    def page(self, **options: Any) -> Page:
        context = self.browser.new_context(**{"viewport": {"width": 390, "height": 844}, **options})
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(MEASURE)
        page = context.new_page()
        page.on("request", self._note)
        return page

    def _note(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.outside.append(request.url)

    def television(self, tournament: Tournament) -> Page:
        page = self.page(viewport=TV)
        page.goto(f"{self.address}/club/{tournament.id}/tv?pages=results&rows=30&seconds=600")
        return page


def seat_all(hall: Hall, tournament: Tournament) -> list[Page]:
    """A phone for each player, with the game of the own board open."""
    address = f"{hall.address}/api/club/{tournament.id}"
    links = tournament.desk.request.get(f"{address}/links").json()["links"]
    phones = {}
    for link in links:
        if link["role"] == "player":
            phone = phones[link["name"]] = hall.page()
            phone.goto(hall.address + link["path"])
            phone.get_by_test_id("play").click()
            phone.locator("[data-testid=waiting], [data-testid=open-game-1], #board").first.wait_for()
    for board in tournament.desk.request.get(address).json()["tournament"]["played"][0]["boards"]:
        for name in (board["first"], board["second"]):
            phones[name].goto(f"{hall.address}/game/{board['app_games'][0]}")
            phones[name].wait_for_selector("body[data-ready=game]")
    return list(phones.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="how long games are played")
    parser.add_argument(
        "--think", type=float, default=0.75, help="seconds that a player thinks, on the average"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="damas-hall-") as folder, sync_playwright() as playwright:
        server, address = start_server(Path(folder))
        path = test_services.browser() or playwright.chromium.executable_path
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", ALONE]
        )
        try:
            return play(Hall(browser, address), options.seconds, options.think)
        finally:
            browser.close()
            server.terminate()
            wait_until_stopped(server)


def play(hall: Hall, seconds: int, think_s: float) -> int:
    desk = hall.browser.new_context()
    playing = Tournament(desk, hall.address, [f"Jogador {place:02}" for place in range(2 * GAMES)])
    watched = Tournament(desk, hall.address, [f"Pessoa {place:02}" for place in range(2 * WATCHED_BOARDS)])
    for tournament in (playing, watched):
        tournament.start()
    phones = seat_all(hall, playing)
    spectator = hall.page()
    spectator.goto(f"{hall.address}/club/{playing.id}")
    screens = [hall.television(tournament) for tournament in (playing, watched)]
    for phone in phones:
        phone.evaluate(PLAY, 1000 * think_s)
    for board in range(1, WATCHED_BOARDS + 1):  # results come while everybody plays
        watched.do("score", round=1, board=board, result="2-0")
        spectator.wait_for_timeout(1000 * seconds / WATCHED_BOARDS)
    for phone in phones:
        phone.evaluate("window.isOver = true")
    for board in range(1, WATCHED_BOARDS + 1):
        expect(screens[1].get_by_test_id(f"tv-result-{board}")).to_have_text("2-0")
    for phone in phones:
        phone.wait_for_function("window.unanswered.size === 0")
    expect(screens[0].locator(".tv-result")).to_have_count(GAMES)
    times = sorted(time for phone in phones for time in phone.evaluate("window.moveTimes"))
    print(
        f"{len(phones) + 1} phones, {len(screens)} televisions, {len(times)} moves acknowledged in {seconds} s"
    )
    for share in (0.5, 0.99, 1.0):
        print(f"p{100 * share:g}: {times[min(len(times) - 1, int(share * len(times)))]:.0f} ms")
    print(f"outside addresses asked for: {hall.outside or 'none'}")
    return 1 if hall.outside or len(times) < 2 * GAMES else 0


if __name__ == "__main__":
    sys.exit(main())
