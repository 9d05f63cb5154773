"""A program that is ready to run: a file or a folder, and the command that starts it."""

import hashlib
import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from damas.arena.building.languages import JAVA_HEAP

START = "import pathlib, runpy, sys\nhere = pathlib.Path(__file__).parent\nrunpy.run_path(str(here / {main!r}), run_name='__main__')\n"
"""The main file of a Python program whose own has another name."""


@dataclass(frozen=True)
class BuiltProgram:
    """A program on disk, under a name made of its contents."""

    path: Path
    """A file or a folder."""
    ending: str
    """The ending of its language; empty for a Linux program."""
    main: str
    """The main class of Java."""
    data: bool
    """Whether it has further files, whose folder it gets as its first argument."""

    def command(self, path: str) -> str:
        """The command that starts it from that path."""
        return command(path, self.ending, main=self.main, data=self.data)


def command(path: str, ending: str, *, main: str = "", data: bool = False) -> str:
    """The command that starts a program of that language, as an entrant's text.

    >>> command("programs/ab.d", ".java", main="Bot")
    'java -XX:+UseSerialGC -Xmx320m -cp programs/ab.d Bot'
    """
    rest = [path] if data else []
    match ending:
        case ".py":
            return shlex.quote(path)
        case ".js":
            return shlex.join(["node", path])
        case ".java":
            return shlex.join(["java", "-XX:+UseSerialGC", JAVA_HEAP, "-cp", path, main, *rest])
        case ".cpp" | ".rs" | ".go":
            return shlex.join([f"{path}/program", *rest])
    return shlex.join([f"{path}/program", path] if data else [path])


def content_hash(path: Path) -> str:
    """The hash of a file, or of all names and contents of a folder."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    whole = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        if file.is_file():
            name = file.relative_to(path).as_posix().encode()
            whole.update(b"%d %s %d\n" % (len(name), name, file.stat().st_size))
            whole.update(file.read_bytes())
    return whole.hexdigest()


def store(path: Path, folder: Path, suffix: str) -> str:
    """Moves a file or folder to the place of its hash, whole or not at all and on disk; returns its name there."""
    name = content_hash(path) + suffix
    folder.mkdir(parents=True, exist_ok=True)
    for file in (path, *path.rglob("*")) if path.is_dir() else (path,):
        runs = file.is_dir() or file.name == "program" or (file == path and not suffix)
        file.chmod(0o755 if runs else 0o644)
        _flush(file)
    place = folder / name
    if not place.exists():
        draft = folder / f".{name}.{os.getpid()}"
        shutil.rmtree(draft, ignore_errors=True)
        shutil.move(path, draft)
        draft.rename(place)
        _flush(folder)
    return name


def _flush(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
