"""Files that are written whole or not at all: who is killed half-way leaves what was there before."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Another name to write to; what was written there then takes the place of `path`."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")  # two stages may write the same card
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise _naming(path, error) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()


def made_folder(path: Path) -> None:
    """Makes a folder, and tries whether a file can be made in it: nobody plays for an hour to hear that it cannot."""
    try:
        if not path.exists():
            path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise _naming(path, error) from error


def _naming(path: Path, error: OSError) -> OSError:
    """The same error, with the path that was asked for: a full disk names none."""
    return OSError(error.errno, error.strerror, str(path))


def write_text(path: Path, text: str) -> None:
    with whole_file(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
