"""Total bounded, whatever the form or number of processes."""

import os
from pathlib import Path

from damas.matches.box.limits import MIB, BoxLimits

SMALL = BoxLimits(memory=96 * MIB)
GROW = """
def grow(step=4 << 20):
    kept = []
    while True:
        kept.append(bytearray(os.urandom(4096)) * (step // 4096))
"""


def test_control_a_program_below_its_limit(box, contained):
    attempt = box.run(
        """
def attack():
    kept = bytearray(os.urandom(4096)) * (40 * 256)
    time.sleep(0.1)
    return len(kept)
""",
        limits=SMALL,
    )
    assert (attempt.verdict, attempt.said) == ("", 40 * MIB)
    contained(attempt)


def test_control_children_that_share_their_memory(box, contained):
    """Pages that a fork shares are counted once."""
    attempt = box.run(
        """
def attack():
    kept = bytearray(os.urandom(4096)) * (50 * 256)
    for _ in range(3):
        if os.fork() == 0:
            time.sleep(60)
    time.sleep(0.15)
    return len(kept)
""",
        limits=SMALL,
    )
    assert attempt.verdict == ""
    contained(attempt)


def test_one_process_that_grows(box, contained):
    attempt = box.run(GROW + "attack = grow\n", limits=SMALL)
    assert attempt.verdict == "MEMORY"
    contained(attempt)


def test_many_processes_that_grow_a_little(box, contained):
    attempt = box.run(
        """
def attack():
    for _ in range(8):
        if os.fork() == 0:
            kept = bytearray(os.urandom(4096)) * (30 * 256)
            time.sleep(60)
    time.sleep(60)
""",
        limits=SMALL,
    )
    assert attempt.verdict == "MEMORY"
    contained(attempt)


def test_shared_anonymous_memory(box, contained):
    attempt = box.run(
        """
def attack():
    import mmap
    kept = mmap.mmap(-1, 400 << 20)
    for place in range(0, 400 << 20, 4096):
        kept[place] = 1
    time.sleep(60)
""",
        limits=SMALL,
    )
    assert attempt.verdict == "MEMORY"
    contained(attempt)


def test_memory_that_belongs_to_no_process(box, contained):
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
    assert attempt.said[:4] == ["EPERM"] * 4
    assert attempt.said[4] in ("EPERM", "ENOSYS")
    contained(attempt)


def test_the_referee_is_not_the_one_to_grow(box, contained):
    """An answer without end costs the program the game, not the referee its memory."""
    before = _resident()
    attempt = box.run("def attack():\n    while True: os.write(1, b'x' * 65536)\n")
    assert attempt.verdict == "TOO_MUCH_OUTPUT"
    assert _resident() - before < 4 * MIB
    contained(attempt)


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
