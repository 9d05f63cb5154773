"""Write files atomically: a process killed half-way leaves the previous file in place."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path; what was written there replaces `path` at the end."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")  # two stages may write the same card
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise _with_path(path, error) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def ensure_writable_folder(path: Path) -> None:
    """Create a folder and check that files can be written in it, before hours of work depend on it."""
    try:
        if not path.exists():
            path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise _with_path(path, error) from error


def _with_path(path: Path, error: OSError) -> OSError:
    """Return the same error with the requested path: a full disk names none."""
    return OSError(error.errno, error.strerror, str(path))


def write_text(path: Path, text: str) -> None:
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
