"""Files written by a tool and committed: each tool writes them, or with --check says which are stale."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def write_or_check(files: dict[Path, str], command: str = "make docs") -> int:
    """Write the files whose text differs; with --check name them on stderr instead. Returns the exit code."""
    stale = [
        path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)} is stale: run `{command}`", file=sys.stderr)
        else:
            path.write_text(files[path], encoding="utf-8")
    return int(bool(stale) and "--check" in sys.argv[1:])
