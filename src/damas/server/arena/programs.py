"""Stored programs, under the hash of their contents. Only a contest runs them, and only in a containment tier."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from damas.arena.building.languages import LANGUAGES
from damas.arena.building.source import endings

NAME = re.compile(r"[0-9a-f]{64}(\.py|\.js|\.d)?")
"""Names of stored programs: a hash, and what it is; `.d` is a folder."""


def accepted_endings() -> list[str]:
    """The endings of files that can be made and run here, and `.zip`."""
    return [*(ending for ending, here in endings().items() if here), ".zip"]


def missing_languages() -> list[str]:
    """The languages whose compiler is not installed here."""
    return [LANGUAGES[ending].name for ending, here in endings().items() if not here]


def sweep(folder: Path, used: Iterable[str]) -> None:
    """Deletes programs that no contest uses."""
    used = set(used)
    for path in folder.glob("*"):
        if not NAME.fullmatch(path.name) or path.name in used:
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
