"""A file for what is found, opened before the long work begins."""

from contextlib import suppress
from pathlib import Path
from typing import Self


class NewFile:
    """Nothing that exists is overwritten, and where nothing was written nothing stays.

    Opening raises `OSError` at once. What goes wrong later, as a disk that is full, is raised when the file is closed:
    the work goes on and is told elsewhere.
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
        with suppress(OSError):  # what could not be written cannot be now
            self._file.close()
        if not self.written:
            self._path.unlink(missing_ok=True)
        if self._trouble and kind is None:
            raise self._trouble
