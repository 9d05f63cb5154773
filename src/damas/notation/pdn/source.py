"""Lines of text from a string, bytes, the path of a file, an open text or binary file, or a list of lines."""

import codecs
import io
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Protocol, runtime_checkable

Source = str | bytes | PathLike[str] | Iterable[str] | Iterable[bytes]
"""What `lines_of` reads. A `str` is always the text itself, never the name of a file: that is a `Path`."""
MAX_LINE_CHARS = 1 << 24
"""Of a longer line only this much and one character more is kept, so that no file can fill the memory."""


@runtime_checkable
class _File(Protocol):
    """An open text or binary file."""

    def readline(self, size: int, /) -> str | bytes: ...


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("damas-latin-1", _as_latin_1)


def lines_of(source: Source) -> Iterator[str]:
    """The lines one at a time: a file of any length takes the memory of its longest line.

    Bytes are read as UTF-8, and where they are not UTF-8 as Latin-1. A byte order mark is dropped.
    """
    if isinstance(source, PathLike):
        with Path(source).open("rb") as file:
            yield from lines_of(file)
        return
    if isinstance(source, str):
        source = io.StringIO(source, newline=None)
    elif isinstance(source, bytes):
        source = io.BytesIO(source)
    elif not isinstance(source, Iterable):
        raise TypeError(f"a Path, an open file, lines or the text itself is needed, not {source!r}")
    lines: Iterable[str | bytes] = _bounded(source) if isinstance(source, _File) else source
    first = True
    for line in lines:
        text = line if isinstance(line, str) else line.decode("utf-8", "damas-latin-1")
        if first:
            text = text.removeprefix("\ufeff")
            first = False
        if "\r" in text:
            yield from _broken(text)
        else:
            yield text if text.isascii() else _encodable(text)


def _bounded(file: _File) -> Iterator[str | bytes]:
    """The lines of a file, the rest of a line that is too long left out."""
    ended = True
    while line := file.readline(MAX_LINE_CHARS + 1):
        if ended:
            yield line
        ended = line.endswith("\n") if isinstance(line, str) else line.endswith(b"\n")


def _broken(text: str) -> Iterator[str]:
    """The lines of a text with line ends of Windows or the old Macintosh."""
    return iter(io.StringIO(_encodable(text), newline=None))


def _encodable(text: str) -> str:
    """The text with lone surrogates replaced: they can be neither passed to the core nor written to a file."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
