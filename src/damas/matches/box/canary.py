"""A program that tries to escape and reports what it could do: a tier in which it can do anything does not hold.

`canary.py SECRET FOLDER PORT PID`: reads a file that is not its own, writes beside it, calls a port of this machine,
signals the referee, looks for rights it should not have. It is run in the box and imports nothing of damas.
"""

import ctypes
import os
import socket
import sys
from collections.abc import Callable


def can(attempt: Callable[..., bool], *arguments: str) -> bool:
    """Whether an attempt succeeds; an error of the system means that it does not."""
    try:
        return attempt(*arguments)
    except OSError:
        return False


def read(secret: str) -> bool:
    """Reads a file that is not its own."""
    with open(secret) as file:  # noqa: PTH123
        return bool(file.read())


def write(folder: str) -> bool:
    """Writes a file outside its folder."""
    with open(f"{folder}/canary", "w") as file:  # noqa: PTH123
        file.write("out")
    return True


def call(port: str) -> bool:
    """Calls a port of this machine."""
    with socket.socket() as caller:
        caller.settimeout(0.2)
        return caller.connect_ex(("127.0.0.1", int(port))) == 0


def signal(pid: str) -> bool:
    """Signals another process."""
    os.kill(int(pid), 0)
    return int(pid) != os.getpid()


def root() -> bool:
    """Whether it runs as root."""
    return os.getuid() == 0 or os.geteuid() == 0


def namespace() -> bool:
    """Makes a namespace of users."""
    answer: int = ctypes.CDLL(None, use_errno=True).unshare(0x10000000)
    return answer == 0


if __name__ == "__main__":
    secret, folder, port, pid = (word.removeprefix("=") for word in sys.argv[1:5])
    attempts: tuple[tuple[Callable[..., bool], tuple[str, ...]], ...] = (
        (read, (secret,)),
        (write, (folder,)),
        (call, (port,)),
        (signal, (pid,)),
        (root, ()),
        (namespace, ()),
    )
    escaped = [attempt.__name__ for attempt, arguments in attempts if can(attempt, *arguments)]
    sys.stdin.readline()
    sys.stdout.write(f"contained {' '.join(escaped)}\n")
    sys.stdout.flush()
