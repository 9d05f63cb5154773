"""A file of finished pieces: a line for each, with its checksum, on disk before it counts."""

import json
import os
import re
import zlib
from collections.abc import Mapping
from io import BufferedRandom
from pathlib import Path
from typing import Any, Self

from damas.errors import BadLedger, naming

FIRST_BYTES = b'{"settings": '
"""What a ledger begins with; nothing is cut off from any other file."""


class Ledger:
    """The results of earlier runs of the same work, and a place for new ones; a context manager.

    Results are values of JSON, and pieces are told apart by their text.
    """

    def __init__(self, file: BufferedRandom, path: Path, results: dict[str, Any]) -> None:
        self._file, self._path, self._results = file, path, results

    @classmethod
    def open(cls, path: Path, settings: Mapping[str, Any]) -> Self:
        """Opens the ledger of work with these settings, or begins one.

        Raises `BadLedger` if it belongs to other settings, is damaged, or while another process has it open.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
        try:
            if not lock(file):
                raise BadLedger(str(path), "busy")
            file.seek(0)
            data = file.read()
            lines, good = read_lines(data)
            if good is None or not (data.startswith(FIRST_BYTES) or FIRST_BYTES.startswith(data)):
                raise BadLedger(str(path), "damaged")
            file.truncate(good)
            file.seek(good)
            ledger = cls(file, path, {})
            wanted = json.loads(json.dumps(settings))
            if not lines:
                ledger._write({"settings": wanted})
            elif lines[0].get("settings") != wanted:
                raise BadLedger(str(path), "other")
            ledger._results = {line["piece"]: line["result"] for line in lines[1:]}
        except BaseException:
            file.close()
            raise
        return ledger

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with naming(self._path):  # what a full disk did not take is tried once more
            self._file.close()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, piece: Any) -> Any | None:
        """The result of a finished piece; None if it is not finished."""
        return self._results.get(str(piece))

    def add(self, piece: Any, result: Any) -> None:
        """Keeps a result; when this returns, it is on disk."""
        self._write({"piece": str(piece), "result": result})
        self._results[str(piece)] = result

    def _write(self, line: Mapping[str, Any]) -> None:
        with naming(self._path):
            self._file.write(checked_line(line))
            self._file.flush()
            os.fsync(self._file.fileno())


def checked_line(value: Mapping[str, Any]) -> bytes:
    """A value as one line of JSON that ends with its checksum."""
    text = json.dumps(value, ensure_ascii=False)
    data = text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes a JSON escape
    return data + f"\t{zlib.crc32(data):08x}\n".encode()


def read_line(line: bytes) -> dict[str, Any] | None:
    """The value of a line; None if the line is incomplete or its checksum is wrong."""
    text, _, check = line.rstrip(b"\n").rpartition(b"\t")
    if not line.endswith(b"\n") or check != f"{zlib.crc32(text):08x}".encode():
        return None
    value: dict[str, Any] = json.loads(text)
    return value


def read_lines(data: bytes) -> tuple[list[dict[str, Any]], int | None]:
    """The values of all lines, and how many bytes they have; None if a line is damaged.

    A broken last line is left out, as after a power cut: nobody has seen it counted.
    """
    values: list[dict[str, Any]] = []
    good = 0
    for line in (lines := re.findall(rb"[^\n]*\n|[^\n]+$", data)):
        value = read_line(line)
        if value is None:
            return values, good if len(values) == len(lines) - 1 else None
        values.append(value)
        good += len(line)
    return values, good


def lock(file: BufferedRandom) -> bool:
    """Locks a file for this process; False if another process has locked it."""
    try:
        import fcntl
    except ImportError:  # Windows has no such lock
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
