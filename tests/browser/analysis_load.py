"""The server's processor time for ten positions looked at for three seconds each, and the report on their game:
`python tests/browser/analysis_load.py`, with the engine on this device and on the server."""

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

MOVES = "c3-d4.b6-a5.d4-e5.f6xd4.e3xc5.d6xb4.a3xc5.g7-f6.g3-f4.h6-g5"
LOOK_MS = 3000
SAVE_DATA = "Object.defineProperty(navigator.connection, 'saveData', { value: true })"
"""The service worker then loads nothing for later: that is not measured here."""


def processor_s(pid: int) -> float:
    """Of a process, its children, and those of them that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return own + sum(
        processor_s(int(child)) for task in tasks for child in (task / "children").read_text().split()
    )


def load(browser: Browser, address: str, pid: int, place: str) -> float:
    context = browser.new_context(locale="en")
    page = context.new_page()
    page.add_init_script(f"localStorage['damas.preferences'] = '{{\"engine\": \"{place}\"}}'; {SAVE_DATA}")
    page.goto(f"{address}/analysis?rulebook=brasileira&moves={MOVES}")
    page.wait_for_selector("body[data-ready=analysis]")
    before = processor_s(pid)
    page.get_by_test_id("engine").click()
    for _ in MOVES.split("."):
        page.wait_for_timeout(LOOK_MS)
        page.get_by_test_id("back").click()
    page.get_by_test_id("report-start").click()
    page.wait_for_selector("[data-testid=report-graph]")
    context.close()
    return processor_s(pid) - before


def main() -> None:
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "tools")]
    import test_services

    from browser.network import start_server, wait_until_stopped

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = start_server(Path(folder))
        path = test_services.browser() or playwright.chromium.executable_path
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        load(browser, address, server.pid, "device")  # the server's own processes are started once
        for place in ("device", "server"):
            print(f"{place}: {load(browser, address, server.pid, place):.2f} s")
        browser.close()
        server.terminate()
        wait_until_stopped(server)


if __name__ == "__main__":
    main()
