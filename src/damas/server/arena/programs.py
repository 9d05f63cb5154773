"""Stored programs, under the hash of their contents. Only a contest runs them, and only in a containment tier."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from damas.arena.building.languages import LANGUAGES, Language, installed
from damas.matches.box.tiers import missing

NAME = re.compile(r"[0-9a-f]{64}(\.py|\.js|\.d)?")
"""Names of stored programs: a hash, and what it is; `.d` is a folder."""


def accepted_endings() -> list[str]:
    """The endings of files that can be made and run here, and `.zip`."""
    return [*(ending for ending, language in LANGUAGES.items() if _can_be_made(language)), ".zip"]


def missing_languages() -> list[str]:
    """The languages whose compiler is not installed here, or has no box to run in."""
    return [language.name for language in LANGUAGES.values() if not _can_be_made(language)]


def _can_be_made(language: Language) -> bool:
    return installed(language) and not (language.compiled and missing("bubblewrap"))


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
