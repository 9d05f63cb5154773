"""Files that are on disk, whole, when they have their name."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
