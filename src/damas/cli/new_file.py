"""An output file that is opened before long work starts."""

from contextlib import suppress
from pathlib import Path
from typing import Self


class NewFile:
    """A text file that never overwrites another and is removed if nothing was written.

    Opening raises `OSError` at once. A later error, such as a full disk, is raised when the file is closed, so that the
    work can continue.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("x", encoding="utf-8")
        self._trouble: OSError | None = None
        self.written = False

    def write(self, text: str) -> None:
        if self._trouble:
            return
        try:
            self._file.write(text)
            self._file.flush()
            self.written = True
        except OSError as error:
            self._trouble = OSError(error.errno, error.strerror, str(self._path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with suppress(OSError):  # the write error is reported below
            self._file.close()
        if not self.written:
            self._path.unlink(missing_ok=True)
        if self._trouble and kind is None:
            raise self._trouble
