"""The seal of a backup: the last bytes of the file, with the SHA-256 of all bytes before them.

SQLite ignores what stands after its last page, so a sealed file opens like any other. The header of the database says that
there is a seal, so that a file whose seal was cut off does not pass for one of an earlier damas, which had none.
"""

import hashlib
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from damas.server.store.errors import BadBackup

_MARK = b"\ndamas backup, sha256 of all bytes before this line: "
_LENGTH = len(_MARK) + 64 + 1
_APPLICATION = 0x64616D61
_APPLICATION_AT = 68
"""Where SQLite's header keeps the application id."""


def seal(path: Path) -> None:
    """Seals a database file that nobody will change any more."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    digest = _digest(path, path.stat().st_size)
    with path.open("ab") as file:
        file.write(_MARK + digest + b"\n")


def unseal(path: Path) -> None:
    """Removes the sign of a seal from a copy of a sealed database, which has no seal of its own."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 0")


def check_seal(path: Path) -> int:
    """The length of the seal; 0 for a file of an earlier damas. Raises `BadBackup` where a byte of the file has changed."""
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(_APPLICATION_AT + 4)
        file.seek(max(0, size - _LENGTH), os.SEEK_SET)
        tail = file.read()
    has_mark = tail.startswith(_MARK) and tail.endswith(b"\n") and len(tail) == _LENGTH
    if has_mark and tail[len(_MARK) : -1] == _digest(path, size - _LENGTH):
        return _LENGTH
    if has_mark or header[_APPLICATION_AT:] == _APPLICATION.to_bytes(4, "big"):
        raise BadBackup("store.broken_seal", path=path)
    return 0


def _digest(path: Path, size: int) -> bytes:
    """The SHA-256 of the first `size` bytes, in hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while size and (some := file.read(min(size, 1 << 20))):
            digest.update(some)
            size -= len(some)
    return digest.hexdigest().encode()
