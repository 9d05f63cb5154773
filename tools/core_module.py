"""Write src/damas/server/static/core/rulebooks.js: `core_module.py [--check]`; run by `make docs`."""

import sys
from pathlib import Path

from damas.engine.portable import module_text

FILE = Path(__file__).parent.parent / "src/damas/server/static/core/rulebooks.js"

if __name__ == "__main__":
    text = module_text()
    if "--check" in sys.argv[1:]:
        if not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
            sys.exit(f"{FILE.name} is stale: run `make docs`")
    else:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(text, encoding="utf-8")
