"""Only the rooms named here touch the C++ core: `core_border.py`, run by `make lint`.

import-linter sees no module that is not Python, so this reads the import statements itself. It also keeps
every room from importing `damas` as a whole, which would go round the order of the rooms.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src/damas"
AT_THE_BORDER = {"game", "tablebase", "engine"}
ABOVE_ALL_ROOMS = {"__init__", "__main__", "cli"}


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full name of everything imported from damas itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def complaints() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for line, name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            parts = name.split(".")
            if parts[0] != "damas":
                continue
            where = f"{path.relative_to(PACKAGE.parent.parent)}:{line}"
            if parts[1:2] == ["_core"] and room not in AT_THE_BORDER:
                yield f"{where}: only {', '.join(sorted(AT_THE_BORDER))} import damas._core"
            elif room not in ABOVE_ALL_ROOMS and not is_room(parts[1:2]):
                yield f"{where}: import from the room that has it, not from damas as a whole"


def is_room(name: list[str]) -> bool:
    return bool(name) and (
        name == ["_core"] or (PACKAGE / name[0]).is_dir() or (PACKAGE / f"{name[0]}.py").is_file()
    )


if __name__ == "__main__":
    violations = list(complaints())
    report = "\n".join(violations) or "the border to the core is kept"
    print(report, file=sys.stderr if violations else sys.stdout)
    sys.exit(bool(violations))
