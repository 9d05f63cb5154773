"""Games and positions in a frame of another site."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from browser.screen import Open, Screen, tour, wait_until


class Blog(BaseHTTPRequestHandler):
    """A page with whatever it is asked for."""

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        shown = query.get("html", [""])[0]
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if policy := query.get("isolated"):
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", policy[0])
        self.end_headers()
        text = f'<!doctype html><html lang="en"><title>Blog</title><link rel="icon" href="data:,"><main>{shown}</main>'
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def blog() -> Iterator[str]:
    """Another site."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), Blog)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://localhost:{site.server_port}"
    site.shutdown()
    site.server_close()


def framed(page: Page, blog: str, line: str) -> FrameLocator:
    """A line of HTML on the other site, and what stands in its frame."""
    page.goto(blog)
    page.evaluate("line => { document.querySelector('main').innerHTML = line; }", line)
    return page.frame_locator("iframe")


@pytest.mark.parametrize("size", tour("phone", "desk"))
def test_a_game_is_shown_on_another_site(open_screen: Open, blog: str, size: str) -> None:
    screen = open_screen(size, color_scheme="dark" if size == "phone" else "light")
    screen.start("brasileira")
    screen.type_move("c3-d4")
    screen.type_move("f6-g5")
    expect(screen.get("move-2")).to_be_visible()
    screen.resign()
    screen.get("share").click()
    line = screen.get("frame-link").input_value()
    assert line.startswith("<iframe ") and line.endswith("</iframe>") and "\n" not in line
    frame = framed(screen.page, blog, line)
    board = frame.locator("#board")
    expect(frame.get_by_test_id("embed-move")).to_have_text("f6-g5, posição 2 de 2")
    expect(board.locator('[data-name="g5"]')).to_have_attribute("aria-label", "g5, pedra preta")
    frame.get_by_test_id("embed-previous").click()
    expect(board.locator('[data-name="g5"]')).to_have_attribute("aria-label", "g5, vazia")
    expect(frame.get_by_test_id("embed-move")).to_have_text("c3-d4, posição 1 de 2")
    screen.page.keyboard.press("ArrowLeft")
    expect(frame.get_by_test_id("embed-move")).to_have_text("Posição inicial")
    screen.page.keyboard.press("End")
    expect(frame.get_by_test_id("embed-move")).to_have_text("f6-g5, posição 2 de 2")
    expect(frame.get_by_test_id("embed-result")).to_contain_text("as brancas abandonaram (")
    expect(frame.get_by_test_id("embed-link")).to_have_attribute("target", "_blank")
    screen.assert_accessible()
    shown = screen.page.frames[1]
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert shown.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_position_is_shown_in_a_language(open_screen: Open) -> None:
    screen = open_screen("phone")
    query = "rulebook=internacional&fen=W:W31,32:B18,19&moves=32-28&orientation=black&lang=es"
    screen.go(f"/embed/position?{query}", ready="embed")
    expect(screen.get("embed-move")).to_have_text("32-28, posición 1 de 1")
    expect(screen.get("embed-above")).to_have_text("Blancas")
    screen.assert_accessible()
    screen.assert_fits()
    screen.assert_translated()
    assert screen.page.context.cookies() == []


def test_an_isolated_site_shows_a_position_and_a_picture(open_screen: Open, blog: str) -> None:
    screen = open_screen("desk")
    position = "rulebook=internacional&fen=W:W31,32:B18,19&moves=32-28"
    line = f'<iframe src="{screen.address}/embed/position?{position}"></iframe>'
    picture = f'<img alt="" src="{screen.address}/position.svg?{position}">'
    for policy in ("require-corp", "credentialless"):
        frame = framed(screen.page, f"{blog}/?isolated={policy}", line + picture)
        assert screen.page.evaluate("crossOriginIsolated")
        expect(frame.get_by_test_id("embed-move")).to_contain_text("32-28")
        wait_until(lambda: screen.page.evaluate("document.images[0].naturalWidth > 0"), screen.page)


def test_no_other_page_can_be_framed(screen: Screen, blog: str) -> None:
    refused: list[str] = []
    screen.page.on("console", lambda message: refused.append(message.text))
    for path in ("/", "/analysis", "/embed"):
        refused.clear()
        framed(screen.page, blog, f'<iframe src="{screen.address}{path}"></iframe>')
        wait_until(lambda: any("frame-ancestors" in text for text in refused), screen.page)
    screen.errors.clear()
