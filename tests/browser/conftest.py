"""A real server and a real Chromium. Every test fails if a page writes an error to its console."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import test_services
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, sync_playwright

from browser.network import start_server, wait_until_stopped
from browser.screen import SIZES, TIMEOUT_MS, Open, Screen, tour

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    # Messages between processes would take a twentieth of the processor time of all browser tests.
    "--in-process-gpu",
    "--enable-features=NetworkServiceInProcess2",
]


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server that all browser tests of this worker share."""
    with tempfile.TemporaryDirectory(prefix="damas-browser-") as folder:
        process, address = start_server(Path(folder))
        yield address
        process.terminate()
        wait_until_stopped(process)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    # One for each module, not one for the run: while it is open, no asyncio test may run in this process.
    with sync_playwright() as playwright:
        path = test_services.browser() or playwright.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("no browser here, install chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


SAVE_DATA = (
    "if (navigator.connection) Object.defineProperty(navigator.connection, 'saveData', { value: true })"
)
"""The service worker loads no core for games without a network: `test_local.py` alone needs it, at every visit."""


class Visitors:
    """Browser contexts, one for each visitor of a test, with a blank page.

    Contexts are used again by later tests. Everything but the file cache is cleared, so files are fetched only once.
    """

    def __init__(self, chromium: Browser, *, reuse: bool = True) -> None:
        self._chromium = chromium
        self._reuse = reuse
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
        """Clears all data of the visitors of the last test."""
        for kind, context in self._taken:
            if not self._reuse:
                context.close()
                continue
            storage = "local_storage,indexeddb,service_workers,cache_storage"
            origins = {server, *(old.url.rpartition("/game")[0] for old in context.pages)}
            for old in context.pages:
                old.goto("about:blank")  # requests under way would keep the service worker from being cleared
                old.close()  # before the cookies go: what a page sends as it closes belongs to its own visitor
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            for origin in origins:
                if origin.startswith("http"):
                    devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": storage})
            devtools.detach()
            context.clear_cookies()
            self._free.setdefault(kind, []).append(context)
        self._taken.clear()


@pytest.fixture(scope="module")
def visitors(chromium: Browser) -> Visitors:
    return Visitors(chromium)


@pytest.fixture
def open_screen(server: str, visitors: Visitors) -> Iterator[Open]:
    """`open_screen("phone", "pt-BR")` opens a page for a new visitor; at the end no page may have logged an error."""
    screens: list[Screen] = []

    def open_page(size: str = "desk", language: str = "pt-BR", **options: Any) -> Screen:
        screen = Screen(visitors.take(size, language, options), server)
        screen.page.add_init_script(SAVE_DATA)
        screens.append(screen)
        screen.page.on("console", lambda message: _keep_error(screen, message))
        screen.page.on("pageerror", lambda error: screen.errors.append(str(error)))
        return screen

    yield open_page
    errors = [error for screen in screens for error in screen.errors]
    visitors.give_back(server)
    assert errors == []


def _keep_error(screen: Screen, message: ConsoleMessage) -> None:
    if message.type == "error":
        screen.errors.append(f"{message.text} ({message.location.get('url', '')})")


@pytest.fixture(params=tour(*SIZES))
def screen(request: pytest.FixtureRequest, open_screen: Open) -> Screen:
    """A Brazilian visitor with a phone; in `make soak` at a desk as well."""
    return open_screen(request.param)
