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
import test_services
from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".venv/node"
README = ROOT / "js/README.md"


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
    found = re.search(r"```js\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
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
    assert [file.name for file in core.rglob("*.wasm")] == ["damas-core.wasm"], "one module is all it can use"
    assert (core / "networks/brasileira.net").exists()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


TYPED = """
import { loadCore } from "@damas/core";
import { BOARDS } from "@damas/core/boards";
import { readPdn, writePdn } from "@damas/core/pdn";
import { DamasBoard } from "@damas/core/board";

const core = await loadCore();
const game = core.rulebook("brasileira").game();
const pdn: string = writePdn(core, readPdn(core, "1. c3-d4 *", { rulebook: "brasileira" }).games[0]);
const board = new DamasBoard();
board.set({ book: BOARDS.brasileira, orientation: "black" });
const first: string = game.legal[0].text;
const names: Record<string, string> = BOARDS.brasileira.names;
export { board, first, names, pdn };
// @ts-expect-error: the types are there, and say no
export const wrong: number = game.fen;
"""


def test_the_types_serve_a_program_in_typescript(package: Path) -> None:
    (package / "typed.ts").write_text(TYPED)
    options = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2023", "--module", "esnext"]
    options += ["--moduleResolution", "bundler", "--lib", "es2024,dom,dom.iterable", "--skipLibCheck"]
    tsc = [NODE, ROOT / ".venv/node_modules/typescript/bin/tsc"]
    run = subprocess.run(
        [*tsc, *options, "typed.ts"], cwd=package, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout


@pytest.fixture
def page(package: Path) -> Iterator[Page]:
    """A page of Chromium with the pages of the package; it must write no error."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=package))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        path = test_services.browser() or playwright.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("no browser here, install chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(base_url=f"http://127.0.0.1:{server.server_port}")
        opened = context.new_page()
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        yield opened
        browser.close()
    server.shutdown()
    server.server_close()
    assert errors == []


def test_the_example_runs_in_chromium(package: Path, page: Page) -> None:
    code, expected = example()
    imports = '{"imports": {"@damas/core": "./node_modules/@damas/core/core/core.js", "@damas/core/pdn": "./node_modules/@damas/core/core/pdn.js"}}'
    text = f'<!doctype html><link rel="icon" href="data:,"><script type="importmap">{imports}</script>'
    (package / "example.html").write_text(f'{text}<script type="module">{code}</script>')
    printed: list[str] = []
    page.on("console", lambda message: printed.append(message.text))
    page.goto("/example.html")
    deadline = monotonic() + 60  # only bounds a failure
    while len(printed) < len(expected) and monotonic() < deadline:
        page.wait_for_timeout(50)
    assert printed == expected


def test_a_game_is_played_on_the_board_of_the_example(package: Path, page: Page) -> None:
    found = re.search(r"```html\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    assert found
    (package / "board.html").write_text(found[1])
    page.goto("/board.html")
    board = page.locator("damas-board")
    expect(board.locator(".piece")).to_have_count(24)
    for square in ("c3", "d4"):
        board.locator(f'[data-name="{square}"]').click()
    expect(board.locator('[data-name="d4"]')).to_have_attribute("aria-label", re.compile("d4, white man"))
    expect(board).to_have_attribute("turn", "black")
    for square in ("f6", "d4"):
        board.locator(f'[data-name="{square}"]').click()
    expect(board.get_by_test_id("board-hint")).to_contain_text("TOO_FAR (")
