"""Reads lines from a terminal or a pipe."""

import os
import select
import sys
from contextlib import suppress

_CHUNK = 4096


class InputTimeout(Exception):
    """Raised when no line arrives before the timeout."""


class Keyboard:
    """Reads standard input line by line.

    In a terminal lines can be edited and recalled, except while a clock runs, because reading must then time out.
    """

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._buffer = b""
        try:
            self._file: int | None = sys.stdin.fileno()
        except (OSError, ValueError):  # a stream without a file behind it
            self._file = None
        if self.is_terminal:
            with suppress(ImportError):
                import readline  # noqa: F401  (input() then edits lines)

    def line(self, prompt: str, seconds: float | None = None) -> str | None:
        """Return the next line without its newline, or None at the end of input; raises `InputTimeout` after `seconds`."""
        if self.is_terminal and seconds is None and not self._buffer:
            try:
                return input(prompt)
            except EOFError:
                print()
                return None
        print(prompt, end="", flush=True)
        text = self._read(seconds)
        if not self.is_terminal:  # echo, as a terminal does
            print(text or "")
        elif text is None:
            print()
        return text

    def _read(self, seconds: float | None) -> str | None:
        if self._file is None:
            line = sys.stdin.readline()
            return line.rstrip("\r\n") if line else None
        while b"\n" not in self._buffer:
            if seconds is not None and not select.select([self._file], [], [], max(0.0, seconds))[0]:
                raise InputTimeout
            chunk = os.read(self._file, _CHUNK)
            if not chunk:
                rest, self._buffer = self._buffer, b""
                return _text(rest) if rest else None
            self._buffer += chunk
        first, _, self._buffer = self._buffer.partition(b"\n")
        return _text(first)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")
