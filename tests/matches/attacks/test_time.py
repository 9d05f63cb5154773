"""A verdict at the deadline, whatever the program does or fails to do; never before it."""

import pytest

LIMIT = 0.3
LATE = 0.2
"""What S4 allows between the limit and the verdict."""


def test_control_an_honest_program_that_thinks_all_its_time(box):
    """All its time, on every thread it has, is never too much."""
    attempt = box.run(
        """
def attack():
    until = time.monotonic() + 0.7
    def think():
        while time.monotonic() < until:
            pass
    threads = [threading.Thread(target=think) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return "thought"
""",
        seconds=60,
    )
    assert (attempt.verdict, attempt.answer) == ("", "thought")


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(60)",
        "while True: pass",
        "while True: os.write(1, b'x'); time.sleep(0.01)",
        "while True: os.write(2, b'x\\n'); time.sleep(0.01)",
        "while True: os.write(1, b'\\n'); time.sleep(0.01)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); time.sleep(60)",
        "[os.fork() for _ in range(2)]; time.sleep(60)",
    ],
    ids=["sleeper", "spinner", "dripper", "mumbler", "blanks", "stopped", "deaf", "family"],
)
def test_late(box, strain, body):
    attempt = box.run(f"def attack():\n    {body}\n", seconds=LIMIT)
    assert attempt.verdict == "TIMEOUT"
    assert LIMIT <= attempt.seconds <= LIMIT + LATE * strain()


def test_a_program_that_does_not_read(box, strain):
    """A question larger than any pipe: the referee does not wait for it to be read."""
    attempt = box.run(
        "def attack():\n    time.sleep(60)\n", seconds=LIMIT, question=b"go\n" + b"x" * (4 << 20)
    )
    assert attempt.verdict == "TIMEOUT"
    assert attempt.fault and attempt.fault.detail == "does not read"
    assert LIMIT <= attempt.seconds <= LIMIT + LATE * strain()


def test_a_program_that_closes_its_pipes(box, strain):
    attempt = box.run(
        "def attack():\n    os.close(0); os.close(1)\n    time.sleep(60)\n",
        seconds=LIMIT,
        question=b"go\n" * 100_000,
    )
    # In bubblewrap the first process of the box holds the pipes too: there only the deadline tells.
    assert attempt.verdict == ("CRASH" if box.tier == "landlock" else "TIMEOUT")
    assert attempt.seconds <= LIMIT + LATE * strain()
