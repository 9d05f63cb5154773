"""What a page requests until it can be used, and its web vitals; `python tests/browser/loading.py [--fast] [--list]` prints it.

Each page is opened by a visitor who has never been here, in Chromium, over the network that its developer tools call
"Slow 3G". Counted is what is requested until a game can be started or the first move can be made. Then the page is used
once: the vitals are the largest contentful paint (LCP), the layout shift until then (CLS) and the slowest interaction (INP).
`--address` measures a server that runs already, such as one of an earlier commit.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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

OBSERVE_VITALS = """() => {
    const vitals = window.vitals = { lcp: 0, cls: 0, inp: 0 };
    const observe = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note))
        .observe({ type, buffered: true, durationThreshold: 16 });
    const noteDelay = ({ interactionId, duration }) => {
        if (interactionId) vitals.inp = Math.max(vitals.inp, duration);
    };
    observe('largest-contentful-paint', ({ startTime }) => { vitals.lcp = startTime; });
    observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) vitals.cls += value; });
    observe('first-input', noteDelay);
    observe('event', noteDelay);
}"""
"""CLS is the sum of all shifts, which is never less than that of the worst five seconds."""

USES = {
    "home": ["[data-testid=play-options]", "[data-testid=play-options]"],
    "game": ['#board [data-name="c3"]', '#board [data-name="d4"]'],
}
"""What a visitor presses on a page first."""


@dataclass
class Load:
    """What a page has requested until it could be used. Bytes are those that were sent, compressed, with headers."""

    requests: list[str] = field(default_factory=list)
    bytes: int = 0
    seconds: float = 0.0
    lcp_ms: float = 0.0
    cls: float = 0.0
    inp_ms: float = 0.0


def load(page: Page, address: str, name: str, *, slow: bool) -> Load:
    """Opens a page of this name at an address, counts until it can be used, and uses it."""
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

    listeners = [
        ("Network.requestWillBeSent", note),
        ("Network.webSocketCreated", note),
        ("Network.loadingFinished", count),
        ("Network.webSocketFrameReceived", count_stream),
    ]
    for event, listener in listeners:
        devtools.on(event, listener)
    if slow:
        devtools.send("Network.emulateNetworkConditions", SLOW_3G)
    started = time.monotonic()
    page.goto(address, wait_until="commit")
    page.wait_for_function(READY[name], timeout=120_000)
    result.seconds = time.monotonic() - started
    for event, listener in listeners:
        devtools.remove_listener(event, listener)
    page.wait_for_load_state("load")
    page.evaluate(OBSERVE_VITALS)
    for selector in USES[name]:
        page.locator(selector).first.click()
    page.wait_for_function("() => window.vitals.inp > 0")
    vitals = page.evaluate("window.vitals")
    result.lcp_ms, result.cls, result.inp_ms = vitals["lcp"], vitals["cls"], vitals["inp"]
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

    from browser.network import serving

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fast", action="store_true", help="no slow network: only what is requested")
    parser.add_argument("--list", action="store_true", help="name every request")
    parser.add_argument("--address", help="of a server that runs already")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="damas-load-"))
        address = options.address or stack.enter_context(serving(Path(folder)))[1]
        playwright = stack.enter_context(sync_playwright())
        chromium = playwright.chromium.launch(
            executable_path=test_services.browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        for name in READY:
            with new_visitor(chromium) as page:
                target = address if name == "home" else game_of(page, address)
                result = load(page, target, name, slow=not options.fast)
                sums = (
                    f"{len(result.requests):3} requests {result.bytes / 1000:6.1f} kB {result.seconds:5.1f} s"
                )
                vitals = (
                    f"LCP {result.lcp_ms / 1000:5.2f} s  CLS {result.cls:.3f}  INP {result.inp_ms:4.0f} ms"
                )
                print(f"{name:5} {sums}  {vitals}", flush=True)
                for url in result.requests if options.list else []:
                    print(f"      {url.removeprefix(address)}")
        chromium.close()


if __name__ == "__main__":
    main()
