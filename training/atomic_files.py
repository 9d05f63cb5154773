"""Write files atomically: a process killed half-way leaves the previous file in place."""

import os
from pathlib import Path
from tempfile import TemporaryFile


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a file; an error names the path, which that of a full disk does not."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")  # two stages may write the same card
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        if temporary.exists():
            temporary.unlink()


def write_text(path: Path, text: str) -> None:
    """Replace a text file."""
    write_bytes(path, text.encode())


def ensure_writable_folder(path: Path) -> None:
    """Create a folder and check that files can be written in it, before hours of work depend on it."""
    try:
        if not path.exists():
            path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
