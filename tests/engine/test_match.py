"""Matches: a ballot that never changes, pairs that are fair, clocks that are kept, games that can be read again."""

import io
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from math import copysign, isfinite
from pathlib import Path

import pytest

import damas.engine
from damas.board import Color
from damas.engine import Engine, Limits
from damas.engine.interrupts import Terminated, termination_heard, uninterrupted
from damas.engine.levels import Greedy, LevelPlayer
from damas.engine.match import (
    EnginePlayer,
    Forfeit,
    NeverStarted,
    Standing,
    TimeControl,
    ballot_hash,
    match,
    opening,
    play_out,
    play_pair,
)
from damas.game import Game
from damas.language import LANGUAGES, Saying
from damas.notation import PdnGame, read_games
from damas.tournaments.sprt import Sample, Test, elo_of

BALLOTS = {
    "brasileira": "b7ddbe2509fef638",
    "faraes": "2ffc6b9f9abc3d53",
    "portuguesa": "5a52ad0e1c115d93",
    "oficial": "2b22dad3db91f717",
    "concurso": "32b6339353200a4e",
    "internacional": "bc75aac293da66c3",
}


class First:
    """Plays the first legal move, always the same game."""

    name = "first"

    def new_game(self):
        pass

    def choose(self, place, limits=None):
        return sorted(place.legal_moves, key=lambda move: move.route)[0]

    def close(self):
        pass


class Sleepy(First):
    name = "sleepy"

    def choose(self, place, limits=None):
        time.sleep(0.05)
        return super().choose(place)


class Liar(First):
    name = "liar"

    def choose(self, place, limits=None):
        return Game.start("internacional").legal_moves[0]


class Dead(First):
    name = "dead"

    def choose(self, place, limits=None):
        raise Forfeit("forfeit.died", {"code": 3})


@pytest.mark.parametrize("name", BALLOTS)
def test_the_ballot_is_frozen(name):
    assert ballot_hash(name) == BALLOTS[name]


def test_openings_are_different_and_fair_in_length():
    lines = {
        " ".join(move.text for move in opening("brasileira", number).record.moves) for number in range(40)
    }
    assert len(lines) > 35
    assert all(len(line.split()) == 6 for line in lines)


def test_no_opening_loses_a_man_by_force():
    # By chance alone the fifth would: White takes one and keeps it.
    with Engine("brasileira", tables=False, hash_mb=1) as engine:
        for number in (4, 16, 23, 65):
            engine.forget()
            assert abs(engine.search(opening("brasileira", number), Limits(depth=13)).lines[0].score) < 90


def test_a_pair_changes_colours_and_equal_players_share_it():
    one, other = play_pair("brasileira", 3, First(), First())
    assert one.game.record.moves == other.game.record.moves
    standing = Standing()
    standing.add((one, other))
    assert standing.pairs == [0, 0, 1, 0, 0]
    assert standing.wins + standing.draws + standing.losses == 2


def test_a_match_is_the_same_when_it_is_played_again():
    def played():
        players = LevelPlayer("faraes", 2, 1), LevelPlayer("faraes", 1, 2)
        return match("faraes", *players, pairs=5).pairs

    assert played() == played()


def test_the_test_ends_a_match():
    standing = match("brasileira", LevelPlayer("brasileira", 5, 1), Greedy(1), pairs=200, test=Test(0, 100))
    assert sum(standing.pairs) < 60
    assert Test(0, 100).verdict(standing.sample) == "accepted"


def test_players_who_are_late_illegal_or_dead_lose_and_are_counted_apart():
    start = Game.start("brasileira")
    late = play_out(start, Sleepy(), First(), control=TimeControl(0.12))
    assert (late.points, late.forfeit) == (0, "sleepy: time")
    lying = play_out(start, First(), Liar())
    assert (lying.points, lying.forfeit) == (1, "liar: illegal move “31-27”")
    dead = play_out(start, Dead(), First())
    assert (dead.points, dead.forfeit) == (0, "dead: died with code 3")
    standing = Standing()
    standing.add((lying, dead))
    assert standing.forfeits == [lying.forfeit, dead.forfeit]


class Silent(First):
    name = "silent"

    def choose(self, place, limits=None):
        return None


def test_who_has_no_move_to_say_is_told_so():
    assert play_out(Game.start("brasileira"), Silent(), First()).forfeit == "silent: no move"


class Told(First):
    """Keeps what it was told and asked."""

    def __init__(self):
        self.heard = []

    def new_game(self):
        self.heard.append("new")

    def choose(self, place, limits=None):
        if self.heard[-1] != "asked":
            self.heard.append("asked")
        return super().choose(place)


def test_players_are_told_of_each_game_before_they_are_asked():
    one, other = Told(), Told()
    match("brasileira", one, other, pairs=2)
    assert one.heard == other.heard == ["new", "asked"] * 4
    alone = Told()
    play_out(Game.start("brasileira"), alone, alone)
    assert alone.heard == ["new", "asked"], "once, though it plays both sides"


