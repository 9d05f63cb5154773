"""How soon the computer moves without a network; `python tests/browser/first_move.py [--runs 10] [--level 4]` prints it.

The home page is visited once, the server is stopped and the browser taken offline. Then games are opened from the cache in
which the computer has the first move: counted is from opening the page of the game until its move is shown. A game is
played to its end: counted is from each own move until the next own turn. Both at full speed and slowed six times. The
developer tools slow only the page and refuse to slow a worker, so every process of the page is stopped five sixths of the
time instead, page and worker alike.
"""

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

SLICE_S = 0.02
"""How long a slowed process runs at a time."""
TURNS_BETWEEN_LOOKS = 8
PREPARED = "async () => Boolean(await caches.match('/words/local-files.json'))"
NOTE_FIRST_MOVE = """() => {
    const note = () => {
        if (document.querySelector('[data-testid="move-1"]')) window.firstMoveMs = performance.now();
        else requestAnimationFrame(note);
    };
    note();
}"""
PLAY_ON = """() => new Promise((resolve) => {
    const board = document.querySelector('#board'), pauses = [];
    let movedAt = 0;
    const look = () => {
        if (!document.querySelector('#result').hidden) return resolve(pauses);
        const { legal, position: { ply } } = board;
        if (board.awaitsMove && legal.length) {
            if (movedAt) pauses.push(performance.now() - movedAt);
            movedAt = performance.now();
            board.entry.playText(legal[ply * 7 % legal.length].text);
        }
        setTimeout(look, 4);
    };
    look();
})"""
"""Plays a game to its end; the milliseconds of each pause."""


def renderers(browser: int) -> list[int]:
    """The processes in which the pages of a browser run."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            command = (process / "cmdline").read_bytes()
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if b"--type=renderer" in command and _descends(parent, browser):
                found.append(int(process.name))
    return found


def _descends(process: int, ancestor: int) -> bool:
    while process > 1:
        if process == ancestor:
            return True
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return False


@contextmanager
def slowed(rate: int) -> Iterator[None]:
    """Lets the pages of the browsers that this process has started run one part in `rate` of the time."""
    stop = threading.Event()

    def hold() -> None:
        for turn in count():
            if stop.is_set():
                return
            if (
                turn % TURNS_BETWEEN_LOOKS == 0
            ):  # pages may have new processes; looking takes longer than a turn
                pages = renderers(os.getpid())
            for action, seconds in ((signal.SIGSTOP, SLICE_S * (rate - 1)), (signal.SIGCONT, SLICE_S)):
                for page in pages:
                    with suppress(ProcessLookupError):
                        os.kill(page, action)
                time.sleep(seconds)

    thread = threading.Thread(target=hold)
    if rate > 1:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if rate > 1:
            thread.join()


def open_game(page: Page, address: str, level: int, color: str) -> None:
    """Starts a game in the browser, from the home page."""
    page.goto(address)
    page.wait_for_selector("body[data-ready=home]")
    page.get_by_test_id("level").fill(str(level))
    page.get_by_test_id("play-options").click()
    page.locator("label", has=page.get_by_test_id(f"colour-{color}")).click()
    page.get_by_test_id("quick-play").click()
    page.wait_for_url("**/local?id=*")


def first_move_ms(page: Page, address: str, level: int) -> float:
    """From opening the page of a game to the computer's first move."""
    open_game(page, address, level, "black")
    page.wait_for_function("() => window.firstMoveMs !== undefined")
    return float(page.evaluate("window.firstMoveMs"))


LOOP = "() => { const start = performance.now(); let sum = 0; for (let i = 0; i < 1e8; i++) sum += i % 7; return performance.now() - start; }"
"""The same work at every speed."""


def line(name: str, times: list[float]) -> str:
    """A line of the table."""
    ordered = sorted(times)
    return f"{name:<42} {len(times):>4} {ordered[len(ordered) // 2]:>8.0f} {ordered[-1]:>8.0f}"


def main() -> None:
    """Prints a line for each measurement."""
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / "tests"), str(root / "tools")]
    import test_services

    from browser.network import start_server, wait_until_stopped

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--level", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="damas-first-") as folder, sync_playwright() as playwright:
        server, address = start_server(Path(folder))
        chromium = playwright.chromium.launch(
            executable_path=test_services.browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="pt-BR")
        context.add_init_script(f"({NOTE_FIRST_MOVE})()")
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready=home]")
        while not page.evaluate(PREPARED):
            page.wait_for_timeout(50)
        server.terminate()
        wait_until_stopped(server)
        context.set_offline(True)
        print(
            f"level {options.level}, Chromium {chromium.version}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
        )
        print(f"{'milliseconds':<42} {'runs':>4} {'median':>8} {'most':>8}")
        for rate in (1, 6):
            speed = "" if rate == 1 else f", slowed {rate} times"
            with slowed(rate):
                loops = [float(page.evaluate(LOOP)) for _ in range(5)]
                print(line(f"a loop of the page{speed}", loops), flush=True)
                first = [first_move_ms(page, address, options.level) for _ in range(options.runs)]
                print(line(f"first move from the cache{speed}", first), flush=True)
                open_game(page, address, options.level, "white")
                page.wait_for_selector("body[data-ready=game]")
                print(line(f"pauses of a game{speed}", page.evaluate(PLAY_ON)), flush=True)
        chromium.close()


if __name__ == "__main__":
    main()
