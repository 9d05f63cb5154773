"""It cannot signal or stop anything outside its box."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def victim():
    """Another process of the referee's user."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    yield process
    assert process.poll() is None
    assert Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "T"
    process.kill()
    process.wait()


def test_control_signals_within_the_program(box):
    attempt = box.run(
        """
def attack():
    got = []
    signal.signal(signal.SIGUSR1, lambda *_: got.append("self"))
    os.kill(os.getpid(), signal.SIGUSR1)
    child = os.fork()
    if child == 0:
        time.sleep(60)
    os.kill(child, signal.SIGKILL)
    return got + [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]
"""
    )
    assert attempt.answer == ["self", -9]


ATTEMPTS = {
    "one by one": """
def attack():
    targets = [VICTIM, REFEREE, -REFEREE, 1] + ([os.getppid()] if os.getppid() > 1 else [])
    if os.getppid() in (0, 1):
        targets.remove(1)  # the first process of its own box
    return [tried(os.kill, pid, number) for pid in targets for number in (0, signal.SIGSTOP, signal.SIGKILL)]
""",
    "by descriptor and by thread": """
def attack():
    tgkill = {"x86_64": 234, "aarch64": 131}[os.uname().machine]
    fd = tried(os.pidfd_open, VICTIM)
    by_fd = tried(signal.pidfd_send_signal, fd, signal.SIGKILL) if type(fd) is int else fd
    return [by_fd, syscall(tgkill, VICTIM, VICTIM, 9), tried(os.killpg, PGRP, 9)]
""",
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_signals_to_others(box, victim, name):
    attempt = box.run(ATTEMPTS[name], VICTIM=victim.pid, REFEREE=os.getpid(), PGRP=os.getpgrp())
    refusals = {"EPERM", "ESRCH", "EINVAL"} if "descriptor" in name else {"EPERM", "ESRCH"}
    assert set(attempt.answer) <= refusals


def test_everybody_at_once(box, victim):
    attempt = box.run(
        """
def attack():
    if os.fork() == 0:
        tried(os.kill, -1, signal.SIGSTOP)
        tried(os.kill, -1, signal.SIGKILL)
        os._exit(0)
    time.sleep(1)
    return "survived"
""",
    )
    assert attempt.verdict in ("CRASH", "TIMEOUT", "") or attempt.answer == "survived"


def test_slowing_down_the_referee(box):
    affinity, nice = os.sched_getaffinity(0), os.getpriority(os.PRIO_PROCESS, 0)
    attempt = box.run(
        """
def attack():
    import resource
    return [
        tried(os.sched_setaffinity, REFEREE, {0}), tried(os.setpriority, os.PRIO_PROCESS, REFEREE, 19),
        tried(os.setpriority, os.PRIO_USER, 0, 19), tried(resource.prlimit, REFEREE, resource.RLIMIT_CPU, (0, 0)),
        tried(os.sched_setscheduler, REFEREE, os.SCHED_IDLE, os.sched_param(0)),
    ]
""",
        REFEREE=os.getpid(),
    )
    assert all(isinstance(word, str) for word in attempt.answer), attempt.answer
    assert (os.sched_getaffinity(0), os.getpriority(os.PRIO_PROCESS, 0)) == (affinity, nice)