def test_our_engine_forgets_between_games():
    start = opening("brasileira", 0)

    def game(white, black):
        return play_out(start, white, black).game.record.moves

    def players():
        return [EnginePlayer("brasileira", Limits(nodes=500), hash_mb=1, tables=False) for _ in range(2)]

    again = players()
    game(*again)
    assert game(*again) == game(*players())


# --- reasons -----------------------------------------------------------------------------------


def forfeits_raised():
    folder = Path(damas.engine.__file__).parent
    return sorted(
        {key for path in folder.glob("*.py") for key in re.findall(r'"(forfeit\.\w+)"', path.read_text())}
    )


def test_forfeits_are_found():
    assert len(forfeits_raised()) > 15


@pytest.mark.parametrize("key", forfeits_raised())
def test_every_reason_has_its_sentence_in_each_language(key):
    facts = dict.fromkeys(("address", "code", "host", "move", "name", "result", "said"), "x")
    facts |= {"seconds": 0.5, "why": Saying("forfeit.late")}
    told = [Forfeit(key, facts).sentence(language) for language in LANGUAGES]
    assert key == "forfeit.by" or told[3] not in told[:3]


def test_reasons_travel_between_processes():
    why = Forfeit("forfeit.died", {"code": 3})
    nobody = NeverStarted("dier", why.saying)
    for each in (why, nobody):
        again = pickle.loads(pickle.dumps(each))
        assert type(again) is type(each)
        assert again.sentence("pt-BR") == "terminou com o código 3"
    assert pickle.loads(pickle.dumps(nobody)).program == "dier"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("pt-BR", "dead: terminou com o código 3"),
        ("pt-PT", "dead: terminou com o código 3"),
        ("es", "dead: terminó con el código 3"),
        ("en", "dead: died with code 3"),
    ],
)
def test_a_fault_is_told_in_the_language_and_kept_in_english(language, told):
    played = play_out(Game.start("brasileira"), Dead(), First())
    assert played.fault.sentence(language) == told
    assert '[Termination "dead: died with code 3"]' in played.pdn


DAMAS = [sys.executable, "-m", "damas"]
DIES = "import sys\nfor line in sys.stdin:\n    print({'hub': 'wait', 'init': 'ready'}.get(line.strip(), ''), flush=True)\n    if line.startswith('go'): sys.exit(3)\n"


def test_the_command_tells_reasons_and_numbers_as_the_language_does(tmp_path):
    path = tmp_path / "dier.py"
    path.write_text(DIES)
    command = [*DAMAS, "match", "greedy", f"hub:{sys.executable} {path}", "--pairs", "1", "--sprt=0,0.5"]
    done = subprocess.run([*command, "--lang", "es"], capture_output=True, text=True, check=True, timeout=120)
    assert re.search(r": terminó con el código 3 tras \d,\d s", " ".join(done.stdout.split()))
    assert re.search(r"Prueba \[0,0; 0,5\]: LLR -?\d+,\d+, ", done.stdout)


