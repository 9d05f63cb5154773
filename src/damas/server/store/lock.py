"""A lock file beside the database: one server at a time; the lock ends with its process."""

import os
import sys
from pathlib import Path
from typing import Self

from damas.errors import file_trouble
from damas.server.store.errors import CannotOpen, InUse

_held: set[Path] = set()
"""Locks of this process, which the operating system would grant a second time."""


class FileLock:
    """Held until `release` or the end of the process, however it ends; child processes do not inherit it."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle

    @classmethod
    def take(cls, database: Path) -> Self:
        """Raises `InUse` when a server is running on this file, and `CannotOpen` where the file has a second name."""
        check_one_name(database)
        path = Path(f"{database.resolve()}.lock")
        # Before the file is opened: closing any handle of it would give up the lock that this process holds.
        if path in _held:
            raise _in_use(database, os.getpid())
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CannotOpen("store.beside", database=database, why=file_trouble(error)) from error
        try:
            _lock(handle)
        except OSError as error:
            other = _pid_in(path)
            os.close(handle)
            raise _in_use(database, other) from error
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, b"\0%d\n" % os.getpid())  # Windows hides the first byte, which is the locked one
        _held.add(path)
        return cls(path, handle)

    def release(self) -> None:
        """The file stays: deleting it would let two servers lock two files of one name."""
        if self.path in _held:
            _held.discard(self.path)
            os.close(self._handle)


def check_one_name(database: Path) -> None:
    """Raises `CannotOpen` where the file has a second name (a hard link).

    It would have two locks, and a write-ahead log beside each of its names: read by the other name, the file lacks
    what the log holds.
    """
    if database.exists() and (names := database.stat().st_nlink) > 1:
        raise CannotOpen("store.several_names", database=database, names=names)


def _in_use(database: Path, pid: int | None) -> InUse:
    if pid is None:
        return InUse("store.in_use", database=database)
    return InUse("store.in_use_by", database=database, process=pid)


def _pid_in(path: Path) -> int | None:
    try:
        text = path.read_bytes().strip(b"\0 \n")
    except OSError:
        return None
    return int(text) if text.isdigit() else None


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]

else:
    import fcntl

    def _lock(handle: int) -> None:
        # A record lock, not flock: an engine process forked from the server must not keep it.
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
