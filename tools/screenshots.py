"""Pictures of every page for docs/screenshots and the README, from a real server in a real browser: `screenshots.py`.

Run after a page has changed its looks. Starts `damas serve` on a folder of its own and leaves nothing behind. Needs
Chromium, as the tests do (CHROMIUM names another one).
"""

import re
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]
from test_services import browser as chromium

from browser.network import start_server, wait_until_stopped
from browser.test_arena import BOT

FOLDER = ROOT / "docs" / "screenshots"
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
MAJORITY = "W:Wc3:Bb4,d4,f6"
PAGES = {
    "play": "/",
    "rules": "/rules",
    "rulebook": "/rules/faraes",
    "lens": "/lens?fen=W:WKa1:Bd4,g5",
    "learn": "/learn",
    "puzzles": "/puzzles",
    "endings": "/endings",
    "drills": "/drills?kind=find&length=30",
    "openings": "/openings?rulebook=brasileira",
    "analysis": "/analysis?rulebook=brasileira",
    "games": "/games",
    "account": "/account",
    "api": "/api",
}
COLOURS = 160
"""Number of colours of a picture: enough for a board, and a third of the size."""


def save(picture: bytes, name: str) -> None:
    image = Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    image.save(FOLDER / f"{name}.png", optimize=True)
    print(f"{name}.png {(FOLDER / f'{name}.png').stat().st_size // 1024} KB")


def pages(browser: Browser, url: str) -> None:
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": height}, locale="pt-BR", color_scheme=theme, base_url=url
            )
            page = context.new_page()
            for name, path in PAGES.items():
                page.goto(path, wait_until="networkidle")
                if theme == "light" or name == "play":
                    save(page.screenshot(), f"{name}-{size}" + ("-dark" if theme == "dark" else ""))
            start_game(page)
            save(page.screenshot(), f"game-{size}" + ("-dark" if theme == "dark" else ""))
            context.close()


def arena(browser: Browser, url: str) -> None:
    """A tournament that is over and one in play, as a member who holds neither sees them."""
    context = browser.new_context(base_url=url, locale="pt-BR", extra_http_headers={"X-Damas": "1"})
    post = context.request.post
    post("/api/account", data={"name": "Ana", "password": "um cavalo sem sela"})

    def start_contest(title: str, **terms: object) -> str:
        contest = post("/api/arena", data={"title": title, "time_ms": 2000, **terms}).json()["id"]
        for name, last in (("Tatu", "999"), ("Saci", "12")):
            post(
                f"/api/arena/{contest}/programs?name={name}&file=bot.py",
                data=BOT.replace("PAUSE", "0").replace("LAST", last).encode(),
                headers={"Content-Type": "application/octet-stream"},
            )
        for player in ({"kind": "random"}, {"kind": "greedy"}, {"kind": "level", "level": 2}):
            post(f"/api/arena/{contest}/entries", data={"name": player["kind"], **player})
        post(f"/api/arena/{contest}/start", data={})
        return str(contest)

    over = start_contest("Copa dos calouros")
    page = context.new_page()
    page.goto(f"/arena/{over}")
    page.locator("[data-testid=status][data-status=finished]").wait_for(timeout=0)
    start_contest("Liga de quinta-feira", games=20)
    post("/api/arena", data={"title": "Concurso de 2027", "who": "code"})
    context.close()
    for size, (width, height) in SIZES.items():
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale="pt-BR", base_url=url
        )
        page = context.new_page()
        for name, path in (("arena", "/arena"), ("contest", f"/arena/{over}")):
            page.goto(path)
            page.wait_for_selector("body[data-ready]")
            page.wait_for_timeout(500)
            save(page.screenshot(), f"{name}-{size}")
        context.close()


SQUADS = """equipe;nome;nascimento;sexo;rating
Diadema;Ana Souza;1990;f;1710
Diadema;Bruno Lima;1985;m;1650
Diadema;Caio Reis;2016;m;
Diadema;Dora Alves;1979;f;1600
Itapeva;Elisa Melo;1992;f;1690
Itapeva;Fábio Nunes;1988;m;1620
Itapeva;Gabi Torres;2015;f;
Santos;Hugo Pires;1970;m;1750
Santos;Iara Luz;1999;f;1580
Santos;João Sá;2017;m;
"""


def league(browser: Browser, url: str) -> None:
    """A league of teams at the desk, on a captain's phone, on the page of a team and on the screen in the hall."""
    desk = browser.new_context(base_url=url, locale="pt-BR", extra_http_headers={"X-Damas": "1"})
    post = desk.request.post
    terms = {"template": "liga", "title": "Liga das cidades", "boards": "open,open,11", "date": "2026-11-21"}
    place = f"/club/{post('/api/club', data=terms).json()['id']}"

    def do(action: str, **fields: object) -> None:
        assert post(f"/api{place}/actions", data={"do": action, **fields}).ok, action

    do("import", text=SQUADS)
    do("draft")
    do("announce", round=1)
    links = desk.request.get(f"/api{place}/links").json()["links"]
    captain = next(each["path"] for each in links if each["role"] == "captain" and each["name"] == "Itapeva")
    league_page(browser, url, captain, "league-captain-phone")
    do("publish", round=1)
    for board, result in ((1, "1-0"), (2, "=")):
        do("score", round=1, board=1, match_board=board, result=result)
    cookies = desk.cookies()
    for size in SIZES:
        league_page(browser, url, f"{place}/desk", f"league-desk-{size}", cookies)
        league_page(browser, url, f"{place}/teams/1", f"league-team-{size}")
    league_page(browser, url, f"{place}/tv?pages=results", "league-tv")
    desk.close()


