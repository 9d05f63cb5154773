"""A real server and a real Chromium: pages as people see them, at both sizes, with nothing wrong in the console."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import test_services
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, sync_playwright

from browser.network import start_server, stopped
from browser.screen import SIZES, TIMEOUT_MS, Open, Screen, tour

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server of this run alone."""
    with tempfile.TemporaryDirectory(prefix="damas-browser-") as folder:
        process, address = start_server(Path(folder))
        yield address
        process.terminate()
        stopped(process)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    # Of a module and not of the run: while it is open no test with an event loop of its own may run in this process.
    with sync_playwright() as playwright:
        path = test_services.browser() or playwright.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("no browser here, install chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Visitors:
    """Browsers' profiles, one a visitor, each with a page that has seen nothing yet. Used again by later tests, emptied but
    for the cache of files: what a page is made of is fetched once and not for every test.
    """

    def __init__(self, chromium: Browser, *, again: bool = True) -> None:
        self._chromium = chromium
        self._again = again
        self._free: dict[str, list[BrowserContext]] = {}
        self._taken: list[tuple[str, BrowserContext]] = []

    def take(self, size: str, language: str, options: dict[str, Any]) -> Page:
        kind = f"{size} {language} {sorted(options.items())}"
        width, height = SIZES[size]
        if free := self._free.get(kind):
            context = free.pop()
        else:
            viewport = ViewportSize(width=width, height=height)
            context = self._chromium.new_context(
                viewport=viewport, locale=language, **{"reduced_motion": "reduce", **options}
            )
            context.set_default_timeout(TIMEOUT_MS)
        self._taken.append((kind, context))
        return context.pages[0] if context.pages else context.new_page()

    def give_back(self, server: str) -> None:
        """Nobody's traces are left for the next visitor."""
        for kind, context in self._taken:
            if not self._again:
                context.close()
                continue
            kept = "local_storage,indexeddb,service_workers,cache_storage"
            origins = {server, *(old.url.rpartition("/game")[0] for old in context.pages)}
            for old in context.pages:
                old.goto("about:blank")  # what is still on its way would keep the worker from being cleared
                old.close()  # first: what a page still sends when it is left belongs to its own visitor
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            for origin in origins:
                if origin.startswith("http"):
                    devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": kept})
            devtools.detach()
            context.clear_cookies()
            self._free.setdefault(kind, []).append(context)
        self._taken.clear()


@pytest.fixture(scope="module")
def visitors(chromium: Browser) -> Visitors:
    return Visitors(chromium)


@pytest.fixture
def open_screen(server: str, visitors: Visitors) -> Iterator[Open]:
    """`open_screen("phone", "pt-BR")`: a new visitor. At the end no page may have complained."""
    screens: list[Screen] = []

    def opened(size: str = "desk", language: str = "pt-BR", **options: Any) -> Screen:
        screen = Screen(visitors.take(size, language, options), server)
        screens.append(screen)
        screen.page.on("console", lambda said: _note(screen, said))
        screen.page.on("pageerror", lambda error: screen.errors.append(str(error)))
        return screen

    yield opened
    complaints = [error for screen in screens for error in screen.errors]
    visitors.give_back(server)
    assert complaints == []


def _note(screen: Screen, said: ConsoleMessage) -> None:
    if said.type == "error":
        screen.errors.append(f"{said.text} ({said.location.get('url', '')})")


@pytest.fixture(params=tour(*SIZES))
def screen(request: pytest.FixtureRequest, open_screen: Open) -> Screen:
    """A Brazilian visitor with a phone; in `make soak` at a desk as well."""
    return open_screen(request.param)
