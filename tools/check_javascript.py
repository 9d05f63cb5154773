"""Checks of the JavaScript that tsc and oxlint do not make: `check_javascript.py FOLDER...`, run by `make lint-js`.

Lines end at 110 characters, and a type `any` needs a reason behind it: `@returns {Promise<any>} any: the caller ...`.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_LINE_LENGTH = 110
GENERATED = ("lib/types.d.ts", "core/rulebooks.js")
"""Written by tools/js_types.py and tools/core_module.py."""
COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
TYPE_ANY = re.compile(r"\{[^{}]*\bany\b[^{}]*\}|=\s*any\]")
REASON = re.compile(r"\bany: \w")


def problems(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MAX_LINE_LENGTH:
            yield f"{path}:{number}: {len(line)} characters; a line ends at {MAX_LINE_LENGTH}"
    for comment in COMMENT.finditer(text):
        if TYPE_ANY.search(comment[0]) and not REASON.search(comment[0]):
            number = text.count("\n", 0, comment.start()) + 1
            yield f"{path}:{number}: the type any needs a reason: `any: why`"


def main(folders: list[str]) -> int:
    files = [
        path
        for folder in folders
        for path in sorted(Path(folder).rglob("*.[jt]s"))
        if not path.as_posix().endswith(GENERATED)
    ]
    messages = [problem for path in files for problem in problems(path)]
    print(
        "\n".join(messages) if messages else f"{len(files)} files: no line too long, every any has a reason"
    )
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
