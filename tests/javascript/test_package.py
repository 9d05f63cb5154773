"""The npm package: packed, unpacked elsewhere, and its README run in node and in Chromium."""

import functools
import re
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic

import pytest

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".venv/node"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package is installed."""
    if not NODE.exists():
        pytest.skip("node is not in .venv: run `make lint-js`")
    import js_package

    folder = tmp_path_factory.mktemp("npm")
    with tarfile.open(js_package.pack(folder, folder / "files")) as archive:
        archive.extractall(folder, filter="data")
    home = folder / "node_modules/@damas"
    home.mkdir(parents=True)
    (folder / "package").rename(home / "core")
    return folder


def example() -> tuple[str, list[str]]:
    """The code of the README, and the lines that it should print."""
    found = re.search(r"```js\n(.*?)```", (ROOT / "js/README.md").read_text(encoding="utf-8"), re.S)
    assert found
    return found[1], re.findall(r"^// (.*)$", found[1], re.M)


def test_the_example_runs_in_node(package: Path) -> None:
    code, expected = example()
    (package / "example.mjs").write_text(code)
    run = subprocess.run([NODE, "example.mjs"], cwd=package, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == expected, run.stderr


def test_the_package_has_types_and_a_licence(package: Path) -> None:
    core = package / "node_modules/@damas/core"
    assert "loadCore" in (core / "core/core.d.ts").read_text()
    assert (core / "LICENSE").exists()
    assert (core / "networks/brasileira.net").exists()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address(package: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=package))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_example_and_the_board_run_in_chromium(package: Path, address: str) -> None:
    import test_services
    from playwright.sync_api import sync_playwright

    code, expected = example()
    imports = '{"imports": {"@damas/core": "./node_modules/@damas/core/core/core.js"}}'
    page_text = f"""<!doctype html><link rel="icon" href="data:,"><link rel="words" href="words.json"><script type="importmap">{imports}</script>
<damas-board></damas-board>
<script type="module">{code}</script>
<script type="module">
import "./node_modules/@damas/core/board/damas-board.js";
console.log("board", Boolean(customElements.get("damas-board")));
</script>"""
    (package / "index.html").write_text(page_text)
    (package / "words.json").write_text("{}")
    with sync_playwright() as playwright:
        path = test_services.browser() or playwright.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("no browser here, install chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        printed: list[str] = []
        page.on("console", lambda message: printed.append(message.text))
        page.on("pageerror", lambda error: printed.append(str(error)))
        page.goto(f"{address}/index.html")
        deadline = monotonic() + 60  # only bounds a failure
        while len(printed) <= len(expected) and monotonic() < deadline:
            page.wait_for_timeout(50)
        browser.close()
    assert sorted(printed) == sorted([*expected, "board true"])