# --- Ctrl-C ------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("everybody", [False, True])
def test_a_match_that_is_interrupted_tells_what_was_played(tmp_path, jobs, everybody):
    """Everybody: as Ctrl-C at a terminal, which reaches the processes that play as well."""
    path = tmp_path / "games.pdn"
    command = [*DAMAS, "match", "damas", "material", "--nodes", "100", "--pairs", "5000", "--jobs", jobs]
    process = subprocess.Popen(
        [*command, "--save", str(path), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not (path.exists() and path.stat().st_size) and time.monotonic() < until:
        time.sleep(0.05)
    (os.killpg if everybody else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    answer = json.loads(out)
    assert answer["games"] == path.read_text().count("[Event ") > 0
    assert answer["games"] == answer["wins"] + answer["draws"] + answer["losses"]
    assert "elo_low" in answer


def begun(path, jobs, *more):
    """A long match in a session of its own."""
    command = [*DAMAS, "match", "damas", "material", "--nodes", "100", "--pairs", "5000", "--jobs", jobs]
    return subprocess.Popen(
        [*command, "--save", str(path), "--json", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for(happens):
    until = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < until
        time.sleep(0.05)


def ended(process):
    """What it said, once nobody holds its output any more: a process that stays behind would."""
    try:
        return process.communicate(timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("everybody", [False, True])
def test_a_match_that_is_terminated_tells_what_was_played_and_leaves_nobody(tmp_path, jobs, everybody):
    path = tmp_path / "games.pdn"
    process = begun(path, jobs)
    wait_for(lambda: path.exists() and path.stat().st_size)
    (os.killpg if everybody else os.kill)(process.pid, signal.SIGTERM)
    out, err = ended(process)
    assert (process.returncode, err) == (143, "")
    answer = json.loads(out)
    assert answer["games"] == path.read_text().count("[Event ") > 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_match_that_is_terminated_before_its_first_pair_keeps_no_file(tmp_path, jobs):
    path = tmp_path / "games.pdn"
    process = begun(path, jobs, "--nodes", "1000000000")
    wait_for(path.exists)
    time.sleep(0.5)
    process.terminate()
    assert ended(process) == ("", "")
    assert process.returncode == 143
    assert not path.exists()


def test_who_plays_is_gone_with_who_counts(tmp_path):
    path = tmp_path / "games.pdn"
    process = begun(path, "2")
    wait_for(lambda: path.exists() and path.stat().st_size)
    process.kill()
    assert ended(process)[0] == ""


def test_what_is_counted_is_kept_though_somebody_ends_it():
    done = []

    def keep():
        with termination_heard():
            with uninterrupted():
                signal.raise_signal(signal.SIGTERM)
                done.append("kept")
            done.append("never")

    with pytest.raises(Terminated):
        keep()
    assert done == ["kept"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


# --- a disk that is full -----------------------------------------------------------------------


@pytest.mark.parametrize(("room", "kept"), [(500, False), (4096, True)])
def test_a_match_whose_games_cannot_be_kept_is_told_to_its_end(tmp_path, room, kept):
    path = tmp_path / "games.pdn"
    command = [
        *DAMAS,
        "match",
        "damas",
        "material",
        "--nodes",
        "50",
        "--pairs",
        "6",
        "--json",
        "--lang",
        "en",
    ]
    limit = "import os, resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\n"
    limited = [sys.executable, "-c", limit + "os.execv(sys.argv[2], sys.argv[2:])", str(room)]
    done = subprocess.run(
        [*limited, *command, "--save", str(path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2
    answer, trouble = map(json.loads, done.stdout.splitlines())
    assert answer["games"] == 12 and "games.pdn" in trouble["error"]["message"]
    assert done.stderr.count("\n") == 1 and "games.pdn: File too large" in done.stderr
    assert path.exists() is kept
    if kept:
        text = path.read_text()
        games = list(read_games(io.StringIO(text)))
        assert all(isinstance(game, PdnGame) for game in games)
        assert 0 < len(games) < 12 and len(games) % 2 == 0
        assert text.split()[-1] == re.findall(r'\[Result "(.+)"\]', text)[-1], "to its last word"


def test_games_are_kept_as_pdn_that_can_be_read_again():
    for name in ("brasileira", "portuguesa", "concurso", "internacional"):
        pair = play_pair(name, 0, LevelPlayer(name, 1, 1), Greedy(1))
        games = list(read_games(io.StringIO("\n".join(played.pdn for played in pair))))
        assert all(isinstance(game, PdnGame) for game in games), games
        for game, played in zip(games, pair, strict=True):
            assert [node.move for node in game.moves] == played.game.record.moves
            assert game.winner is {1.0: Color.WHITE, 0.0: Color.BLACK, 0.5: None}[played.points]


def test_a_game_by_the_clock_ends():
    """That no time is overstepped depends on the machine: `make soak` plays a thousand such games."""
    players = [EnginePlayer("brasileira", Limits(), hash_mb=1, tables=False) for _ in range(2)]
    played = play_out(opening("brasileira", 1), *players, control=TimeControl(0.6, 0.005))
    assert played.forfeit in ("", "damas: time")
    assert played.forfeit or played.game.outcome


def test_error_bars_hold_the_truth_and_shrink():
    few, many = Sample((1, 2, 10, 3, 1)), Sample((10, 20, 100, 30, 10))
    for sample in (few, many):
        elo, low, high = sample.elo()
        assert low < elo < high
    assert many.elo()[2] - many.elo()[1] < few.elo()[2] - few.elo()[1]
    assert Test().verdict(Sample((0, 0, 0, 0, 0))) == "open"


@pytest.mark.parametrize("pairs", [1, 2, 5, 40])
@pytest.mark.parametrize("kind", range(5))
def test_equal_pairs_are_no_certainty(pairs, kind):
    counts = [0] * 5
    counts[kind] = pairs
    elo, low, high = Sample(counts).elo()
    assert low < high and low <= elo <= high
    assert kind == 0 or pairs < 5 or isfinite(low), "the sure side has an end"
    assert kind == 4 or pairs < 5 or isfinite(high)


def test_error_bars_of_many_pairs_are_those_of_the_sample():
    sample = Sample((5, 30, 70, 35, 10))
    _, low, high = sample.elo()
    half = 1.96 * (sample.variance / sample.count) ** 0.5
    plain = elo_of(sample.score + half) - elo_of(sample.score - half)
    assert plain < high - low < 1.02 * plain


def test_an_even_score_has_no_sign():
    assert [copysign(1, value) for value in Sample((0, 0, 4, 0, 0)).elo()] == [1, -1, 1]
