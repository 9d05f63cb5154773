"""Screens in the hall at 1920x1080: they rotate, show results as they come, and heal after the server was killed."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from browser.network import Connection, start_server, wait_until_stopped
from browser.screen import TIMEOUT_MS, Screen, tour

PLAYERS = 60
LONG = "Maria Aparecida dos Santos Albuquerque de Vasconcelos Figueiredo"
NAMES = [LONG, *(f"Jogador Número {place:02}" for place in range(2, PLAYERS)), "Álvaro Íñiguez"]
TV = {"width": 1920, "height": 1080}


class Tournament:
    """A tournament with its desk, a visitor who holds the chief arbiter's link."""

    def __init__(self, desk: BrowserContext, address: str, players: list[str], **terms: Any) -> None:
        self.desk, self.address = desk, address
        made = self._post("/api/club", template="escola", title="Aberto da Escola", **terms)
        self.id = made["id"]
        self.do("import", text="\n".join(players))

    def _post(self, path: str, **body: Any) -> Any:
        answer = self.desk.request.post(self.address + path, data=body, headers={"X-Damas": "1"})
        assert answer.ok, answer.text()
        return answer.json()

    def do(self, action: str, **fields: Any) -> Any:
        return self._post(f"/api/club/{self.id}/actions", do=action, **fields)

    def start(self, number: int = 1) -> None:
        self.do("draft")
        self.do("publish", round=number)


@pytest.fixture
def tv(chromium: Browser) -> Iterator[Page]:
    """A television; at the end no script has failed."""
    context = chromium.new_context(viewport=TV, locale="pt-BR", reduced_motion="reduce")  # type: ignore[arg-type]
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page
    context.close()
    assert failures == []


