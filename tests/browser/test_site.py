"""The site of the docs: built strictly, its links followed, and opened in Chromium from its folder without a server."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.screen import SIZES, TIMEOUT_MS


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="MkDocs is not installed: make .venv/.site")
    from build_site import build_site

    folder = tmp_path_factory.mktemp("site")
    build_site(folder)
    return folder


class Links(HTMLParser):
    """The ids of a page, and what it links to or loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value:
                self.targets.add(value)


def test_every_link_leads_to_a_file_of_the_site(site: Path) -> None:
    pages = {path: Links(path) for path in site.rglob("*.html")}
    assert len(pages) > 60
    broken = []
    for path, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme in ("http", "https", "mailto", "data"):
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            known = pages[file].ids if file in pages else set()
            if not file.is_file() or (anchor and file in pages and anchor not in known):
                broken.append(f"{path.relative_to(site)}: {target}")
    assert broken == []


@pytest.fixture(params=["phone", "desk"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """A browser window; at the end no page may have logged an error or asked for anything outside the folder."""
    width, height = SIZES[request.param]
    page = chromium.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page.set_default_timeout(TIMEOUT_MS)
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(("file:", "data:")) else troubles.append(asked.url),
    )
    yield page
    page.close()
    assert troubles == []


def test_a_reader_searches_and_changes_the_language(site: Path, page: Page) -> None:
    page.goto((site / "index.html").as_uri())
    expect(page.locator("h1")).to_contain_text("damas")
    expect(page.locator("article img").first).to_have_js_property("complete", True)
    if (search := page.locator("label.md-header__button[for=__search]")).is_visible():
        search.click()
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").press_sequentially("take_back")
    page.locator(".md-search-result__link", has_text="Game.take_back").first.click()
    expect(page.locator("h3", has_text="Game.take_back")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.goto((site / "tutorial/first-game.html").as_uri())
    page.locator(".md-select button").hover()
    page.locator(".md-select__link", has_text="Português").click()
    expect(page.locator("h1")).to_contain_text("Primeira partida em Python")
    assert page.locator("html").get_attribute("lang") == "pt"
    page.goto((site / "pt/index.html").as_uri())
    page.locator("article a", has_text="Vinte receitas").click()
    expect(page.locator("h1")).to_contain_text("Cookbook")
