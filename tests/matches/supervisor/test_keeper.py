"""Nothing outlives its referee."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from matches.processes import wait_for, with_command

REFEREE = """\
import sys, time
from damas.arbiter import TimeControl
from damas.matches.box.limits import BoxLimits
from damas.matches.box.plan import launch_for
from damas.matches.supervisor.program import Program
launch = launch_for([sys.executable, sys.argv[1]], sys.argv[2], BoxLimits(), TimeControl.parse("1m"), 400)
program = Program(launch, BoxLimits())
program.ask(b"go\\n", time.monotonic() + 60)
print(launch.stage or "", flush=True)
time.sleep(60)
"""
BOT = """\
import os, sys, time
sys.stdin.readline()
if os.fork() == 0:
    try:
        os.setsid()
    except PermissionError:
        os.setpgid(0, 0)
    time.sleep(60)
print("up", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("tier", ["none", "bubblewrap", "landlock"])
def test_a_referee_killed_takes_its_programs_along(tmp_path, tier):
    from damas.matches.box.tiers import missing

    if tier != "none" and (why := missing(tier)):
        pytest.skip(f"not proved: {tier}: {why}")
    mark = f"orphan{os.getpid()}{time.monotonic_ns()}"
    bot = tmp_path / f"{mark}.py"
    bot.write_text(BOT)
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE, str(bot), tier], stdout=subprocess.PIPE, text=True
    )
    assert referee.stdout
    stage = referee.stdout.readline().strip()
    assert len(with_command(mark) - {referee.pid}) >= 2
    referee.send_signal(signal.SIGKILL)
    referee.wait()
    referee.stdout.close()
    wait_for(lambda: not with_command(mark))
    wait_for(lambda: not stage or not Path(stage).exists())
