"""Saves a game while it is played: every event is on disk before it is shown."""

import os
import sys
from pathlib import Path

from damas.arbiter import Table, ledger
from damas.cli.arguments import BadInput
from damas.errors import file_trouble
from damas.rules import Rulebook


class Store:
    """The ledger file of one game, open and locked while it is played."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written = 0
        self._file = -1

    def create(self, table: Table) -> None:
        """Create the file; raises `BadInput` if it exists."""
        try:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except FileExistsError:
            raise BadInput("play.exists", file=self.path) from None
        self._lock()
        self.save(table)
        self._sync_folder()

    def resume(self, book: Rulebook | None) -> Table:
        """Load the game; drops an incomplete last line after a crash and adds a missing ruling."""
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND)
        self._lock()
        data = self.path.read_bytes()
        table = ledger.load(data, drop_unfinished=True, book=book)
        complete = data[: data.rfind(b"\n") + 1]
        if complete != data:
            os.ftruncate(self._file, len(complete))
        self._written = complete.count(b"\n")
        self.save(table)
        return table

    def save(self, table: Table) -> None:
        """Write new events and return when they are on disk."""
        new = b"".join(ledger.lines(table, since=self._written))
        if not new:
            return
        try:
            while new:
                new = new[os.write(self._file, new) :]
            os.fsync(self._file)
        except OSError as error:
            raise BadInput("file.at", name=self.path, why=file_trouble(error)) from None
        self._written = len(table.events)

    def close(self) -> None:
        """Close the file, which also releases its lock."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows has no such lock
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput("play.in_use", file=self.path) from None

    def _sync_folder(self) -> None:
        if sys.platform == "win32":  # Windows opens no folder
            return
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
