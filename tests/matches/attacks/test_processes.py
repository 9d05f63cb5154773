"""Number bounded; every descendant, however detached, dead half a second after the verdict."""

import pytest

from damas.matches.box.limits import BoxLimits

FEW = BoxLimits(processes=6, threads=24)
DETACHED = {
    "runner that forks and dies for ever": """
def attack():
    if os.fork():
        time.sleep(0.3)
        return "answer"
    while True:
        if os.fork():
            os._exit(0)
""",
    "daemon that leaves its session if it can": """
def attack():
    for number in range(1, 65):
        if number not in (9, 19, 32, 33):
            tried(signal.signal, number, signal.SIG_IGN)
    if os.fork() == 0:
        tried(os.setsid)
        if os.fork():
            os._exit(0)
        tried(os.setpgid, 0, 0)
        os.close(0); os.close(1); os.close(2)
        libc.prctl(15, b"sshd", 0, 0, 0)
        time.sleep(60)
    time.sleep(0.1)
    return "answer"
""",
    "program that makes itself a reaper": """
def attack():
    libc.prctl(36, 1, 0, 0, 0)
    for _ in range(3):
        if os.fork() == 0:
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
    return "answer"
""",
}


def test_control_a_few_children_are_allowed(box):
    attempt = box.run(
        """
def attack():
    import subprocess
    children = [subprocess.Popen([sys.executable, "-c", "print(6 * 7)"], stdout=subprocess.PIPE) for _ in range(3)]
    return [int(child.communicate()[0]) for child in children]
"""
    )
    assert (attempt.verdict, attempt.answer) == ("", [42, 42, 42])


def test_fork_bomb(box):
    attempt = box.run("def attack():\n    while True:\n        tried(os.fork)\n", limits=FEW)
    assert attempt.verdict == "PROCESSES"


@pytest.mark.parametrize("name", DETACHED)
def test_detached_processes_end_with_their_program(box, name):
    for_ever = "for ever" in name
    attempt = box.run(DETACHED[name], limits=FEW if for_ever else BoxLimits())
    assert attempt.answer == "answer" or (for_ever and attempt.verdict == "PROCESSES")


def test_child_that_holds_the_pipe_when_its_parent_dies(box):
    attempt = box.run(
        "def attack():\n    if os.fork():\n        os._exit(3)\n    time.sleep(60)\n", seconds=20
    )
    assert attempt.verdict == "CRASH"
    assert attempt.seconds < 10


def test_threads_are_bounded(box):
    attempt = box.run(
        """
def attack():
    started = 0
    while started < 400:
        try:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError:
            break
        started += 1
    return started
""",
        limits=FEW,
    )
    assert attempt.answer is not None and attempt.answer <= 24
