"""Write src/damas/server/static/board/shapes.js, the pieces of the web board: `board_shapes.py [--check]`.

Run it after a change of `damas.drawing.symbols`. With --check it writes nothing and exits 1 if the committed module is
not what the library draws; a test runs that.
"""

import json
import sys
from pathlib import Path
from textwrap import wrap

from damas.drawing.symbols import Element, page_shapes

MODULE = Path(__file__).parent.parent / "src/damas/server/static/board/shapes.js"
TIED = "\0"
"""A space at which no line is broken."""
HEADER = """\
/** The pieces as SVG. Written by tools/board_shapes.py from damas.drawing.symbols: change them there. */

/**
 * An element: its tag, its attributes and its children.
 * @typedef {[keyof SVGElementTagNameMap, Record<string, string | number>, ...Shape[]]} Shape
 */

/** @type {Shape[]} */
export const SHAPES = [
"""


def module() -> str:
    """The text of the module."""
    shapes = "".join(_lines(element, "  ") for element in page_shapes())
    return HEADER + shapes.replace(TIED, " ") + "];\n"


def _lines(element: Element, indent: str) -> str:
    head = f"[{_value(element.tag)}, {_object(element)}"
    if not element.children:
        lines = wrap(f"{indent}{head}],", 110, subsequent_indent=indent + "  ", break_on_hyphens=False)
        return "\n".join(lines) + "\n"
    inside = "".join(_lines(child, indent + "  ") for child in element.children)
    return f"{indent}{head},\n{inside}{indent}],\n"


def _object(element: Element) -> str:
    pairs = (
        f"{name if name.isidentifier() else _value(name)}: {_value(value)}".replace(" ", TIED)
        for name, value in element.attributes.items()
    )
    return f"{{{TIED}{', '.join(pairs)}{TIED}}}" if element.attributes else "{}"


def _value(value: str | float) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


def main() -> int:
    if "--check" not in sys.argv:
        MODULE.write_text(module(), encoding="utf-8")
        return 0
    stale = not MODULE.exists() or MODULE.read_text(encoding="utf-8") != module()
    if stale:
        print(f"{MODULE.name} is stale: run `python tools/board_shapes.py`", file=sys.stderr)
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
