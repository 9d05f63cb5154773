"""It cannot gain any right it was not started with, nor see into another process."""

import os
from pathlib import Path

import pytest

from damas.matches.box.plan import FIRST_UID

REFUSED = {
    "namespaces and mounts": """
def attack():
    machine = os.uname().machine
    unshare, setns, mount, pivot, clone = {"x86_64": (272, 308, 165, 155, 56), "aarch64": (97, 268, 40, 41, 220)}[machine]
    flags = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]
    results = [syscall(unshare, flag) for flag in flags]
    results += [syscall(clone, flag | 17, 0, 0, 0, 0) for flag in flags]
    results += [syscall(setns, 0, 0), syscall(mount, b"none", b"/tmp", b"tmpfs", 0, None), syscall(pivot, b"/", b"/")]
    results += [syscall(number, 0, 0, 0, 0, 0) for number in (428, 429, 430, 432, 442)]
    return results + ["EPERM" if syscall(435, None, 0) == "ENOSYS" else "clone3"]
""",
    "looking into others": """
def attack():
    ptrace, readv, kcmp = {"x86_64": (101, 310, 312), "aarch64": (117, 270, 272)}[os.uname().machine]
    parent = os.getppid() or 1
    return [
        syscall(ptrace, 16, REFEREE, 0, 0), syscall(ptrace, 0x4206, parent, 0, 0), syscall(ptrace, 0, 0, 0, 0),
        syscall(readv, REFEREE, 0, 0, 0, 0, 0), syscall(kcmp, REFEREE, os.getpid(), 0, 0, 0), syscall(438, 0, 0, 0),
    ]
""",
    "the machine itself": """
def attack():
    numbers = {
        "x86_64": (321, 298, 323, 250, 175, 313, 246, 169, 167, 163, 164, 227, 170, 103, 304, 300, 253),
        "aarch64": (280, 241, 282, 219, 105, 273, 104, 142, 224, 89, 170, 112, 161, 116, 265, 262, 26),
    }[os.uname().machine]
    return [syscall(number, 0, 0, 0, 0, 0) for number in numbers]
""",
}


def test_control_an_ordinary_user(box):
    attempt = box.run("def attack(): return [os.getuid(), os.geteuid(), os.getgid(), os.getgroups()]\n")
    uid, effective, _, groups = attempt.answer
    assert uid == effective != 0
    assert uid != 65534
    if os.getuid() == 0:
        assert uid >= FIRST_UID
        assert groups == []


@pytest.mark.skipif(os.getuid() != 0, reason="without root the box alone keeps programs of one user apart")
def test_two_programs_are_two_users(box):
    users = [box.run("def attack(): return os.getuid()\n").answer for _ in range(2)]
    assert users[0] != users[1]


def test_becoming_root(box):
    attempt = box.run(
        """
def attack():
    return [
        tried(os.setuid, 0), tried(os.setresuid, 0, 0, 0), tried(os.setgid, 0), tried(os.setgroups, [0]),
        tried(os.chroot, "/"), tried(os.nice, -5), libc.prctl(39, 0, 0, 0, 0),
    ]
"""
    )
    assert all(isinstance(word, str) for word in attempt.answer[:6]), attempt.answer
    assert attempt.answer[6] == 1  # no new privileges, for ever


def test_programs_of_root(box):
    attempt = box.run(
        """
def attack():
    import glob, subprocess
    programs = [path for path in glob.glob("/usr/bin/*") if os.stat(path).st_mode & 0o4000]
    results = [tried(lambda: subprocess.run([path, "-c", "id -u"], input=b"", capture_output=True, timeout=2).stdout.decode())
            for path in programs if path.endswith(("/su", "/sudo"))]
    return results
"""
    )
    assert "0\n" not in attempt.answer


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_calls_that_are_refused(box, body):
    assert set(box.run(body, REFEREE=os.getpid()).answer) == {"EPERM"}


def test_the_kernel_agrees(box):
    """What the kernel says of the process, seen from outside."""
    seen: list[str] = []

    def look(program) -> None:
        for place in Path("/proc").iterdir():
            if place.name.isdecimal() and box.token.encode() in _read(f"{place}/cmdline"):
                status = _read(f"{place}/status").decode()
                if "Seccomp:\t2" in status and "CapEff:\t0000000000000000" in status:
                    seen.append(status)

    box.run("def attack(): return 1\n", after=look)
    assert seen
    assert all("NoNewPrivs:\t1" in status and "CapPrm:\t0000000000000000" in status for status in seen)


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
