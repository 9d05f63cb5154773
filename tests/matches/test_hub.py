"""Programs that speak Hub as players: kept from game to game, faulted by what they do, and never left behind."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from damas.arbiter import TimeControl
from damas.engine import Limits
from damas.matches import Entrant, Start, Terms, play
from damas.matches.match import play_match
from damas.matches.players import IdlePlayers
from matches.processes import is_running, wait_for

OURS = [sys.executable, "-m", "damas", "hub", "-r", "brasileira", "--hash", "1"]
NO_CLOCK = TimeControl.parse("none")
GREEDY = Entrant.parse("greedy")
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


def program(folder, body, *, first="", last=""):
    """An engine of a few lines that greets as it should and answers `go` with the body."""
    path = folder / "engine.py"
    path.write_text(
        first + "import sys, time\n"
        "def say(text): print(text, flush=True)\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'hub': say('id name=fake version=1'); say('wait')\n"
        "    elif word == 'init': say('ready')\n"
        "    elif word == 'quit': break\n"
        "    elif word == 'go':\n" + "".join(f"        {line}\n" for line in body.splitlines()) + last
    )
    return [sys.executable, str(path)]


def hub(command):
    return Entrant.parse(f"hub:{shlex.join(command)}", trusted=True)


def terms(book="brasileira", **options):
    return Terms(book, NO_CLOCK, **{"think": Limits(nodes=50), **options})


def test_our_own_program_plays_a_game():
    result = play(hub(OURS), GREEDY, Start(), terms())
    assert result.offender is None and result.points == 1.0 and result.tiers["white"] == "none"


def test_a_program_that_knows_the_rulebook_is_told_to_play_by_it():
    international = hub([sys.executable, "-m", "damas", "hub", "--hash", "1"])
    assert play(international, GREEDY, Start(), terms("portuguesa", max_plies=4)).offender is None
    # A parameter that asks for another one wins; the engine's own complaint is reported.
    result = play(international, GREEDY, Start(), terms("portuguesa", params=("rulebook=internacional",)))
    assert (result.reason, result.offender) == ("INVALID_MOVE", "white")
    assert result.receipt["detail"].startswith("no move (the last position was refused")


@pytest.mark.parametrize(
    ("body", "code", "detail"),
    [
        ("sys.exit(3)", "CRASH", "exit code 3"),
        ("time.sleep(60)", "TIMEOUT", "no answer"),
        ("say('done move=1-2')", "INVALID_MOVE", "hub 1-2"),
        ("say('done')", "INVALID_MOVE", "no move"),
        ("say('done move=' + 'x' * 100)", "INVALID_MOVE", "hub xxx"),
        ("while True: say('info depth=1')", "T", ""),
        ("sys.stdout.write('x' * 1000000); sys.stdout.flush(); time.sleep(60)", "TOO_MUCH_OUTPUT", "line"),
        ("sys.stdout.buffer.write(bytes(range(128, 256)) + b'\\n'); sys.exit(0)", "CRASH", "exit code 0"),
        ("say('done move=1-2\\ndone move=1-2')", "DOUBLE_ANSWER", ""),
    ],
)
def test_a_bad_program_forfeits_with_the_reason(tmp_path, body, code, detail):
    """One that talks without end is late or too loud, whichever comes first."""
    think = Limits(movetime=0.2)
    result = play(hub(program(tmp_path, body)), GREEDY, Start(), terms(think=think, grace_s=0.3))
    assert result.reason.startswith(code) and result.offender == "white"
    assert detail in result.receipt["detail"]


def test_the_time_of_a_fault_is_the_programs_alone(tmp_path):
    """This one needs a while to start, answers at once, and does not leave when it is asked to."""
    slow = program(
        tmp_path, "say('done move=1-2')", first="import time; time.sleep(0.5)\n", last="time.sleep(60)\n"
    )
    began = time.monotonic()
    result = play(hub(slow), GREEDY, Start(), terms(think=Limits(movetime=60)))
    assert result.receipt["seconds"] < time.monotonic() - began - 0.4, "its start is not counted"


def test_a_trusted_program_is_started_once_and_told_of_each_game(tmp_path):
    log = tmp_path / "log"
    logged = ["sh", "-c", f"tee {shlex.quote(str(log))} | {shlex.join(OURS)}"]
    score = play_match(GREEDY, hub(logged), terms(think=Limits(nodes=10)), pairs=2)
    assert score.games == 4
    words = [line.split()[0] for line in log.read_text().splitlines()]
    assert words.count("new-game") == 4 and words.count("init") == 1
    assert words.index("new-game") < words.index("pos") and words[-1] == "quit"


@needs_proc
def test_a_program_that_dies_between_games_is_started_again(tmp_path):
    pids = tmp_path / "pids"
    first_line = f"import os; open({str(pids)!r}, 'a').write(f'{{os.getpid()}} ')\n"
    engine = hub(program(tmp_path, "pass", first=first_line))
    opponent = Entrant.parse("moves:nothing")  # which loses at once
    with IdlePlayers() as idle:
        assert play(opponent, engine, Start(), terms(), idle=idle).offender == "white"
        os.kill(int(pids.read_text()), signal.SIGKILL)
        [player] = idle._idle.values()
        wait_for(lambda: not player.program.running)
        assert play(opponent, engine, Start(), terms(), idle=idle).offender == "white"
    first, second = map(int, pids.read_text().split())
    assert first != second and has_ended(second)


def pid_in(path):
    wait_for(lambda: path.exists() and path.read_text().strip().isdecimal())
    return int(path.read_text())


def has_ended(pid):
    wait_for(lambda: not is_running(pid))
    return True


def wrapped(tmp_path, body="say('done move=1-2')"):
    """A shell script that starts an engine, which does not leave when its input is closed; and where its pid is."""
    log = tmp_path / "pid"
    first = f"import os; open({str(log)!r}, 'w').write(str(os.getpid()))\n"
    inner = program(tmp_path, body, first=first, last="time.sleep(60)\n")
    script = tmp_path / "wrapper.sh"
    script.write_text(f"#!/bin/sh\n{shlex.join(inner)}\nexit 0\n")
    script.chmod(0o755)
    return str(script), log


@needs_proc
def test_a_program_behind_a_wrapper_ends_with_it(tmp_path):
    script, log = wrapped(tmp_path)
    assert play(hub([script]), GREEDY, Start(), terms()).reason == "INVALID_MOVE"
    assert has_ended(pid_in(log))


@needs_proc
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_the_programs_of_a_match(tmp_path, jobs):
    script, log = wrapped(tmp_path, "time.sleep(60)")
    command = [sys.executable, "-m", "damas", "match", "greedy", f"hub:{script}", "--movetime", "60000"]
    process = subprocess.Popen([*command, "--games", "18", "--jobs", jobs], start_new_session=True)
    other = pid_in(log)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(60) == 130
    assert has_ended(other)


@needs_proc
def test_a_script_that_ends_without_closing_leaves_no_program(tmp_path):
    script, log = wrapped(tmp_path)
    body = (
        "from damas.arbiter import TimeControl\n"
        "from damas.board import Color\n"
        "from damas.matches import Start, Terms\n"
        "from damas.matches.hub.player import HubPlayer\n"
        "from damas.matches.referee import open_table\n"
        "terms = Terms('brasileira', TimeControl.parse('none'))\n"
        f"player = HubPlayer([{script!r}], 'none', terms)\n"
        "player.greet(open_table(Start(), terms), Color.WHITE, 'x')\n"
        "raise KeyboardInterrupt\n"
    )
    done = subprocess.run([sys.executable, "-c", body], capture_output=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGINT
    assert has_ended(pid_in(log))


def test_a_program_that_says_nothing_or_ends_is_not_ready(tmp_path, monkeypatch):
    monkeypatch.setattr("damas.matches.programs.program_player.START_TIMEOUT_S", 0.5)
    (tmp_path / "silent.py").write_text("import time; time.sleep(60)\n")
    (tmp_path / "ends.py").write_text("")
    for name, detail in (("silent.py", "no answer"), ("ends.py", "exit code 0")):
        result = play(GREEDY, hub([sys.executable, str(tmp_path / name)]), Start(), terms())
        assert (result.reason, result.offender) == ("NOT_READY", "black")
        assert result.receipt["detail"] == detail


def test_a_trusted_engine_has_the_environment_but_not_our_token(tmp_path, monkeypatch):
    monkeypatch.setenv("ENGINE_HOME", "/opt/engine")
    monkeypatch.setenv("DAMAS_ARENA_TOKEN", "secret")
    first = "import os, sys\nif 'ENGINE_HOME' not in os.environ or 'DAMAS_ARENA_TOKEN' in os.environ: sys.exit(3)\n"
    engine = hub(program(tmp_path, "say('done move=1-2')", first=first))
    assert play(engine, GREEDY, Start(), terms()).reason == "INVALID_MOVE"  # not NOT_READY


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_trusted_engine_may_print_as_much_as_it_likes(tmp_path, stream):
    body = f"for _ in range(2000): print('info ' + 'x' * 1000, file=sys.{stream}, flush=True)\nsay('done move=1-2')"
    assert play(hub(program(tmp_path, body)), GREEDY, Start(), terms()).reason == "INVALID_MOVE"


class IdlePlayer:
    reusable, closed = True, False

    def close(self):
        self.closed = True


@pytest.mark.parametrize(
    ("kind", "alone", "stays"),
    [("dxp:localhost:5000", True, True), ("dxp:localhost:5000", False, False), ("hub:true", False, True)],
)
def test_a_dxp_program_is_not_kept_from_other_processes(kind, alone, stays):
    entrant, player = Entrant.parse(kind, trusted=True), IdlePlayer()
    with IdlePlayers(alone=alone) as players:
        players.give_back(entrant, player)
        assert player.closed is not stays
    assert player.closed
