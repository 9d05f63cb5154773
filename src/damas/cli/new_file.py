"""Output files: a new one that grows during long work, and one that replaces another only when it is whole."""

import argparse
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from damas.cli.arguments import BadInput, add_flag
from damas.errors import naming


class NewFile:
    """A text file that never overwrites another and is removed if nothing was written.

    Opening raises `OSError` at once. A later error, such as a full disk, is raised when the file is closed, so that the
    work can continue; nothing of the text that could not be written stays in the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("x", encoding="utf-8")
        self._trouble: OSError | None = None
        self._complete_bytes = 0

    @property
    def written(self) -> bool:
        """Whether the file has any text."""
        return self._complete_bytes > 0

    def write(self, text: str) -> None:
        """Write a text, unless writing has failed before."""
        if self._trouble:
            return
        try:
            self._file.write(text)
            self._file.flush()
            self._complete_bytes = os.fstat(self._file.fileno()).st_size
        except OSError as error:
            self._trouble = OSError(error.errno, error.strerror, str(self._path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with suppress(OSError):  # the write error is reported below
            self._file.close()
        if not self.written:
            self._path.unlink(missing_ok=True)
        elif self._trouble:
            with suppress(OSError):  # as above
                os.truncate(self._path, self._complete_bytes)
        if self._trouble and kind is None:
            raise self._trouble


@contextmanager
def replacing(path: Path, *, force: bool = False) -> Iterator[Callable[[str | bytes], None]]:
    """The function that writes to a file, which takes its place at `path` when the block ends without an error.

    A file that exists is replaced only with `force`; otherwise this raises `BadInput`. After an error, nothing has
    changed; an `OSError` of writing names `path`. A device or a pipe, which no file may replace, is written directly.
    """
    direct = path.exists() and not path.is_file()
    if path.is_file() and not force:
        raise BadInput("cli.bad.exists", name=str(path))
    target = path.resolve() if path.is_symlink() else path
    new = path if direct else target.with_name(f".{secrets.token_hex(4)}.part")
    with naming(path):
        file = new.open("wb")

    def write(content: str | bytes) -> None:
        with naming(path):
            file.write(content.encode() if isinstance(content, str) else content)

    try:
        try:
            yield write
            with naming(path):
                file.flush()
                if not direct:
                    os.fsync(file.fileno())
        finally:
            with naming(path):
                file.close()
        if not direct:
            with naming(path):
                if target.exists():
                    shutil.copymode(target, new)
                new.replace(target)
    finally:
        if not direct:
            new.unlink(missing_ok=True)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add `--force` to a command that writes a file with `replacing`."""
    add_flag(parser, "--force", "replace the file if it exists")
