"""Uploaded programs, stored under the hash of their contents. Only a contest runs them, and only in a containment tier."""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

NAME = re.compile(r"[0-9a-f]{64}(\.py|\.js)?")
"""Names of stored programs: a hash, and how it is run."""
ELF = b"\x7fELF"
"""First bytes of a Linux program."""


def kinds() -> list[str]:
    """File endings that can be run here; ELF is a Linux program."""
    return [".py", *([".js"] if shutil.which("node") else []), "ELF"]


def kind_of(name: str, data: bytes) -> str | None:
    """How a file is run: `.py`, `.js`, or empty for an executable; None for anything else.

    >>> kind_of("bot.py", b"print()"), kind_of("bot", ELF + b"..."), kind_of("bot.sh", b"ls")
    ('.py', '', None)
    """
    if data.startswith(ELF):
        return ""
    ending = Path(name).suffix.lower()
    text = bool(data.strip()) and b"\0" not in data
    return ending if ending in kinds() and text else None


def keep(folder: Path, data: bytes, kind: str) -> str:
    """Stores a program completely or not at all; returns its name."""
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
    """Deletes programs that no contest uses."""
    used = set(used)
    for path in folder.glob("*"):
        if NAME.fullmatch(path.name) and path.name not in used:
            path.unlink(missing_ok=True)
