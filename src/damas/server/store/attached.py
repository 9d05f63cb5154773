"""Files of the arena in a backup, each with its hash.

They are in a table of the backup, which a restored database does not have.
"""

import hashlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from damas.errors import file_trouble
from damas.server.store.errors import BadBackup, CannotOpen
from damas.server.store.files import fsync_folder
from damas.server.store.sqlite import open_read_only

_TABLE = "arena_file"
_CREATE = (
    f"CREATE TABLE {_TABLE} (name TEXT PRIMARY KEY, mode INTEGER NOT NULL, "
    "hash TEXT NOT NULL, content BLOB NOT NULL) WITHOUT ROWID"
)


class AttachedFile(NamedTuple):
    """One file of the arena."""

    name: str
    """Relative path with slashes."""
    mode: int
    content: bytes


def attach(copy: Path, files: Iterable[AttachedFile]) -> None:
    """Writes the files into a new copy. Raises `sqlite3.Error`, `OSError`."""
    with closing(sqlite3.connect(copy)) as stored, stored:
        stored.execute(_CREATE)
        stored.executemany(f"INSERT INTO {_TABLE} VALUES (?, ?, ?, ?)", map(_row, files))


def _row(file: AttachedFile) -> tuple[str, int, str, bytes]:
    return file.name, file.mode, hashlib.sha256(file.content).hexdigest(), file.content


def attached(copy: Path) -> Iterator[AttachedFile]:
    """The files in a copy; none in one of an earlier damas. Raises `BadBackup` for a damaged file."""
    for name in attached_names(copy):
        yield read_attached(copy, name)


def attached_names(copy: Path) -> list[str]:
    """The names of the files in a copy. Raises `sqlite3.Error`."""
    with closing(open_read_only(copy)) as whole:
        if not whole.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_TABLE,)).fetchone():
            return []
        return [str(name) for (name,) in whole.execute(f"SELECT name FROM {_TABLE} ORDER BY name")]


def read_attached(copy: Path, name: str) -> AttachedFile:
    """One file of a copy. Raises `BadBackup` where it is damaged, and `sqlite3.Error`."""
    with closing(open_read_only(copy)) as whole:
        query = f"SELECT mode, hash, content FROM {_TABLE} WHERE name = ?"
        mode, stored, content = whole.execute(query, (name,)).fetchone() or (0, "", b"")
    path = PurePosixPath(name)
    astray = not path.parts or path.is_absolute() or ".." in path.parts
    sound = isinstance(mode, int) and isinstance(content, bytes)
    if astray or not sound or hashlib.sha256(content).hexdigest() != stored:
        raise BadBackup("store.damaged_file", path=copy, name=name)
    return AttachedFile(name, mode, content)


@contextmanager
def put_back(copy: Path, folder: Path) -> Iterator[None]:
    """The files of a copy get their folder when all else has gone well. Raises `CannotOpen` where there are others.

    A copy without files leaves the folder as it is, whatever lies there.
    """
    folder = folder.resolve()  # where it may lie elsewhere, by a link
    if _holds_files(folder) and any(True for _ in attached(copy)):
        raise CannotOpen("store.folder_not_empty", folder=folder)
    new = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            for file in attached(copy):
                path = new / file.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.content)
                path.chmod(file.mode & 0o777)
            if new.exists():
                if hasattr(os, "sync"):
                    os.sync()
                if folder.exists():  # now, while nothing is settled: a mount, which must stay, refuses
                    _remove_empty(folder)
        except OSError as error:
            raise CannotOpen("store.cannot_write", folder=folder.parent, why=file_trouble(error)) from error
        yield
        if new.exists():
            new.rename(folder)
            fsync_folder(folder.parent)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _holds_files(folder: Path) -> bool:
    """Folders alone, as a tournament that was called off leaves behind, hold nothing that could be lost."""
    return any(path.is_symlink() or not path.is_dir() for path in folder.rglob("*"))


def _remove_empty(folder: Path) -> None:
    """Removes folders only: the system refuses where a file has come meanwhile."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir()
    folder.rmdir()
