"""What one program does costs no other its time."""

import os
import time

from damas.matches.box.plan import NICE
from matches.bots import FRAME, play_game
from matches.processes import stat_of, with_command

SPIN = """
def attack():
    for _ in range(6):
        if os.fork() == 0:
            while True: pass
    return "spinning"
"""


def test_control_a_program_that_waits_is_left_alone(box):
    """One that rests between its turns is never stopped: it answers the next question as the first."""

    def next_turn(program):
        program.end_turn()
        time.sleep(0.1)
        program.begin_turn()
        assert program.ask(b"again\n", time.monotonic() + 60) == b"again"

    attempt = box.run(
        "def attack():\n    print(json.dumps('first'), flush=True)\n    sys.stdin.readline()\n"
        "    print('again', flush=True)\n    sys.stdin.read()\n",
        after=next_turn,
    )
    assert (attempt.verdict, attempt.answer) == ("", "first")


def test_computing_out_of_turn_is_stopped(box):
    used = []

    def wait(program):
        program.end_turn()
        before = _busy(box.token)
        time.sleep(0.4)
        used.append(_busy(box.token) - before)
        program.begin_turn()
        deadline = time.monotonic() + 60
        while _busy(box.token) - before < used[0] + 0.1 and time.monotonic() < deadline:
            time.sleep(0.02)
        used.append(_busy(box.token) - before - used[0])

    attempt = box.run(SPIN, after=wait)
    assert attempt.answer == "spinning"
    assert used[0] < 0.3  # on two cores it could have had twice as much and more
    assert used[1] > 0.05  # in its turn it goes on


def test_the_opponents_clock_is_undisturbed(tmp_path, tier):
    hog = tmp_path / "hog.py"
    forks = "[os.fork() or exec('while True: pass') for _ in range(4)]"
    hog.write_text(FRAME.format(habit=f"print(legal(message), flush=True); {forks}"))
    honest = tmp_path / "honest.py"
    work = "began = time.process_time()\n        while time.process_time() < began + 0.08: pass\n        print(legal(message), flush=True)"
    honest.write_text(FRAME.format(habit=work))
    result = play_game(str(hog), str(honest), control="5s/move", tier=tier, max_plies=6)
    assert result.offender in (None, "white")
    assert result.reason in ("LENGTH", "PROCESSES")


def test_no_program_takes_a_larger_share_of_the_processors(box):
    """Many sessions would have many shares; and a core that is kept free stays free."""
    attempt = box.run(
        """
def attack():
    def write(text):
        with open("/proc/self/autogroup", "w") as file:
            file.write(text)
    return [
        tried(os.setsid), tried(os.sched_setaffinity, 0, range(64)), tried(os.setpriority, os.PRIO_PROCESS, 0, 0),
        tried(os.sched_setscheduler, 0, os.SCHED_OTHER, os.sched_param(0)), tried(write, "0"), os.getpriority(os.PRIO_PROCESS, 0),
        os.path.exists("/proc/self/autogroup") and open("/proc/self/autogroup").read().split()[-1],
    ]
""",
    )
    assert attempt.answer[:4] == ["EPERM"] * 4
    assert attempt.answer[4] in ("EROFS", "EACCES", "ENOENT", "FileNotFoundError")
    niceness = os.nice(0) + NICE
    assert attempt.answer[5] == niceness
    assert attempt.answer[6] in (False, str(niceness // 2))


def _busy(mark: str) -> float:
    """Seconds of computing of all processes that bear a mark."""
    fields = (stat_of(pid) for pid in with_command(mark))
    return sum(int(each[11]) + int(each[12]) for each in fields if each) / os.sysconf("SC_CLK_TCK")
