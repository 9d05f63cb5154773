"""The arena's files for a backup, as they belong together, while tournaments are made, changed and played.

A journal only grows, and what belongs to one of its lines is on the disk before it: what is looked for once the journals
are read holds all that it names, and a last line that is torn is dropped by whoever reads it. `contest.json` is read first and
looked at again when all is read: where it has changed since, as when a contest began or ended, everything of it is read
once more. A program that a contest names is there as long as the contest names it.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from damas.server.arena.contest import FILE
from damas.server.arena.programs import NAME
from damas.server.store.attached import AttachedFile
from damas.tournaments.journal import JOURNAL


def files(place: Path) -> Iterator[AttachedFile]:
    """All files of the arena in `place`: its tournaments, and the programs entered in them."""
    names: set[str] = set()
    for folder in sorted((place / "tournaments").glob("*")):
        for file in _of_contest(place, folder):
            if file.name not in names:  # one program may be in many contests
                names.add(file.name)
                yield file


def _of_contest(place: Path, folder: Path) -> list[AttachedFile]:
    """The files of a contest; none if it is called off meanwhile."""
    while (folder / FILE).exists():
        with suppress(FileNotFoundError):
            first = _file(place, folder / FILE)
            names = {match.group() for match in NAME.finditer(first.content.decode("utf-8", "replace"))}
            rest = [_file(place, path) for path in _all(folder) if path.name == JOURNAL]
            paths = [path for path in _all(folder) if path.name not in (FILE, JOURNAL)]
            for name in sorted(names):
                program = place / "programs" / name
                paths += _all(program) if program.is_dir() else [program] if program.exists() else []
            rest += (_file(place, path) for path in paths)
            if _file(place, folder / FILE) == first:
                return [first, *rest]
    return []


def _all(folder: Path) -> list[Path]:
    """Complete files: the name of one that is being written begins with a dot."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))


def _file(place: Path, path: Path) -> AttachedFile:
    return AttachedFile(path.relative_to(place).as_posix(), path.stat().st_mode & 0o777, path.read_bytes())
