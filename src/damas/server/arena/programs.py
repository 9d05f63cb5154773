"""Programs that people have sent: kept by what they are, never by what they are called, and run by nobody here.

Only the arena starts them, and only in a containment tier.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

NAME = re.compile(r"[0-9a-f]{64}(\.py|\.js)?")
ELF = b"\x7fELF"


def kinds() -> list[str]:
    """Endings of files that can be run here; the last is a Linux program."""
    return [".py", *([".js"] if shutil.which("node") else []), "ELF"]


def kind_of(name: str, data: bytes) -> str | None:
    """How a file is run: `.py`, `.js`, or nothing for a program of its own; None for anything else.

    >>> kind_of("bot.py", b"print()"), kind_of("bot", ELF + b"..."), kind_of("bot.sh", b"ls")
    ('.py', '', None)
    """
    if data.startswith(ELF):
        return ""
    ending = Path(name).suffix.lower()
    text = bool(data.strip()) and b"\0" not in data
    return ending if ending in kinds() and text else None


def keep(folder: Path, data: bytes, kind: str) -> str:
    """Stores a program, whole or not at all; the name it has from now on."""
    name = hashlib.sha256(data).hexdigest() + kind
    path = folder / name
    if path.exists():
        return name
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{name}.{os.getpid()}"
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.chmod(0o644 if kind else 0o755)
    draft.replace(path)
    return name


def sweep(folder: Path, used: Iterable[str]) -> None:
    """Removes what no contest has any more."""
    kept = set(used)
    for path in folder.glob("*"):
        if NAME.fullmatch(path.name) and path.name not in kept:
            path.unlink(missing_ok=True)
