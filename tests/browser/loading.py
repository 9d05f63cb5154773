"""What a page requests until it can be used; `python tests/browser/loading.py [--fast] [--list]` prints it.

Each page is opened by a visitor who has never been here, in Chromium, over the network that its developer tools call
"Slow 3G". Counted is what is requested until a game can be started or the first move can be made.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

SLOW_3G = {
    "offline": False,
    "latency": 2000,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}
"""Milliseconds of a round trip and bytes per second, as Chromium's developer tools have them."""

READY = {
    "home": "() => document.body?.dataset.ready === 'home'",
    "game": "() => document.querySelector('#board')?.awaitsMove === true",
}
"""When a page can be used."""


@dataclass
class Load:
    """What a page has requested until it could be used. Bytes are those that were sent, compressed, with headers."""

    requests: list[str] = field(default_factory=list)
    bytes: int = 0
    seconds: float = 0.0


def load(page: Page, address: str, ready: str, *, slow: bool) -> Load:
    """Opens an address and counts until a JavaScript expression is true."""
    result = Load()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")

    def note(event: dict[str, Any]) -> None:
        url = event["url"] if "url" in event else event["request"]["url"]
        if url.startswith(("http", "ws")):
            result.requests.append(url)

    def count(event: dict[str, Any]) -> None:
        result.bytes += event["encodedDataLength"]

    def count_stream(event: dict[str, Any]) -> None:
        result.bytes += len(event["response"]["payloadData"])

    devtools.on("Network.requestWillBeSent", note)
    devtools.on("Network.webSocketCreated", note)
    devtools.on("Network.loadingFinished", count)
    devtools.on("Network.webSocketFrameReceived", count_stream)
    if slow:
        devtools.send("Network.emulateNetworkConditions", SLOW_3G)
    started = time.monotonic()
    page.goto(address, wait_until="commit")
    page.wait_for_function(ready, timeout=120_000)
    result.seconds = time.monotonic() - started
    devtools.detach()
    return result


@contextmanager
def new_visitor(chromium: Browser) -> Iterator[Page]:
    """A phone that has kept nothing."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="pt-BR")
    yield context.new_page()
    context.close()


def game_of(page: Page, address: str) -> str:
    """The address of a new game of this visitor against the computer."""
    terms = {"rulebook": "brasileira", "color": "white", "opponent": {"kind": "level", "level": 1}}
    answer = page.context.request.post(f"{address}/api/games", data=terms, headers={"X-Damas": "1"})
    return f"{address}{answer.json()['url']}"


def main() -> None:
    """Prints a line for each page."""
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / "tests"), str(root / "tools")]
    import test_services

    from browser.network import start_server, wait_until_stopped

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fast", action="store_true", help="no slow network: only what is requested")
    parser.add_argument("--list", action="store_true", help="name every request")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="damas-load-") as folder, sync_playwright() as playwright:
        server, address = start_server(Path(folder))
        chromium = playwright.chromium.launch(
            executable_path=test_services.browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, ready in READY.items():
            with new_visitor(chromium) as page:
                target = address if name == "home" else game_of(page, address)
                result = load(page, target, ready, slow=not options.fast)
                size = result.bytes / 1000
                print(f"{name:5} {len(result.requests):3} requests {size:6.1f} kB {result.seconds:5.1f} s")
                for url in result.requests if options.list else []:
                    print(f"      {url.removeprefix(address)}")
        chromium.close()
        server.terminate()
        wait_until_stopped(server)


if __name__ == "__main__":
    main()
