"""The referee's side of the pipes."""

import os
import signal
import sys
import threading
import time
from contextlib import closing

import pytest

from damas.arbiter import TimeControl
from damas.matches import BoxLimits, referee
from damas.matches.box.plan import launch_for
from damas.matches.faults import Fault
from damas.matches.supervisor.program import Launch, Program
from matches.bots import play_game, write
from matches.processes import is_running, stat_of, wait_for, with_command

ONE = TimeControl.parse("1s/move")


def started(tmp_path, source):
    path = tmp_path / "program.py"
    path.write_text(source)
    return Program(launch_for([sys.executable, str(path)], "none", BoxLimits(), ONE, 400), BoxLimits())


def soon(seconds=60.0):
    return time.monotonic() + seconds


def test_questions_and_answers(tmp_path):
    echo = "import sys\nfor line in sys.stdin: print(line.upper(), end='', flush=True)\n"
    with closing(started(tmp_path, echo)) as program:
        assert program.ask(b"one\n", soon()) == b"ONE"
        program.begin_turn()
        assert program.early() == b""
        assert program.ask(b"two\n", soon()) == b"TWO"
        assert program.pending == b""
    assert program.left == 0


def test_a_control_group_that_cannot_be_made_is_a_reason_not_to_start(tmp_path):
    group = {"parent": str(tmp_path / "nowhere"), "name": "program", "files": {}}
    with closing(Program(Launch([sys.executable, "-c", ""], {}, group=group), BoxLimits())) as program:
        with pytest.raises(Fault, match="nowhere/program") as fault:
            program.ask(b"go\n", soon())
        assert fault.value.code == "NOT_READY"
    assert program.left == 0


@pytest.mark.parametrize("limits", [{"memory": 1 << 30}, {"processes": 8}])
def test_one_limit_without_the_other(limits):
    code = "import sys\nfor line in sys.stdin: print('yes', flush=True)"
    with closing(Program(Launch([sys.executable, "-c", code], {}, **limits), BoxLimits())) as program:
        for _ in range(3):
            assert program.ask(b"there?\n", soon()) == b"yes"
            time.sleep(0.05)  # the keeper checks meanwhile


@pytest.mark.parametrize("limits", [{"memory": 1 << 30}, {"processes": 8}])
def test_computing_out_of_turn_is_stopped_under_either_limit(limits):
    code = "import os\nprint(os.getpid(), flush=True)\nwhile True: pass"
    with closing(Program(Launch([sys.executable, "-c", code], {}, **limits), BoxLimits())) as program:
        pid = int(program.ask(b"", soon()))
        program.end_turn()
        wait_for(lambda: stat_of(pid)[0] == "T")
        program.begin_turn()
        wait_for(lambda: stat_of(pid)[0] == "R")


def test_a_large_question_and_a_large_answer_cross(tmp_path):
    """Each side writes more than a pipe holds before it reads: nobody waits for the other."""
    body = "import sys\nsys.stdout.write('x' * 60_000 + '\\n')\nsys.stdout.flush()\nsys.stdin.read(300_000)\n"
    with closing(started(tmp_path, body)) as program:
        assert program.ask(b"y" * 300_000, soon()) == b"x" * 60_000


def test_a_program_that_cannot_be_started(tmp_path):
    nothing = tmp_path / "nothing"
    nothing.write_text("")
    for argv in ([str(tmp_path / "missing")], [str(nothing)]):
        with closing(Program(Launch(argv, {}), BoxLimits())) as program, pytest.raises(Fault) as fault:
            program.ask(b"", soon())
        assert fault.value.code == "NOT_READY"
        assert program.left == 0


def test_an_answer_that_came_before_the_end_counts(tmp_path):
    with closing(started(tmp_path, "print('last words', flush=True)\n")) as program:
        assert program.ask(b"", soon()) == b"last words"
        with pytest.raises(Fault) as fault:
            program.ask(b"", soon())
    assert (fault.value.code, fault.value.detail) == ("CRASH", "exit code 0")


def test_the_end_of_input_is_seen_and_half_a_second_is_given(tmp_path):
    program = started(tmp_path, "import sys\nprint('up', flush=True)\nsys.stdin.read()\n")
    program.ask(b"", soon())
    program.leave(b"bye\n", seconds=10)
    assert program._status.exited == 0
    program.close()
    stubborn = started(tmp_path, "import time\nprint('up', flush=True)\ntime.sleep(60)\n")
    stubborn.ask(b"", soon())
    began = time.monotonic()
    stubborn.leave(b"bye\n")
    assert time.monotonic() - began >= 0.4
    assert stubborn._status.exited is None
    stubborn.close()
    assert stubborn.left == 0


def test_stderr_is_a_ring(tmp_path):
    body = "import os\nfor n in range(30): os.write(2, (b'%06d\\n' % n) * 1000)\nprint('up', flush=True)\n"
    with closing(started(tmp_path, body)) as program:
        program.ask(b"", soon())
    assert len(program.stderr()) <= 64 * 1024
    assert program.stderr().endswith(b"000029\n")


def test_a_keeper_that_dies_is_an_error_of_ours_and_takes_its_program_along(tmp_path):
    program = started(tmp_path, "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)\n")
    pid = int(program.ask(b"", soon()))
    program._keeper.kill()
    with pytest.raises(RuntimeError, match="keeper is gone"):
        program.ask(b"x\n", soon())
    program.close()
    wait_for(lambda: not is_running(pid))


def test_an_exit_that_the_keeper_reports_late_is_still_an_exit(tmp_path):
    body = "import sys\nprint('up', flush=True)\nsys.stdin.readline()\nsys.exit(3)\n"
    with closing(started(tmp_path, body)) as program:
        assert program.ask(b"", soon()) == b"up"
        program._keeper.send_signal(signal.SIGSTOP)
        threading.Timer(1, program._keeper.send_signal, [signal.SIGCONT]).start()
        with pytest.raises(Fault) as fault:
            program.ask(b"go\n", soon())
    assert (fault.value.code, fault.value.detail) == ("CRASH", "exit code 3")


def test_nothing_leaks_from_game_to_game(tmp_path):
    bot = write(tmp_path, "resigner")
    play_game(bot, bot, trusted=True)
    before = sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for _ in range(3):
        assert play_game(bot, bot, trusted=True).reason == "RESIGNATION"
    assert sorted(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_an_interrupted_game_leaves_nothing(tmp_path, monkeypatch):
    path = tmp_path / "bot.py"
    path.write_text('import time\nprint(\'{"type": "ready"}\', flush=True)\ntime.sleep(60)\n')

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(referee._Referee, "_turn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play_game(str(path), trusted=True)
    assert not with_command(str(path))
