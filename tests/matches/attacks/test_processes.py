"""Number bounded; every descendant, however detached, dead half a second after the verdict."""

from damas.matches.box.limits import BoxLimits

FEW = BoxLimits(processes=6, threads=24)


def test_control_a_few_children_are_allowed(box, contained):
    attempt = box.run(
        """
def attack():
    import subprocess
    children = [subprocess.Popen([sys.executable, "-c", "print(6 * 7)"], stdout=subprocess.PIPE) for _ in range(3)]
    return [int(child.communicate()[0]) for child in children]
"""
    )
    assert (attempt.verdict, attempt.said) == ("", [42, 42, 42])
    contained(attempt)


def test_fork_bomb(box, contained):
    attempt = box.run(
        """
def attack():
    while True:
        tried(os.fork)
""",
        limits=FEW,
    )
    assert attempt.verdict == "PROCESSES"
    contained(attempt)


def test_runner_that_forks_and_dies_for_ever(box, contained):
    attempt = box.run(
        """
def attack():
    if os.fork():
        time.sleep(0.3)
        return "left it running"
    while True:
        if os.fork():
            os._exit(0)
""",
        limits=FEW,
    )
    assert attempt.said == "left it running" or attempt.verdict == "PROCESSES"
    contained(attempt)


def test_daemon_that_has_left_its_session(box, contained):
    attempt = box.run(
        """
def attack():
    for number in range(1, 65):
        if number not in (9, 19, 32, 33):
            tried(signal.signal, number, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.setsid()
        os.close(0); os.close(1); os.close(2)
        libc.prctl(15, b"sshd", 0, 0, 0)
        time.sleep(60)
    time.sleep(0.1)
    return "daemon"
"""
    )
    assert attempt.said == "daemon"
    contained(attempt)


def test_program_that_makes_itself_a_reaper(box, contained):
    attempt = box.run(
        """
def attack():
    libc.prctl(36, 1, 0, 0, 0)
    for _ in range(3):
        if os.fork() == 0:
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
    return "reaper"
"""
    )
    assert attempt.said == "reaper"
    contained(attempt)


def test_child_that_holds_the_pipe_when_its_parent_dies(box, contained):
    attempt = box.run(
        """
def attack():
    if os.fork():
        os._exit(3)
    time.sleep(60)
""",
        seconds=20,
    )
    assert attempt.verdict == "CRASH"
    assert attempt.seconds < 10
    contained(attempt)


def test_threads_are_bounded(box, contained):
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
    assert attempt.said is not None and attempt.said <= 24
    contained(attempt)
