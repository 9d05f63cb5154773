"""Ctrl-C, the end of a script and a watcher that asks too much: a search always ends before anything else goes on."""

import signal
import subprocess
import sys
import threading

import pytest

from damas.engine import Limits
from damas.game import Position
from matches.processes import wait_until_it_computes

START = Position.start("brasileira")
SOON = 60.0
"""Seconds for a process to end, on a busy machine."""


def script(body):
    head = (
        "import os, signal, sys, threading, time\n"
        "from damas import Position, Record\n"
        "from damas.engine import Engine, Limits\n"
        "start = Position.start('brasileira')\n"
        "def interrupt(after):\n"
        "    time.sleep(after)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", head + body], capture_output=True, text=True, timeout=SOON, check=False
    )


@pytest.mark.parametrize(("threads", "watcher"), [(1, "None"), (2, "lambda result: None")])
def test_an_interrupted_search_has_ended_and_the_engine_is_still_good(threads, watcher):
    done = script(
        f"engine = Engine('brasileira', threads={threads}, hash_mb=4, tables=False)\n"
        "for _ in range(3):\n"
        "    try:\n"
        "        threading.Thread(target=interrupt, args=(0.2,)).start()\n"
        f"        engine.search(start, Limits(movetime=600), watcher={watcher})\n"
        "    except KeyboardInterrupt:\n"
        "        print(engine.search(start, Limits(depth=3)).depth)\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["3"] * 3


def test_an_interrupt_that_nobody_catches_is_told_as_one():
    done = script(
        "threading.Thread(target=interrupt, args=(0.3,)).start()\n"
        "Engine('brasileira', threads=2, hash_mb=4).search(start, Limits(nodes=10**15))\n"
    )
    assert done.returncode == -signal.SIGINT
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.parametrize(
    "arguments",
    [
        ("best", "--movetime", "600000"),
        ("best", "--nodes", "1000000000000", "--threads", "2"),
    ],
)
def test_a_command_that_is_interrupted_prints_what_it_had_and_exits_130(arguments):
    process = subprocess.Popen(
        [sys.executable, "-m", "damas", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until_it_computes(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SOON)
    assert (process.returncode, err) == (130, "")
    assert out.startswith("brasileira") and out.count("\n") > 3


def test_ctrl_c_at_any_moment_leaves_an_engine_that_can_be_closed():
    done = script(
        "def search_on(engine):\n"
        "    while True: engine.search(start, Limits(nodes=20))\n"
        "signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))\n"
        "for moment in range(400):\n"
        "    engine = Engine('brasileira', hash_mb=1, tables=False)\n"
        "    try:\n"
        "        signal.setitimer(signal.ITIMER_REAL, 0.001 + moment * 0.00001)\n"
        "        search_on(engine)\n"
        "    except KeyboardInterrupt: engine.close()\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_whoever_waits_for_the_core_lets_others_go_on():
    done = script(
        "core = Engine('brasileira', hash_mb=1, tables=False)._core\n"
        "heard = []\n"
        "search = threading.Thread(target=core.search, args=(Record(start),), kwargs={'watcher': heard.append})\n"
        "search.start()\n"
        "while not heard: time.sleep(0.01)\n"
        "threading.Timer(0.5, core.stop).start()\n"
        "core.clear()\n"
        "search.join()\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_script_may_end_while_the_engine_thinks():
    done = script(
        "engine = Engine('brasileira', threads=2, hash_mb=4)\n"
        "heard = []\n"
        "engine.think(start, Limits(), watcher=heard.append)\n"
        "threading.Thread(target=Engine('brasileira').search, args=(start, Limits()), daemon=True).start()\n"
        "while not heard: time.sleep(0.01)\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_closing_ends_every_thought(engine):
    begun = threading.Event()
    thoughts = [engine.think(START, Limits(), watcher=lambda _: begun.set()) for _ in range(2)]
    assert begun.wait(SOON)
    engine.close()
    assert [thought.done for thought in thoughts] == [True, True]
    assert engine.search(START, Limits(depth=4)).depth == 4


@pytest.mark.parametrize(
    "ask",
    [
        lambda engine: engine.search(START, Limits(depth=1)),
        lambda engine: engine.think(START, Limits(depth=1)).wait(),
        lambda engine: engine.forget(),
        lambda engine: engine.standing(START),
        lambda engine: engine.close(),
    ],
)
@pytest.mark.parametrize("nodes", [1000, 10**6])
def test_a_watcher_that_asks_its_own_engine_is_told_so(engine, ask, nodes):
    with pytest.raises(RuntimeError, match="wait for itself"):
        engine.search(START, Limits(nodes=nodes, depth=9), watcher=lambda result: ask(engine))
    assert engine.search(START, Limits(depth=4)).depth == 4


def test_forgetting_waits_for_a_search_that_tells_its_watcher(engine):
    thinking = engine.think(START, Limits(movetime=0.3), watcher=lambda result: None)
    engine.forget()
    assert thinking.done


def test_a_finished_search_does_not_stop_the_next_one(engine):
    first = engine.think(START, Limits(nodes=10))
    first.wait()
    second = engine.think(START, Limits(nodes=300_000))
    first.stop()
    assert second.wait().nodes > 200_000
