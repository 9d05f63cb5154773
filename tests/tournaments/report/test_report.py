import csv
import json
import re
import traceback
from html.parser import HTMLParser
from io import StringIO

import pytest
from test_services import browser as chromium

from damas.language import LANGUAGES
from damas.matches.entrant import shown_spec
from damas.matches.pool import run
from damas.matches.referee import play
from damas.notation import read_games
from damas.tournaments import report
from damas.tournaments.report.games import SQUARES, replay_of
from damas.tournaments.report.page import html
from damas.tournaments.result import void_game
from damas.tournaments.settings import Entry, Settings
from damas.tournaments.tournament import Tournament
from tournaments.results import settings

EVIL = '<script>alert("x")</script>'
LIAR = """
class Liar:
    plies = 0
    def choose(self, game):
        self.plies += 1
        return "9,9 8,8</pre><b>" if self.plies > 3 else next(iter(game.legal_moves))
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Four players, one of them with a hostile name, one that plays what is not legal."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "liar.py").write_text(LIAR)
    entries = (
        Entry("greedy", "greedy"),
        Entry(EVIL, "random"),
        Entry("=SUM(A1)", "random"),
        Entry("liar", f"python:{folder / 'liar.py'}:Liar", True),
    )
    chosen = Settings(entries, "concurso", games=2, openings="random:2", title=f"Taça {EVIL}", tier="auto")
    with Tournament.create(folder / "t", chosen) as tournament:
        run(tournament, play=play)
        table = tournament.standings()
        report.write(folder / "t", chosen, table, "pt-BR", shown_spec)
    return folder / "t", chosen, table


class Balanced(HTMLParser):
    """Every element that is opened is closed, in order."""

    void = frozenset(("meta", "input", "br", "img", "link"))

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()


def test_the_page_is_whole_and_safe(played):
    folder, _, table = played
    page = (folder / "report.html").read_text()
    reader = Balanced()
    reader.feed(page)
    assert reader.open == []
    assert reader.seen.count("script") == 2 and EVIL not in page
    assert "http://" not in page.replace("http://www.w3.org/", "") and "https://" not in page
    assert '<b>"' not in page and "9,9 8,8&lt;/pre&gt;" in page
    assert page.count('class="receipt"') == sum(row.forfeits for row in table.rows) == 6


def test_every_language_has_its_words(played):
    folder, chosen, table = played
    pages = {language: report.page.html(folder, chosen, table, language) for language in LANGUAGES}
    titles = {language: re.findall(r"<h2>(.*?)</h2>", page) for language, page in pages.items()}
    assert len(titles["en"]) == 5
    assert titles["en"] == ["Standings", "Cross-table", "Ratings", "Games", "Games lost by a fault"]
    assert titles["pt-BR"][0] == titles["pt-PT"][0] == "Classificação" and titles["es"][0] == "Clasificación"


def test_a_replay_shows_the_game(played):
    """What the page replays is the game: each position from the changes alone."""
    folder, _, table = played
    for name in table.games:
        text = (folder / "games" / f"{name}.pdn").read_text()
        replay = replay_of(text)
        [game] = read_games(text)
        position, squares = game.start, list(replay.start)
        for node, changes in zip(game.moves, replay.changes, strict=True):
            position = position.play(node.move)
            for at in range(0, len(changes), 2):
                squares[SQUARES.index(changes[at])] = changes[at + 1]
            assert "".join(squares) == position.diagram


def test_json_csv_and_pdn_files(played):
    folder, _, _ = played
    whole = json.loads((folder / "results.json").read_text())
    assert whole["finished"] and len(whole["list"]) == whole["games"] == 12
    assert "folder" not in whole["settings"]
    rows = list(csv.DictReader(StringIO((folder / "table.csv").read_text())))
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert sum(float(row["points"]) for row in rows) == 12
    assert "'=SUM(A1)" in {row["name"] for row in rows}, "a name is no formula"
    games = list(csv.DictReader(StringIO((folder / "games.csv").read_text())))
    assert len(games) == 12 and {row["reason"] for row in games if row["receipt"]} == {"INVALID_MOVE"}
    assert len(list(read_games((folder / "games.pdn").read_text()))) == 12


def test_the_public_page_hides_stderr(played, monkeypatch):
    folder, chosen, table = played
    monkeypatch.setattr("damas.tournaments.report.page.receipt_of", lambda *_: {"stderr": "minha senha"})
    assert "minha senha" in html(folder, chosen, table, "en")
    assert "minha senha" not in html(folder, chosen, table, "en", public=True)


def test_an_internal_error_is_reported_without_local_folders(tmp_path):
    def broken(*_, **__):
        raise ZeroDivisionError("ours")

    chosen = settings(2, games=2)
    with Tournament.create(tmp_path, chosen) as tournament:
        while game := tournament.next_game():
            try:
                broken()
            except ZeroDivisionError:
                tournament.record(game, void_game(game.white, game.black, traceback.format_exc()))
        page = report.page.html(tmp_path, chosen, tournament.standings(), "en")
    assert "ZeroDivisionError: ours" in page and __file__ not in page


@pytest.mark.parametrize("players", [40])
def test_a_large_field_has_a_table_by_rounds(tmp_path, players):
    from matches.playing import fake_play

    chosen = settings(players, format="swiss", games=1)
    with Tournament.create(tmp_path, chosen) as tournament:
        run(tournament, play=fake_play)
        page = report.page.html(tmp_path, chosen, tournament.standings(), "en")
    assert 'class="cross rounds"' in page and page.count("<tr>") > 80


@pytest.mark.parametrize(("size", "theme"), [((390, 844), "light"), ((1280, 800), "dark")])
def test_in_a_browser(played, size, theme):
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: what the page does in one is not proved")
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    folder, _, _ = played
    messages = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
            page = context.new_page()
            page.on("console", lambda message: messages.append(message.text))
            page.on("pageerror", lambda error: messages.append(str(error)))
            page.goto((folder / "report.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            before = page.locator(".pieces").inner_html()
            page.locator('[data-step="first"]').click()
            assert page.locator(".pieces use").count() == 24
            assert page.locator(".pieces").inner_html() != before
            page.locator('[data-step="forward"]').click()
            assert page.locator(".marks rect").count() == 2
            assert page.locator('.moves [aria-current="true"]').text_content()
            page.locator("[data-pair]").first.click()
            assert page.locator(".list li:visible").count() == 2
            page.locator(".chosen button").click()
            assert page.locator(".list li:visible").count() == 12
            page.locator(".receipt summary").first.click()
            page.locator(".receipt .watch").first.click()
            assert "lance inválido" in page.locator(".caption").text_content()
            violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
            assert [each["id"] for each in violations if each["impact"] in ("serious", "critical")] == []
        finally:
            browser.close()
    assert messages == []
