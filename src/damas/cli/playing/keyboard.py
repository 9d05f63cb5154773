"""Lines as they are typed, or as they come through a pipe."""

import os
import select
import sys
from contextlib import suppress

CHUNK = 4096


class TimeIsUp(Exception):
    """Nothing was typed in time."""


class Keyboard:
    """Reads standard input line by line.

    In a terminal the line can be edited and earlier ones called back, unless somebody's time is running: then the wait
    has to end by itself.
    """

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._waiting = b""
        try:
            self._file: int | None = sys.stdin.fileno()
        except (OSError, ValueError):  # a stream without a file behind it
            self._file = None
        if self.is_terminal:
            with suppress(ImportError):
                import readline  # noqa: F401  (input() then edits lines)

    def line(self, prompt: str, seconds: float | None = None) -> str | None:
        """The next line without its end, or None where there are no more. Raises `TimeIsUp` after so many seconds."""
        if self.is_terminal and seconds is None and not self._waiting:
            try:
                return input(prompt)
            except EOFError:
                print()
                return None
        print(prompt, end="", flush=True)
        text = self._read(seconds)
        if not self.is_terminal:  # as a terminal would have shown it
            print(text or "")
        elif text is None:
            print()
        return text

    def _read(self, seconds: float | None) -> str | None:
        if self._file is None:
            line = sys.stdin.readline()
            return line.rstrip("\r\n") if line else None
        while b"\n" not in self._waiting:
            if seconds is not None and not select.select([self._file], [], [], max(0.0, seconds))[0]:
                raise TimeIsUp
            chunk = os.read(self._file, CHUNK)
            if not chunk:
                rest, self._waiting = self._waiting, b""
                return _text(rest) if rest else None
            self._waiting += chunk
        first, _, self._waiting = self._waiting.partition(b"\n")
        return _text(first)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")