@pytest.fixture
def desk(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    yield context
    context.close()


def assert_readable(page: Page) -> None:
    """Everything is on the screen, and its letters are large enough for ten metres."""
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [
        1080,
        1920,
    ]
    stage = page.get_by_test_id("tv-stage").bounding_box()
    assert stage is not None
    for row in page.locator(".tv-stage tbody tr, .tv-stage li").all():
        box = row.bounding_box()
        assert box is not None and box["y"] + box["height"] <= stage["y"] + stage["height"] + 1
    sizes = page.locator(".tv-stage .fit").evaluate_all(
        "names => names.map(name => parseFloat(getComputedStyle(name).fontSize))"
    )
    assert sizes and min(sizes) >= 28 and sorted(sizes)[len(sizes) // 2] >= 44


def names_on(page: Page) -> list[str]:
    return page.locator(".tv-stage .tv-name").all_inner_texts()


def place(page: Page) -> Locator:
    return page.get_by_test_id("tv-place")


def test_sixty_players_find_their_boards_and_see_results_come(
    server: str, tv: Page, desk: BrowserContext
) -> None:
    tournament = Tournament(desk, server, NAMES)
    tv.goto(f"{server}/club/{tournament.id}/tv?seconds=600")
    expect(tv.get_by_test_id("tv-heading")).to_have_text("Inscrições")
    expect(tv.locator(".tv-clock")).to_have_text("60")
    tournament.start()
    heading = tv.get_by_test_id("tv-heading")
    expect(heading).to_have_text("Emparceiramento 1/3")
    assert_readable(tv)
    Screen(tv, server).assert_accessible()
    for _ in range(3):
        tv.keyboard.press("ArrowRight")
    expect(heading).to_have_text("Onde você joga 1/3")
    names = []
    for part in (1, 2, 3):
        expect(heading).to_have_text(f"Onde você joga {part}/3")
        assert_readable(tv)
        names += names_on(tv)
        tv.keyboard.press("ArrowRight")
    assert len(names) == PLAYERS and {*names} == {*NAMES} and names[0] == "Álvaro Íñiguez"
    expect(heading).to_have_text("Tempo da rodada")
    expect(tv.get_by_test_id("tv-clock")).to_have_text(re.compile(r"^(40:00|3\d:\d\d)$"))  # twice 20 minutes
    expect(tv.locator(".tv-done")).to_have_text("0 de 30 mesas terminaram")

    tournament.do("score", round=1, board=7, result="2-0")
    expect(tv.locator(".tv-done")).to_have_text("1 de 30 mesas terminaram")
    tv.goto(f"{server}/club/{tournament.id}/tv?seconds=600&pages=results,table")
    expect(heading).to_have_text("Resultados 1/3")
    expect(tv.get_by_test_id("tv-result-7")).to_have_text("2-0")
    expect(tv.get_by_test_id("tv-result-8")).to_have_text("jogando")
    tournament.do("score", round=1, board=8, result="1-1")
    expect(tv.get_by_test_id("tv-result-8")).to_have_text("1-1")
    assert_readable(tv)
    for _ in range(3):
        tv.keyboard.press("ArrowRight")
    expect(heading).to_have_text("Classificação 1/6")
    assert_readable(tv)
    tv.keyboard.press("ArrowLeft")
    expect(heading).to_have_text("Resultados 3/3")
    qr = tv.get_by_test_id("tv-qr")
    assert qr.evaluate("picture => picture.complete && picture.naturalWidth > 0")
    expect(tv.get_by_test_id("tv-address")).to_have_text(
        f"{server.removeprefix('http://')}/club/{tournament.id}"
    )


@pytest.mark.parametrize("language", tour("es", "pt-PT", "en"))
def test_slides_change_by_themselves_in_every_language(
    server: str, tv: Page, desk: BrowserContext, language: str
) -> None:
    tournament = Tournament(desk, server, NAMES[:5])
    tournament.start()
    tv.goto(f"{server}/club/{tournament.id}/tv?seconds=2&lang={language}")
    for part in ("1/3", "2/3", "3/3"):  # pairings, names with whoever rests, the time
        expect(place(tv)).to_have_text(part)
        text = tv.locator("body").inner_text()
        assert not re.search(r"\btv\.[a-z_]+", text) and "undefined" not in text
    assert tv.evaluate("document.documentElement.lang") == language


@pytest.mark.soak
def test_a_screen_heals_after_the_server_was_killed(tv: Page, desk: BrowserContext) -> None:
    with tempfile.TemporaryDirectory(prefix="damas-tv-") as folder:
        process, address = start_server(Path(folder))
        tournament = Tournament(desk, address, NAMES[:8])
        tournament.start()
        tv.goto(f"{address}/club/{tournament.id}/tv?seconds=600&pages=results")
        expect(tv.get_by_test_id("tv-result-1")).to_have_text("jogando")
        stale = tv.get_by_test_id("tv-stale")
        expect(stale).to_be_hidden()
        process.kill()
        wait_until_stopped(process)
        expect(stale).to_have_text(re.compile(r"Sem ligação desde as \d\d:\d\d"))
        expect(tv.get_by_test_id("tv-result-1")).to_be_visible()  # what was known stays
        process, again = start_server(Path(folder), int(address.rpartition(":")[2]))
        try:
            assert again == address
            tournament.do("score", round=1, board=1, result="2-0")
            expect(tv.get_by_test_id("tv-result-1")).to_have_text("2-0")
            expect(stale).to_be_hidden()
        finally:
            process.terminate()
            wait_until_stopped(process)


def test_a_screen_heals_after_the_network_was_away(server: str, tv: Page, desk: BrowserContext) -> None:
    network = Connection(server)
    try:
        tournament = Tournament(desk, server, NAMES[:8])
        tournament.start()
        tv.goto(f"{network.address}/club/{tournament.id}/tv?pages=results&seconds=600")
        expect(tv.get_by_test_id("tv-result-1")).to_be_visible()
        network.cut()
        expect(tv.get_by_test_id("tv-stale")).to_be_visible()
        tournament.do("score", round=1, board=1, result="0-2")
        network.restore()
        expect(tv.get_by_test_id("tv-result-1")).to_have_text("0-2")
        expect(tv.get_by_test_id("tv-stale")).to_be_hidden()
    finally:
        network.close()


def test_a_private_tournament_is_shown_to_its_desk_alone(server: str, tv: Page, desk: BrowserContext) -> None:
    tournament = Tournament(desk, server, NAMES[:4], public=False)
    tv.goto(f"{server}/club/{tournament.id}/tv")
    expect(tv.get_by_test_id("tv-stale")).to_be_visible()
    assert "Aberto" not in tv.locator("body").inner_text() + tv.title()
    page = desk.new_page()
    page.goto(f"{server}/club/{tournament.id}/desk")
    with page.expect_popup() as opened:
        page.get_by_test_id("tv-page").click()
    expect(opened.value.get_by_test_id("tv-title")).to_have_text("Aberto da Escola")
    expect(opened.value.locator(".tv-clock")).to_have_text("4")
