"""Files that are on disk, whole, when they have their name."""

import logging
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

log = logging.getLogger("damas.store")


def make_private(path: Path) -> None:
    """Closes a file or folder of ours to everybody but its owner; a folder that everybody may write (`/tmp`) stays open."""
    try:
        status = path.stat()
        if status.st_mode & 0o077 and not status.st_mode & stat.S_ISVTX:
            path.chmod(0o700 if stat.S_ISDIR(status.st_mode) else 0o600)
    except FileNotFoundError:
        return
    except OSError as error:
        log.warning("%s cannot be closed to others: %s", path, error.strerror or error)


def is_own_folder(folder: Path) -> bool:
    """Whether a folder holds nothing but what a server keeps in it: only such a one is closed to others, not `.` or `~`."""
    own = ("damas.", ".damas.", "secret", "operator", "arena", "tablebases")
    try:
        return all(entry.name.startswith(own) for entry in folder.iterdir())
    except OSError:
        return False


def create_private(path: Path) -> None:
    """Creates an empty file for its owner alone; one that is there keeps its content."""
    # By a path of its own and not by opening: closing a handle of a database gives up SQLite's locks on it.
    if path.exists():
        make_private(path)
    else:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """An empty file that only its owner can read. Once it is written and on disk it becomes `target`; after an error
    nothing of it is left.
    """
    new = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield new
        handle = os.open(new, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        new.replace(target)
        fsync_folder(target.parent)
    finally:
        new.unlink(missing_ok=True)


def fsync_folder(folder: Path) -> None:
    """Flushes a folder, so that new names in it are on disk."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
