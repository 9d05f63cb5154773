"""How a program can lose a game apart from the board: stable codes, and the exception that carries one."""

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
"""Codes of faults; they are part of receipts and journals."""
MAX_RAW_BYTES = 64 * 1024
"""How much of an answer a fault keeps."""
MAX_STDERR_BYTES = 64 * 1024
"""How much of a program's standard error is kept: the last bytes."""


@dataclass
class Fault(Exception):
    """A program has forfeited its game."""

    code: str
    detail: str
    raw: bytes = b""
    """Its answer, byte for byte, up to `MAX_RAW_BYTES`."""
    seconds: float = 0.0
    """How long after the question."""

    def __post_init__(self) -> None:
        super().__init__(self.code, self.detail)
        self.raw = self.raw[:MAX_RAW_BYTES]


def exit_text(code: int) -> str:
    """How a process ended, from its exit status.

    >>> exit_text(3), exit_text(-9)
    ('exit code 3', 'SIGKILL')
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def trace_of(error: BaseException) -> str:
    r"""The traceback as Python prints it, without the folders of this machine: others may read it in a receipt.

    >>> trace_of(SyntaxError("no", ("/home/ana/own.py", 1, None, None)))
    '  File "own.py", line 1\nSyntaxError: no'
    """
    text = "".join(traceback.format_exception(error))
    return re.sub(r'(?m)^([ |]*File ")[^"\n]*[/\\]', r"\1", text).rstrip()
