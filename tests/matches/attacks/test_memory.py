"""Total bounded, whatever the form or number of processes."""

import os
from pathlib import Path

import pytest

from damas.matches.box.limits import MIB, BoxLimits

SMALL = BoxLimits(memory=96 * MIB)
WITHIN = {
    "below its limit": """
def attack():
    memory = bytearray(os.urandom(4096)) * (40 * 256)
    time.sleep(0.1)
    return len(memory) >> 20
""",
    "pages that a fork shares are counted once": """
def attack():
    memory = bytearray(os.urandom(4096)) * (40 * 256)
    for _ in range(3):
        if os.fork() == 0:
            time.sleep(60)
    time.sleep(0.15)
    return len(memory) >> 20
""",
}
BEYOND = {
    "one process that grows": """
def attack():
    memory = []
    while True:
        memory.append(bytearray(os.urandom(4096)) * 1024)
""",
    "many processes that grow a little": """
def attack():
    for _ in range(8):
        if os.fork() == 0:
            memory = bytearray(os.urandom(4096)) * (30 * 256)
            time.sleep(60)
    time.sleep(60)
""",
    "shared anonymous memory": """
def attack():
    import mmap
    memory = mmap.mmap(-1, 400 << 20)
    for place in range(0, 400 << 20, 4096):
        memory[place] = 1
    time.sleep(60)
""",
}


@pytest.mark.parametrize("body", WITHIN.values(), ids=WITHIN)
def test_control_memory_within_the_limit(box, body):
    attempt = box.run(body, limits=SMALL)
    assert (attempt.verdict, attempt.answer) == ("", 40)


@pytest.mark.parametrize("body", BEYOND.values(), ids=BEYOND)
def test_memory_beyond_the_limit(box, body):
    assert box.run(body, limits=SMALL).verdict == "MEMORY"


def test_memory_that_belongs_to_no_process(box):
    attempt = box.run(
        """
def attack():
    numbers = {"x86_64": (319, 29, 68, 240), "aarch64": (279, 194, 186, 180)}[os.uname().machine]
    memfd, shmget, msgget, mq_open = numbers
    return [
        syscall(memfd, b"x", 0), syscall(shmget, 0, ctypes.c_size_t(1 << 20), 0o1600), syscall(msgget, 0, 0o1600),
        syscall(mq_open, b"/" + TOKEN.encode(), 0o102, 0o600, None), syscall(447, 0),
    ]
"""
    )
    assert attempt.answer[:4] == ["EPERM"] * 4
    assert attempt.answer[4] in ("EPERM", "ENOSYS")


def test_the_referee_is_not_the_one_to_grow(box):
    """An answer without end costs the program the game, not the referee its memory."""
    before = _resident()
    assert box.run("def attack():\n    while True: os.write(1, b'x' * 65536)\n").verdict == "TOO_MUCH_OUTPUT"
    assert _resident() - before < 4 * MIB


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
