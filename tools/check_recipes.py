"""Check the types of the examples in tutorials, cookbook and pages for programmers, and of the whole programs, with
`mypy --strict`: `check_recipes.py`.

Run by `make lint`. Each page becomes one module, as a reader types its examples one after the other.
"""

import doctest
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOW_TO = ROOT / "docs/how-to"
PAGES = [
    *(HOW_TO / f"{name}.md" for name in ("cookbook", "engine", "engine-client", "environments")),
    *sorted((ROOT / "docs/tutorial").glob("*.md")),
]
PROGRAMS = sorted((HOW_TO / "programs").glob("*.py"))
CACHE = ".mypy_cache/recipes"
"""Of its own: with other options each run would throw away what the other has cached."""


def program(text: str) -> str:
    """Return the examples of a page as one module, and its whole programs; what must fail is left out."""
    examples = doctest.DocTestParser().get_examples(text)
    lines = [
        example.source
        for example in examples
        if not (example.exc_msg or example.want.startswith("Traceback"))
    ]
    blocks = re.findall(r"^```python\n(?!>>>)(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return "".join([*lines, *blocks])


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="damas-recipes-") as folder:
        files = list(map(str, PROGRAMS))
        for page in PAGES:
            file = Path(folder) / (re.sub(r"\W", "_", page.relative_to(ROOT).as_posix()) + ".py")
            file.write_text(program(page.read_text(encoding="utf-8")), encoding="utf-8")
            files.append(str(file))
        # One name stands for one thing on a page, but a chapter may use it anew.
        command = ["-m", "mypy", "--strict", "--allow-redefinition", "--cache-dir", CACHE, *files]
        return subprocess.run([sys.executable, *command], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
