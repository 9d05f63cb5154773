"""Games in processes of their own: paused, stopped, killed from outside, and the tournament goes on."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from damas.errors import BadEntrant, RulesChanged
from damas.jobs.interrupts import uninterrupted
from damas.matches.pool import run
from damas.rules import rulebook
from damas.tournaments import journal
from damas.tournaments.settings import Entry, Settings
from damas.tournaments.tournament import Tournament, read_standings
from matches.playing import cheap
from matches.processes import parent_of, with_command
from tournaments.results import settings


def children() -> set[int]:
    return {pid for pid in with_command("spawn_main") if parent_of(pid) == os.getpid()}


def test_the_listener_is_told_of_everything(tmp_path):
    notices = []
    with Tournament.create(tmp_path, settings(2, games=2)) as tournament:
        run(tournament, jobs=2, listener=notices.append, live=True)
        assert tournament.over
    kinds = [notice.kind for notice in notices]
    assert kinds.count("begun") == kinds.count("over") == 2 and kinds.count("event") > 20
    ends = [notice.played for notice in notices if notice.kind == "over"]
    assert {game.id for game in ends} == read_standings(tmp_path)[1].games.keys()
    assert children() == set()


def test_a_tournament_is_played_on_under_the_edition_it_began_with(tmp_path):
    rules = "f92765d7b1375960"
    assert rulebook("concurso").hash != rules
    events = []
    with Tournament.create(tmp_path, settings(2, games=2, rules=rules, longest=20)) as tournament:
        run(
            tournament,
            jobs=1,
            listener=lambda notice: notice.kind == "event" and events.append(json.loads(notice.line)),
            live=True,
        )
        assert tournament.over
    assert [event["hash"] for event in events if event["kind"] == "started"] == [rules, rules]


def test_rules_that_change_under_games_in_memory_end_them():
    with Tournament.in_memory(settings(2, games=2, rules="0" * 16)) as tournament:
        with pytest.raises(RulesChanged, match="The rules of concurso have changed while games were played"):
            run(tournament, jobs=1)
        assert not tournament.over


def test_ctrl_c_waits_until_a_process_is_started():
    """It may be kinds by another thread, as of the table that is drawn anew: what is sent to a child is sent whole."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    started = []
    try:
        with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012 (that it comes at the end is what is shown)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            started.append(True)
    finally:
        done.set()
        other.join()
    assert started == [True]
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_paused_tournament_begins_no_game(tmp_path):
    with Tournament.create(tmp_path, settings(2, games=2)) as tournament:
        journal.pause(tmp_path)
        kinds = []

        def hear(notice):
            kinds.append(notice.kind)
            if len(kinds) == 2:
                journal.unpause(tmp_path)

        run(tournament, jobs=1, listener=hear)
    assert kinds[:2] == ["paused", "paused"] and kinds.count("over") == 2


def test_stopped_games_are_given_back(tmp_path):
    with Tournament.create(tmp_path, cheap(8)) as tournament:
        run(tournament, jobs=2, stop=lambda: len(tournament.played) > 3)
        assert not tournament.over and not tournament.in_play
        done = len(tournament.played)
        assert 3 < done < 48
        run(tournament, jobs=2)
        assert len(tournament.played) == 48


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds its children there")
def test_a_process_that_is_killed_costs_nobody_a_game(tmp_path):
    with Tournament.create(tmp_path, cheap(6)) as tournament:
        killed = []

        def hear(notice):
            if notice.kind == "over" and len(killed) < 2:
                for pid in children():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

        run(tournament, jobs=2, listener=hear)
        table = tournament.standings()
    assert len(killed) >= 2 and len(table.games) == 36
    with Tournament.create(tmp_path / "calm", cheap(6)) as tournament:
        run(tournament, jobs=2)
        calm = tournament.standings()
    voids = {game.id for game in table.games.values() if game.reason == "OURS"}
    assert {i: g.points for i, g in table.games.items() if i not in voids} == {
        i: g.points for i, g in calm.games.items() if i not in voids
    }
    assert len(voids) <= 1


DEADLY = """
import os, signal
class Deadly:
    def choose(self, game):
        keeper = os.getppid()
        with open(f"/proc/{keeper}/stat") as file:
            worker = int(file.read().rpartition(")")[2].split()[1])
        os.kill(worker, signal.SIGKILL)
"""
STUCK = """
class Stuck:
    def choose(self, game):
        import time

        time.sleep(3600)
"""


def test_one_that_thinks_for_ever_loses_by_time_and_the_tournament_goes_on(tmp_path):
    (tmp_path / "stuck.py").write_text(STUCK)
    entries = (
        Entry("stuck", f"python:{tmp_path / 'stuck.py'}:Stuck", True),
        Entry("random", "random"),
        Entry("greedy", "greedy"),
    )
    chosen = Settings(entries, "concurso", games=2, control="2s/move", longest=40)
    with Tournament.create(tmp_path / "t", chosen) as tournament:
        run(tournament, jobs=2)
        table = tournament.standings()
    assert tournament.over and len(table.games) == 6
    lost = [game for game in table.games.values() if "stuck" in (game.white, game.black)]
    assert [(game.reason, game.points == 0.0) for game in lost] == [
        ("TIMEOUT", game.white == "stuck") for game in lost
    ]


def test_a_process_that_is_killed_twice_voids_its_game(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(DEADLY)
    entries = (Entry("deadly", f"python:{file}:Deadly", True), Entry("random", "random"))
    with Tournament.create(tmp_path / "t", Settings(entries, "concurso", games=2, tier="none")) as tournament:
        run(tournament, jobs=1)
        table = tournament.standings()
    assert [game.reason for game in table.games.values()] == ["OURS", "OURS"]
    assert all(row.voids == 2 and row.points == 0 for row in table.rows)
    receipt = journal.receipt_of(tmp_path / "t", next(iter(table.games.values())).receipt)
    assert "ended twice, with -9" in receipt["trace"]


def test_from_a_thread(tmp_path):
    """As the server does."""
    with Tournament.create(tmp_path, settings(2, games=1)) as tournament:
        thread = threading.Thread(target=run, args=(tournament,), kwargs={"jobs": 1})
        thread.start()
        until = time.monotonic() + 60
        thread.join(until - time.monotonic())
        assert not thread.is_alive() and tournament.over


def test_a_program_that_is_gone_stops_it_before_any_game(tmp_path):
    """Resumed on a machine that cannot play it: told, and nothing is void."""
    entries = (Entry("gone", str(tmp_path / "gone.py")), Entry("random", "random"))
    with Tournament.create(tmp_path / "t", Settings(entries, "concurso", games=2)) as tournament:
        with pytest.raises(BadEntrant):
            run(tournament, jobs=1)
        assert tournament.played == {} and not tournament.in_play
