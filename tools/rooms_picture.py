"""Write the rooms into docs/explanation/architecture.md, as a table and a picture: `rooms_picture.py [--check]`.

The order comes from `[tool.importlinter]` in pyproject.toml, the sentences from the rooms' docstrings. Run (`make docs`)
after a change of either; a test runs it with --check, which writes nothing and exits 1 if a file is stale.
"""

import ast
import re
import sys
import textwrap
import tomllib
from html import escape

from generated import ROOT, write_or_check

PACKAGE = ROOT / "src/damas"
PAGE = ROOT / "docs/explanation/architecture.md"
PICTURE = ROOT / "docs/explanation/architecture.svg"
TABLE = re.compile(r"(?<=<!-- rooms -->\n).*?(?=<!-- end of rooms -->)", re.DOTALL)
WIDTH, ROW, BOX, INDENT = 860, 44, 36, 12


def rooms() -> dict[str, str]:
    """Return each room and the first sentence of its docstring, lowest room first."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = config["tool"]["importlinter"]["contracts"][0]["layers"]
    names = [name.strip("() ") for layer in reversed(layers) for name in re.split("[|:]", layer)]
    return {name: first_sentence(name) for name in names}


def first_sentence(room: str) -> str:
    """Return the first sentence of a room's docstring."""
    path = PACKAGE / room / "__init__.py"
    path = path if path.exists() else PACKAGE / f"{room}.py"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.split(r"(?<=[.])\s", " ".join(docstring.split("\n\n")[0].split()), maxsplit=1)[0]


def uses_core(room: str) -> bool:
    """Whether a module of the room imports the C++ core."""
    files = (PACKAGE / room).rglob("*.py")
    return any("import _core" in path.read_text(encoding="utf-8") for path in files)


def table(sentences: dict[str, str]) -> str:
    """Return the rooms as a Markdown table."""
    rows = [
        f"| `{room}` | {text}{' Uses the C++ core.' if uses_core(room) else ''} |"
        for room, text in sentences.items()
    ]
    return "\n".join(["", "| room | holds |", "| --- | --- |", *rows, "", ""])


def picture(sentences: dict[str, str]) -> str:
    """Draw the rooms as storeys of a house, the lowest at the bottom, the core below all of them."""
    storeys = list(reversed(sentences.items()))
    height = ROW * (len(storeys) + 1) + 2 * INDENT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">',
        "<title>The rooms of damas: each imports only rooms below it</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for number, (room, text) in enumerate(
        [*storeys, ("cpp", "The C++20 core: moves, laws, search, tables.")]
    ):
        top = INDENT + number * ROW
        fill = "#e8d5b0" if room == "cpp" else "#dcebdc" if uses_core(room) else "#eef1f5"
        parts.append(
            f'<rect x="{INDENT}" y="{top}" width="{WIDTH - 2 * INDENT}" height="{BOX}" rx="5" fill="{fill}" stroke="#9aa5b1"/>'
            f'<text x="{2 * INDENT}" y="{top + 23}" font-weight="bold">{room}</text>'
        )
        for line_number, line in enumerate(textwrap.wrap(text, 100)[:2]):
            parts.append(f'<text x="140" y="{top + 16 + 15 * line_number}">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    sentences = rooms()
    page = TABLE.sub(lambda _: table(sentences), PAGE.read_text(encoding="utf-8"))
    return write_or_check({PAGE: page, PICTURE: picture(sentences)})


if __name__ == "__main__":
    sys.exit(main())
