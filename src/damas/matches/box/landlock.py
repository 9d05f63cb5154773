"""Landlock: files, signals and sockets that the kernel keeps from a process, without any privilege.

It is run as a file too, and imports nothing of damas.
"""

import ctypes
import os
import stat
import struct

CREATE, ADD, RESTRICT = 444, 445, 446
"""Numbers of the system calls, the same on every architecture."""
VERSION = 1
"""The flag that asks for the version."""
PATH_BENEATH = 1
"""The type of a rule about files."""
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
"""Rights to files and folders."""
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
"""Rights of later versions."""
ALL_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
"""Rights that make sense for a file that is no folder."""
HANDLED = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""File operations that each version can forbid."""
TCP = 0b11
"""Rights to bind and to connect, from version 4."""
SIGNALS_AND_NAMES = 0b11
"""Abstract sockets and signals, from version 6."""
READ = EXECUTE | READ_FILE | READ_DIR
"""What a program may do with a readable path."""
PR_SET_NO_NEW_PRIVS = 38
"""The option of prctl that forbids new privileges."""


def _syscall(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    answer: int = libc.syscall(number, *arguments)
    if answer < 0:
        raise OSError(ctypes.get_errno(), "landlock")
    return answer


def version() -> int:
    """The version of Landlock; 0 if the kernel has none."""
    try:
        return _syscall(CREATE, None, ctypes.c_size_t(0), VERSION)
    except OSError:
        return 0


def restrict(read: list[str], write: list[str]) -> None:
    """Restricts this process and its descendants to these paths; missing ones are left out."""
    newest = version()
    if not newest:
        raise OSError(38, "landlock")
    files = HANDLED[min(newest, 5)]
    words = [files, TCP if newest >= 4 else 0, SIGNALS_AND_NAMES if newest >= 6 else 0]
    used = 3 if newest >= 6 else 2 if newest >= 4 else 1
    attributes = struct.pack(f"={used}Q", *words[:used])
    rules = _syscall(CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    try:
        for places, allowed in ((read, READ), (write, READ | WRITE_FILE)):
            for place in places:
                _allow(rules, place, allowed & files)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "no_new_privs")
        _syscall(RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, place: str, allowed: int) -> None:
    try:
        fd = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            allowed &= ALL_FILE
        _syscall(ADD, rules, PATH_BENEATH, struct.pack("=Qi", allowed, fd), 0)
    finally:
        os.close(fd)
