"""Lines of text from a string, bytes, an open text or binary file, or a list of lines."""

import codecs
import io
from collections.abc import Iterable, Iterator

Source = str | bytes | Iterable[str] | Iterable[bytes]
"""What `lines_of` reads."""


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("damas-latin-1", _as_latin_1)


def lines_of(source: Source) -> Iterator[str]:
    """The lines one at a time: a file of any length takes the memory of its longest line.

    Bytes are read as UTF-8, and where they are not UTF-8 as Latin-1. A byte order mark is dropped.
    """
    if isinstance(source, str):
        source = io.StringIO(source, newline=None)
    elif isinstance(source, bytes):
        source = io.BytesIO(source)
    first = True
    for line in source:
        text = line if isinstance(line, str) else line.decode("utf-8", "damas-latin-1")
        if first:
            text = text.removeprefix("\ufeff")
            first = False
        if "\r" in text:
            yield from _broken(text)
        else:
            yield text if text.isascii() else _encodable(text)


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
