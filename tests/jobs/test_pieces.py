"""Pieces of work on processors of this machine: order, errors, deaths, and going on."""

import itertools
import os
import signal
import subprocess
import sys
from pickle import PicklingError

import pytest

from damas.errors import BadLedger, PieceLost
from damas.jobs import Calls, Ledger, run_pieces
from damas.jobs.local import LocalWorkers, PieceFailed
from damas.jobs.pieces import MAX_AHEAD
from jobs import pieces


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_pieces(jobs):
    finished = []
    results = list(run_pieces(pieces.slow_first, range(6), jobs=jobs, report=finished.append))
    assert results == [(number, number) for number in range(6)]
    assert finished == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("jobs", [1, 2])
def test_equal_pieces_have_a_result_each(jobs):
    results = list(run_pieces(pieces.square, [3, 3, 2, 3], jobs=jobs))
    assert results == [(3, 9), (3, 9), (2, 4), (3, 9)]


def test_nothing_is_begun_after_the_last_result_that_is_wanted():
    taken = []

    def endless():
        for number in itertools.count():
            taken.append(number)
            yield number

    wanted = itertools.islice(run_pieces(pieces.square, endless(), jobs=2), 5)
    assert [result for _, result in wanted] == [0, 1, 4, 9, 16]
    assert len(taken) <= 5 + 2 + MAX_AHEAD


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_error_of_a_piece_is_raised(jobs):
    with pytest.raises(ValueError, match="three"):
        list(run_pieces(pieces.fail_at_three, range(6), jobs=jobs))


def test_an_error_that_cannot_be_sent_comes_as_its_traceback():
    with pytest.raises(PieceFailed, match="CannotTravel: 4 and 4"):
        list(run_pieces(pieces.fail_without_pickle, [4], jobs=2))


def test_a_result_that_cannot_be_sent_is_an_error():
    with pytest.raises((PieceFailed, AttributeError, TypeError, PicklingError), match=r"[Pp]ickle"):
        list(run_pieces(pieces.result_without_pickle, [1, 2], jobs=2))


def test_workers_end_where_a_new_one_cannot_begin(monkeypatch):
    with LocalWorkers(Calls(pieces.die), 2) as workers:
        for number in range(2):
            workers.give(number)
        processes = [worker._process for worker in workers._workers]

        def refuse():
            raise OSError("no more processes")

        monkeypatch.setattr(workers, "_start", refuse)
        with pytest.raises(OSError, match="no more"):
            workers.receive(60)
    assert not any(process.is_alive() for process in processes)


def test_a_piece_whose_process_dies_is_tried_once_more(tmp_path):
    marks = [str(tmp_path / name) for name in "abc"]
    assert [result for _, result in run_pieces(pieces.die_once, marks, jobs=2)] == ["done"] * 3
    with pytest.raises(PieceLost, match="7"):
        list(run_pieces(pieces.die, [7], jobs=2))


def test_a_ledger_keeps_what_is_finished(tmp_path):
    path = tmp_path / "ledger.jsonl"
    with Ledger.open(path, {"seed": 1}) as ledger:
        kept = list(run_pieces(pieces.square, range(4), keeper=ledger, jobs=1))
        with pytest.raises(BadLedger, match="another process"):
            Ledger.open(path, {"seed": 1})
    with path.open("ab") as file:
        file.write(b'{"piece": "4", "result": 16}\t000')  # cut off while it was written
    with Ledger.open(path, {"seed": 1}) as ledger:
        assert len(ledger) == 4
        again = list(run_pieces(pieces.fail_at_three, range(4), keeper=ledger, jobs=1))  # nothing is done
    assert again == kept
    with pytest.raises(BadLedger, match="other options"):
        Ledger.open(path, {"seed": 2})
    damaged = path.read_bytes().replace(b'"result": 4}', b'"result": 5}')
    path.write_bytes(damaged)
    with pytest.raises(BadLedger, match="damaged"):
        Ledger.open(path, {"seed": 1})
    assert path.read_bytes() == damaged


def test_a_full_disk_is_named_and_costs_no_finished_piece(tmp_path):
    path = tmp_path / "ledger.jsonl"
    program = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from damas.jobs import Ledger\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "with Ledger.open(Path(sys.argv[1]), {}) as ledger:\n"
        "    for number in range(9):\n"
        "        ledger.add(number, 'x' * 300)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False, timeout=100
    )
    assert done.stderr.rstrip().endswith(f"'{path}'")
    with Ledger.open(path, {}) as ledger:
        assert len(ledger) == 2
        ledger.add(2, "x")
    with Ledger.open(path, {}) as ledger:
        assert ledger.get(2) == "x"


def test_a_file_that_is_no_ledger_is_left_as_it_is(tmp_path):
    path = tmp_path / "game.pdn"
    path.write_text("1. c3-d4 b6-a5 *")
    with pytest.raises(BadLedger, match="damaged"):
        Ledger.open(path, {})
    assert path.read_text() == "1. c3-d4 b6-a5 *"
    path.write_text('{"sett')  # its first line was cut off
    with Ledger.open(path, {}) as ledger:
        assert len(ledger) == 0


def test_a_killed_run_goes_on_with_the_pieces_that_are_left(tmp_path):
    """Each of five runs is killed after two more results; the last one gives what an undisturbed run gives."""
    path = tmp_path / "ledger.jsonl"
    program = (
        "import sys\n"
        "from damas.jobs import Ledger, run_pieces\n"
        "from jobs import pieces\n"
        "with Ledger.open(__import__('pathlib').Path(sys.argv[1]), {}) as ledger:\n"
        "    for piece, result in run_pieces(pieces.square, range(10), keeper=ledger, jobs=2):\n"
        "        print(piece, result, flush=True)\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for stop in (1, 3, 5):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            for _ in range(stop):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, timeout=100)
    assert done.stdout == "".join(f"{number} {number * number}\n" for number in range(10))