def league_page(browser: Browser, url: str, path: str, name: str, cookies: Any = ()) -> None:
    width, height = SIZES.get(name.rpartition("-")[2], (1280, 720))
    context = browser.new_context(viewport={"width": width, "height": height}, locale="pt-BR", base_url=url)
    context.add_cookies(cookies)
    page = context.new_page()
    page.goto(path)
    page.wait_for_selector("body[data-ready]")
    page.wait_for_timeout(1500)
    save(page.screenshot(), name)
    context.close()


CHAPTER = {
    "rulebook": "brasileira",
    "title": "A abertura central",
    "moves": [
        {"text": "c3-d4", "nags": [1], "comments": ["Para o centro: a pedra de c3 abre o caminho da de b2."]},
        {
            "text": "f6-g5",
            "variations": [
                [
                    {"text": "f6-e5", "nags": [6], "comments": ["Troca cedo demais."]},
                    {"text": "d4xf6"},
                    {"text": "g7xe5"},
                ]
            ],
        },
        {"text": "b2-c3", "comments": ["Apoia d4."], "commands": "[%csl Bd4] [%cal Gc3b4,Rg5f4]"},
        {"text": "g5-h4"},
    ],
}


def studies(browser: Browser, url: str) -> None:
    """The list of studies, a chapter that is being written, and one whose moves are guessed."""
    for theme in ("light", "dark"):
        for size, (width, height) in SIZES.items():
            context = browser.new_context(
                viewport={"width": width, "height": height}, locale="pt-BR", color_scheme=theme, base_url=url
            )
            page = context.new_page()
            page.goto("/studies")

            def post(path: str, body: dict[str, object], context: BrowserContext = context) -> dict[str, str]:
                answer = context.request.post(path, data=body, headers={"X-Damas": "1"})
                return dict(answer.json())

            made = post("/api/studies", {"title": "Aberturas", "visibility": "link", "chapter": CHAPTER})
            guessed = {**CHAPTER, "title": "Adivinhe", "mode": "guess"}
            chapter = post(f"/api/studies/{made['id']}/chapters", guessed)["id"]
            post("/api/studies", {"title": "Golpes do clube", "chapter": {"rulebook": "internacional"}})
            for name, path in (
                ("studies", "/studies"),
                ("study", made["url"]),
                ("guess", f"{made['url']}/{chapter}"),
            ):
                page.goto(path)
                page.wait_for_selector("body[data-ready]")
                if name == "study":
                    for _ in range(3):
                        page.get_by_test_id("forward").click()
                if name == "guess":
                    page.get_by_test_id("start-guess").click()
                page.wait_for_timeout(700)
                if name == "study" or theme == "light":
                    save(page.screenshot(), f"{name}-{size}" + ("-dark" if theme == "dark" else ""))
            context.close()


def start_game(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("quick-play").click()
    page.wait_for_url(re.compile("/game/"))
    for square in ("c3", "d4"):
        page.locator(f'[role=gridcell][data-name="{square}"]').click()
    page.wait_for_timeout(3000)


def refused(browser: Browser, url: str) -> None:
    """A refused move being explained, as a small animation."""
    context = browser.new_context(viewport={"width": 900, "height": 860}, locale="en", base_url=url)
    page = context.new_page()
    page.goto(f"/analysis?rulebook=faraes&fen={MAJORITY}&lang=en", wait_until="networkidle")
    frames = [page.screenshot()]
    squares = {name: page.locator(f'[role=gridcell][data-name="{name}"]') for name in ("c3", "a5")}
    squares["c3"].click()
    frames.append(page.screenshot())
    start, end = squares["c3"].bounding_box(), squares["a5"].bounding_box()
    assert start and end
    half = start["width"] / 2
    for step in range(5):
        x, y = (start[axis] + (end[axis] - start[axis]) * step / 4 + half for axis in ("x", "y"))
        page.mouse.move(x, y)
        if step:
            frames.append(page.screenshot())
        else:
            page.mouse.down()
    page.mouse.up()
    page.get_by_test_id("explain").wait_for()
    page.wait_for_timeout(400)
    frames.append(page.screenshot())
    images = [
        Image.open(BytesIO(frame))
        .convert("RGB")
        .resize((720, 688))
        .quantize(96, method=Image.Quantize.MEDIANCUT)
        for frame in frames
    ]
    lengths = [1200, 600, *[140] * 4, 4000]
    images[0].save(FOLDER / "refused.gif", save_all=True, append_images=images[1:], duration=lengths, loop=0)
    print(f"refused.gif {(FOLDER / 'refused.gif').stat().st_size // 1024} KB")
    context.close()


def main() -> int:
    path = chromium()
    if path is None:
        print("no Chromium here: apt install chromium-headless-shell", file=sys.stderr)
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        server, address = start_server(Path(data))
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=path, args=["--no-sandbox", "--disable-gpu"]
                )
                for draw in (pages, refused, arena, league, studies):
                    draw(browser, address)
                browser.close()
        finally:
            server.terminate()
            wait_until_stopped(server)
    return 0


if __name__ == "__main__":
    sys.exit(main())
