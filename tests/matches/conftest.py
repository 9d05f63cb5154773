"""Programs that misbehave, a box to try them in, and a look at what they leave behind."""

import json
import secrets
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from damas.arbiter import TimeControl
from damas.matches.box.limits import BoxLimits
from damas.matches.box.plan import launch_for
from damas.matches.box.tiers import ORDER, missing
from damas.matches.faults import Fault
from damas.matches.supervisor.program import Program
from matches.processes import wait_for, with_command

CONTROL = TimeControl.parse("1s/move")
PRELUDE = """\
import ctypes, errno, json, os, signal, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)

def tried(call, *arguments):
    "What came of it: the value, or the name of the error."
    try:
        return call(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno, "?")
    except Exception as error:
        return type(error).__name__

def syscall(number, *arguments):
    answer = libc.syscall(number, *arguments)
    return errno.errorcode.get(ctypes.get_errno(), "?") if answer < 0 else answer

sys.stdin.readline()
print("ready", flush=True)
sys.stdin.readline()
"""
POSTLUDE = "\nprint(json.dumps(attack()), flush=True)\nsys.stdin.read()\n"
SCRIPT_PRELUDE = """\
const { spawn } = require("node:child_process");
const lines = require("node:readline").createInterface({ input: process.stdin });
let asked = 0;
lines.on("line", async () => {
  if (asked++ === 0) console.log("ready");
  else if (asked === 2) console.log(JSON.stringify(await attack()));
});
"""
C_PRELUDE = """\
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void attack(void);
int main(void) {
  char line[100];
  setbuf(stdout, NULL);
  if (!fgets(line, sizeof line, stdin)) return 1;
  puts("ready");
  if (!fgets(line, sizeof line, stdin)) return 1;
  attack();
  while (fgets(line, sizeof line, stdin)) {}
  return 0;
}
"""
NODE = shutil.which("node") or str(Path(sys.prefix) / "node")
CC = shutil.which("cc") or ""


class Ruler(threading.Thread):
    """Measures how busy the machine is while a test runs: naps and a little work, timed again and again."""

    NAP_S = 0.005
    WORK_S = 0.002

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.longest = 1.0
        """The longest round, as a multiple of the same round on an idle machine."""
        self.rounds = 0
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.is_set():
            began = time.monotonic()
            time.sleep(self.NAP_S)
            until = time.thread_time() + self.WORK_S
            while time.thread_time() < until:
                pass
            self.longest = max(self.longest, (time.monotonic() - began) / (self.NAP_S + self.WORK_S))
            self.rounds += 1

    def stop(self) -> None:
        self._stopped.set()
        self.join()


@pytest.fixture
def strain() -> Iterator[Callable[[], float]]:
    """How much longer something may take here than on an idle machine. What must not happen too soon is never stretched.

    Squared, because what is timed takes turns with other processes on both sides: the program's and the keeper's.
    """
    ruler = Ruler()
    ruler.start()

    def factor() -> float:
        wait_for(lambda: ruler.rounds > 5)
        return ruler.longest**2

    yield factor
    ruler.stop()


@dataclass
class Attempt:
    """What came of a program that tried something."""

    fault: Fault | None
    answer: Any
    """Its answer, as JSON."""
    seconds: float
    """From the question to the answer or the verdict."""
    stderr: bytes

    @property
    def verdict(self) -> str:
        return self.fault.code if self.fault else ""


@dataclass
class Box:
    """Runs one program in a tier, with one question, kills what is left of it, and checks that nothing is."""

    tier: str
    folder: Path
    strain: Callable[[], float]
    stages: list[Path] = field(default_factory=list)
    sources: list[Path] = field(default_factory=list)
    """Files that the test itself has written."""
    token: str = field(default_factory=lambda: f"attack{secrets.token_hex(6)}")

    def run(
        self,
        body: str,
        *,
        seconds: float = 10.0,
        limits: BoxLimits | None = None,
        question: bytes = b"go\n",
        after: Callable[[Program], None] | None = None,
        **facts: object,
    ) -> Attempt:
        """The body, in Python, defines `attack()`, whose value is the answer; `facts` are names it finds."""
        facts_text = "".join(
            f"{name} = {value!r}\n" for name, value in {**facts, "TOKEN": self.token}.items()
        )
        path = self._source(".py", facts_text + PRELUDE + body + POSTLUDE)
        return self.run_program(
            [sys.executable, str(path)], seconds=seconds, limits=limits, question=question, after=after
        )

    def run_script(self, body: str, **options: Any) -> Attempt:
        """The same for JavaScript."""
        if not Path(NODE).exists():
            pytest.skip("not proved: no node")
        path = self._source(".js", SCRIPT_PRELUDE + body)
        return self.run_program([NODE, str(path)], **options)

    def run_c(self, body: str, **options: Any) -> Attempt:
        """The same for C, where `attack()` prints its answer."""
        if not CC:
            pytest.skip("not proved: no C compiler")
        path, program = self._source(".c", C_PRELUDE + body), self._source("", "")
        subprocess.run([CC, "-O1", "-o", program, path], check=True, capture_output=True)
        return self.run_program([str(program)], **options)

    def _source(self, ending: str, text: str) -> Path:
        path = self.folder / f"{self.token}{ending}"
        path.write_text(text)
        self.sources.append(path)
        return path

    def run_program(
        self,
        command: list[str],
        *,
        seconds: float = 10.0,
        limits: BoxLimits | None = None,
        question: bytes = b"go\n",
        after: Callable[[Program], None] | None = None,
    ) -> Attempt:
        """Any command that answers a first line with `ready`, and a second one as it likes."""
        limits = limits or BoxLimits()
        launch = launch_for(command, self.tier, limits, CONTROL, 400)
        if launch.stage:
            self.stages.append(launch.stage)
        program = Program(launch, limits)
        fault, line, began = None, b"", time.monotonic()
        try:
            program.begin_turn()
            assert program.ask(b"hello\n", time.monotonic() + 60) == b"ready"
            program.begin_turn()
            began = time.monotonic()
            line = program.ask(question, began + seconds, began)
            if after:
                after(program)
        except Fault as raised:
            fault = raised
        finally:
            spent = time.monotonic() - began
            program.close()
        # Whatever the verdict was, the tree is dead half a second after it.
        assert program.left == 0 and program.killed_ms <= 500 * self.strain()
        return Attempt(fault, json.loads(line) if line else None, spent, program.stderr())

    def left_behind(self) -> list[str]:
        """Processes, files and sockets that bear this program's token."""
        mark = self.token.encode()
        leftovers = [str(stage) for stage in self.stages if stage.exists()]
        leftovers += [f"process {pid}" for pid in with_command(self.token)]
        for place in (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.home(), self.folder):
            listed = place.iterdir() if place.is_dir() else ()
            leftovers += [str(p) for p in listed if self.token in p.name and p not in self.sources]
        for table in ("unix", "tcp", "udp"):
            text = Path(f"/proc/net/{table}").read_bytes()
            if mark in text:
                leftovers.append(f"socket in {table}")
        return leftovers


@pytest.fixture(params=ORDER)
def tier(request: pytest.FixtureRequest) -> str:
    """Each tier there is; one that this machine cannot run is not proved."""
    why = missing(request.param)
    if why:
        pytest.skip(f"not proved: {request.param}: {why}")
    return str(request.param)


@pytest.fixture
def box(tier: str, tmp_path: Path, strain: Callable[[], float]) -> Iterator[Box]:
    """A box that must be empty when the test is over."""
    box = Box(tier, tmp_path, strain)
    yield box
    deadline = time.monotonic() + 60
    while (left := box.left_behind()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == []
