"""What a program can lose a game by, apart from the board: stable codes, and the exception that carries one."""

import re
import signal
import traceback
from dataclasses import dataclass

CODES = (
    "INVALID_MOVE",
    "TIMEOUT",
    "CRASH",
    "GARBAGE",
    "EARLY_ANSWER",
    "DOUBLE_ANSWER",
    "TOO_MUCH_OUTPUT",
    "MEMORY",
    "PROCESSES",
    "NOT_READY",
)
OURS = "OURS"
"""An error of the referee itself: the game is void, and nobody loses by it."""

MOST_RAW = 64 * 1024
KEPT_STDERR = 64 * 1024
"""Bytes of what a player prints to its errors that are kept, the last ones."""


@dataclass
class Fault(Exception):
    """A program has forfeited its game."""

    code: str
    detail: str
    raw: bytes = b""
    """What it had said in answer to the question, byte for byte, as far as it is kept."""
    seconds: float = 0.0
    """How long after the question."""

    def __post_init__(self) -> None:
        super().__init__(self.code, self.detail)
        self.raw = self.raw[:MOST_RAW]


def ended(code: int) -> str:
    """How a process ended, by what it left for whoever waited for it.

    >>> ended(3), ended(-9)
    ('exit code 3', 'SIGKILL')
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def trace_of(why: BaseException) -> str:
    r"""As Python prints it, without the folders of this machine: it comes into a receipt, which others read.

    >>> trace_of(SyntaxError("no", ("/home/ana/own.py", 1, None, None)))
    '  File "own.py", line 1\nSyntaxError: no'
    """
    told = "".join(traceback.format_exception(why))
    return re.sub(r'(?m)^([ |]*File ")[^"\n]*[/\\]', r"\1", told).rstrip()
