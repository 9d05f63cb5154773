"""Matches: a ballot that never changes, fair pairs, and a command that loses no result however it is ended."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from damas.arbiter import TimeControl
from damas.board import Color
from damas.cli import main
from damas.engine import Engine, Limits
from damas.jobs.interrupts import Terminated, termination_heard, uninterrupted
from damas.matches import Entrant, Start, Terms, play
from damas.matches.match import MatchScore, play_match
from damas.notation import PdnGame, read_games
from damas.openings import ballot_hash, ballot_line
from damas.tournaments.sprt import Test
from matches.processes import wait_for

NO_CLOCK = TimeControl.parse("none")
DAMAS = [sys.executable, "-m", "damas"]
BALLOTS = {
    "brasileira": "b7ddbe2509fef638",
    "faraes": "2ffc6b9f9abc3d53",
    "portuguesa": "5a52ad0e1c115d93",
    "oficial": "2b22dad3db91f717",
    "concurso": "32b6339353200a4e",
    "internacional": "bc75aac293da66c3",
}


FIRST_MOVE = """
class First:
    def choose(self, game):
        return min(game.legal_moves, key=lambda move: move.route)
"""


def terms(book="brasileira", **options):
    return Terms(book, NO_CLOCK, hash_mb=1, tables=False, **options)


@pytest.mark.parametrize("name", BALLOTS)
def test_the_ballot_is_frozen(name):
    assert ballot_hash(name) == BALLOTS[name]


def test_ballot_lines_are_different_and_equally_long():
    lines = {
        " ".join(move.text for move in ballot_line("brasileira", number).record.moves) for number in range(40)
    }
    assert len(lines) > 35
    assert all(len(line.split()) == 6 for line in lines)


def test_no_ballot_line_loses_a_man_by_force():
    # By chance alone the fifth would: White takes one and keeps it.
    with Engine("brasileira", tables=False, hash_mb=1) as engine:
        for number in (4, 16, 23, 65):
            engine.forget()
            score = engine.search(ballot_line("brasileira", number), Limits(depth=13)).lines[0].score
            assert abs(score) < 90


def test_a_pair_changes_colours_and_equal_players_share_it(tmp_path):
    (tmp_path / "first.py").write_text(FIRST_MOVE)
    first = Entrant.parse(f"python:{tmp_path / 'first.py'}:First", trusted=True)
    pairs = []
    score = play_match(first, first, terms(), pairs=1, report=pairs.append)
    [(one, other)] = pairs
    assert [event.partition('"chain"')[0] for event in one.events[1:7]] == [
        event.partition('"chain"')[0] for event in other.events[1:7]
    ]
    assert one.points == other.points
    assert score.pairs == [0, 0, 1, 0, 0]
    assert score.wins + score.draws + score.losses == 2


def test_a_pair_with_a_void_game_is_left_out():
    score = MatchScore()
    score.add(1.0, None)
    score.add(1.0, 0.5)
    assert (score.pairs, score.games, score.wins, score.draws) == ([0, 0, 0, 1, 0], 2, 1, 1)


def test_a_match_is_the_same_when_it_is_played_again():
    players = Entrant.parse("level:2"), Entrant.parse("level:1")
    assert play_match(*players, terms("faraes"), pairs=5) == play_match(*players, terms("faraes"), pairs=5)


def test_the_test_ends_a_match():
    players = Entrant.parse("level:5"), Entrant.parse("greedy")
    score = play_match(*players, terms(), pairs=200, test=Test(0, 100))
    assert sum(score.pairs) < 60
    assert Test(0, 100).verdict(score.sample) == "accepted"


def test_games_are_saved_as_pdn_that_can_be_read_again():
    for name in ("brasileira", "portuguesa", "concurso", "internacional"):
        results = []
        play_match(
            Entrant.parse("level:1"), Entrant.parse("greedy"), terms(name), pairs=1, report=results.extend
        )
        games = list(read_games(io.StringIO("\n".join(result.pdn for result in results))))
        assert all(isinstance(game, PdnGame) for game in games), games
        for game, result in zip(games, results, strict=True):
            assert len(game.moves) == result.plies
            assert game.winner is {1.0: Color.WHITE, 0.0: Color.BLACK, 0.5: None}[result.points]


def test_a_game_by_the_clock_ends():
    """That no time is overstepped depends on the machine: `make soak` plays a thousand such games."""
    line = tuple(move.text for move in ballot_line("brasileira", 1).record.moves)
    control = TimeControl("fischer", 600, 5)
    engine = Entrant.parse("damas")
    result = play(engine, engine, Start(1, moves=line), Terms("brasileira", control, hash_mb=1, tables=False))
    assert result.points is not None
    assert result.offender is None or result.reason == "TIMEOUT"


# --- the command -------------------------------------------------------------------------------


def begin_match(path, jobs, *more):
    """A long match in a session of its own."""
    command = [*DAMAS, "match", "damas", "material", "--nodes", "100", "--games", "10000", "--jobs", jobs]
    return subprocess.Popen(
        [*command, "--save", str(path), "--json", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def output_of(process):
    """Its output, once no process has it open any more: one that stays behind would."""
    try:
        return process.communicate(timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("jobs", "everybody", "number", "code"),
    [
        ("1", False, signal.SIGINT, 130),
        ("1", True, signal.SIGTERM, 143),
        ("2", True, signal.SIGINT, 130),
        ("2", False, signal.SIGTERM, 143),
        pytest.param("1", False, signal.SIGTERM, 143, marks=pytest.mark.soak),
        pytest.param("1", True, signal.SIGINT, 130, marks=pytest.mark.soak),
        pytest.param("2", True, signal.SIGTERM, 143, marks=pytest.mark.soak),
        pytest.param("2", False, signal.SIGINT, 130, marks=pytest.mark.soak),
    ],
)
def test_a_match_that_is_ended_reports_what_was_played(tmp_path, jobs, everybody, number, code):
    """Everybody: as Ctrl-C at a terminal, which reaches every process of the session."""
    path = tmp_path / "games.pdn"
    process = begin_match(path, jobs)
    wait_for(lambda: path.exists() and path.stat().st_size)
    (os.killpg if everybody else os.kill)(process.pid, number)
    out, err = output_of(process)
    assert (process.returncode, err) == (code, "")
    answer = json.loads(out)
    assert answer["games"] == path.read_text().count("[Event ") > 0
    assert answer["games"] == answer["wins"] + answer["draws"] + answer["losses"]
    assert "elo_low" in answer


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_match_that_is_ended_before_its_first_pair_keeps_no_file(tmp_path, number, code):
    path = tmp_path / "games.pdn"
    process = begin_match(path, "1", "--nodes", "1000000000")
    wait_for(path.exists)
    process.send_signal(number)
    assert output_of(process) == ("", "")
    assert process.returncode == code
    assert not path.exists()


def test_workers_end_with_a_match_that_is_killed(tmp_path):
    path = tmp_path / "games.pdn"
    process = begin_match(path, "2")
    wait_for(lambda: path.exists() and path.stat().st_size)
    process.kill()
    assert output_of(process)[0] == ""


def test_a_match_is_resumed(tmp_path, capsys):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    words = ["match", "level:1", "greedy", "--games", "8", "--json", "--jobs", "2", "--seed", "1"]
    assert main([*words, "--out", str(whole)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert main(["match", "--resume", str(whole), "--lang", "en"]) == 0
    assert f"Games, table and report: {whole}/" in " ".join(capsys.readouterr().out.split())
    assert main([*words, "--out", str(cut)]) == 0
    lines = (cut / "journal.jsonl").read_text().splitlines(keepends=True)
    (cut / "journal.jsonl").write_text("".join(lines[:3]))
    capsys.readouterr()
    assert main(["match", "--resume", str(cut), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.replace(str(cut), str(whole))) == answer
    assert (cut / "report.html").exists()
    assert main(["match", "--resume", str(cut), "--games", "4", "--lang", "en"]) == 2
    assert "games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nobody", "random"], "a player of the house (damas, material, level:N, greedy, random)"),
        (["python:nofile.py:X", "random"], "“python:nofile.py:X”: there is no such file"),
        (["random", "random", "--time", "0"], "--time: seconds for the game and for each move, as in 60+0.5"),
    ],
)
def test_what_a_match_refuses_says_what_to_write(capsys, words, message):
    assert main(["match", *words, "--lang", "en"]) == 2
    assert message in capsys.readouterr().err


def test_sigterm_waits_for_what_must_not_be_interrupted():
    steps = []

    def save():
        with termination_heard():
            with uninterrupted():
                signal.raise_signal(signal.SIGTERM)
                steps.append("saved")
            steps.append("never")

    with pytest.raises(Terminated):
        save()
    assert steps == ["saved"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize(("room", "is_written"), [(500, False), (4096, True)])
def test_a_match_whose_games_cannot_be_saved_is_played_to_its_end(tmp_path, room, is_written):
    path = tmp_path / "games.pdn"
    command = [*DAMAS, "match", "greedy", "level:1", "--games", "12", "--seed", "1", "--json", "--lang", "en"]
    limit = "import os, resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\n"
    limited = [sys.executable, "-c", limit + "os.execv(sys.argv[2], sys.argv[2:])", str(room)]
    done = subprocess.run(
        [*limited, *command, "--save", str(path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2, done.stderr
    answer, error = map(json.loads, done.stdout.splitlines())
    assert answer["games"] == 12 and "games.pdn" in error["error"]["message"]
    assert done.stderr.count("\n") == 1 and "games.pdn: File too large" in done.stderr
    assert path.exists() is is_written
    if is_written:
        text = path.read_text()
        games = list(read_games(io.StringIO(text)))
        assert all(isinstance(game, PdnGame) for game in games)
        assert 0 < len(games) < 12 and len(games) % 2 == 0
        assert text.split()[-1] == re.findall(r'\[Result "(.+)"\]', text)[-1], "to its last word"
