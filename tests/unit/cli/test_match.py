import errno
import json
import os
import stat
import sys
from pathlib import Path

import pytest

from damas.cli.match import _text
from damas.language import LANGUAGES

HOUSE_RULES = Path(__file__).parents[3] / "docs/how-to/house_rules.toml"


def no_memory(*_, **__):
    raise MemoryError


SEED = ("--seed", "1")
"""For what is asked of the results: without a seed other games are played each time."""


def test_more_memory_than_there_is(damas, monkeypatch):
    monkeypatch.setattr("damas.engine.engine._core.Engine", no_memory)
    for command in (("match", "damas", "greedy"), ("best",)):
        assert "65536 MB" in damas(*command, "--hash", "65536").refused


def test_a_match_is_played_and_kept(damas, tmp_path):
    path = tmp_path / "games.pdn"
    answer = damas(
        "match", "damas", "material", "--nodes", "60", "--games", "4", "--save", str(path), "--json"
    ).json
    assert answer["games"] == 4 == answer["wins"] + answer["draws"] + answer["losses"]
    assert path.read_text(encoding="utf-8").count("[Event") == 4
    assert answer["pdn"] == str(path)
    assert len(answer["ballot"]) == 16 and answer["forfeits"] == []
    seed = str(answer["seed"])
    again = damas("match", "damas", "material", "--nodes", "60", "--games", "4", "--seed", seed)
    assert f"Ballot {answer['ballot']}." in again.out and f"Seed {seed}: --seed {seed} repeats" in again.text
    assert f"{answer['wins']} win" in again.out
    refused = damas("match", "damas", "material", "--games", "2", "--nodes", "9", "--save", str(path)).refused
    assert "games.pdn" in refused, "a file that is there is not written over"


@pytest.mark.parametrize("numbers", [("0,200",), ("0", "200"), ("0 200",)])
def test_the_test_ends_a_match_and_is_reported(damas, numbers):
    answer = damas("match", "--sprt", *numbers, "level:4", "greedy", "--games", "80", *SEED, "--json").json
    assert answer["test"] == {**answer["test"], "elo0": 0, "elo1": 200, "verdict": "accepted"}
    assert answer["games"] < 80


FEW_PIECES = "W:Wc3,g1:Bd4,h8\n"
"""One opening so simple that an engine with a minute for a move needs none of it."""

HUB = f"hub:{sys.executable} -m damas hub --hash 1"
"""Our engine as another program; it plays international draughts unless it is told another rulebook."""


@pytest.mark.parametrize(
    ("rules", "players", "options"),
    [
        ("brasileira", ("level:1", "greedy"), ("--games", "6", "--jobs", "2")),
        ("brasileira", ("damas", "material"), ("--games", "2", "--time", "60+1")),
        ("portuguesa", ("greedy", HUB), ("--games", "2", "--nodes", "40")),
        (str(HOUSE_RULES), ("damas", "material"), ("--games", "2", "--nodes", "50")),
    ],
    ids=["several at a time", "by the clock", "another program", "house rules"],
)
def test_a_match_is_played(damas, rules, players, options, tmp_path):
    if "--time" in options:
        (tmp_path / "few.txt").write_text(FEW_PIECES)
        options += ("--openings", str(tmp_path / "few.txt"))
    answer = damas("match", "-r", rules, *players, *options, *SEED, "--json").json
    assert (answer["games"], answer["forfeits"]) == (int(options[1]), [])
    assert answer["rulebook"] == ("grandma" if rules == str(HOUSE_RULES) else rules)


def test_a_bot_from_the_template_plays_a_match(damas, tmp_path):
    bot = tmp_path / "bot.py"
    assert damas("bot", "new", str(bot)).code == 0
    words = ("match", str(bot), "random", "-r", "concurso", "--games", "2", "--time", "9+9", *SEED, "--json")
    answer = damas(*words).json
    assert (answer["first"], answer["games"], answer["forfeits"]) == ("bot", 2, [])


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_program_that_never_starts_is_bad_input(damas, tmp_path, jobs):
    path = tmp_path / "games.pdn"
    program = tmp_path / "ends.py"
    program.write_text("")
    players = ("greedy", f"hub:{sys.executable} {program}")
    refused = damas("match", *players, "--games", "4", "--jobs", jobs, "--save", str(path)).refused
    assert f"“{sys.executable} {program}” does not start (exit code 0)" in refused
    assert not path.exists(), "or it would refuse the next try"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_that_says_nothing_is_bad_input(damas, language):
    assert "false" in damas("match", "greedy", "hub:false", "--games", "2", "--lang", language).refused


def test_few_games_leave_much_open(damas):
    arguments = ("match", "level:6", "greedy", "--games", "6", *SEED)
    answer = damas(*arguments, "--json").json
    assert (answer["wins"], answer["elo"], answer["elo_high"]) == (6, None, None)
    assert answer["elo_low"] > 0
    assert f"Elo +∞ (+{answer['elo_low']:.0f} to +∞, 95 %)" in damas(*arguments).out


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pt-BR", "1 vitória, 0 empates, 1 derrota em"),
        ("pt-PT", "1 vitória, 0 empates, 1 derrota em"),
        ("es", "1 victoria, 0 empates, 1 derrota en"),
        ("en", "1 win, 0 draws, 1 loss in"),
    ],
)
def test_one_is_one(language, words):
    answer = {"first": "a", "second": "b", "rulebook": "x", "games": 2, "wins": 1, "draws": 0, "losses": 1}
    answer |= {"score": 0.5, "elo": 0.0, "elo_low": None, "elo_high": None, "pairs": [0, 0, 1, 0, 0]}
    message = _text({**answer, "ballot": "0", "seed": 1, "forfeits": []}, language)
    assert (
        words in " ".join(message.split()) and "Elo +0 (" in message and "-∞" in message and "+∞" in message
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_for_people(damas, language):
    out = damas("match", "greedy", "level:1", "--games", "2", "--sprt=-5,0", "--lang", language).out
    assert "greedy" in out and "Elo" in out and "95 %" in out and "LLR" in out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("--pairs", "1"), "--pairs 1 is now written --games 2"),
        (("--games", "2", "--concurrency", "1"), "--concurrency 1 is now written --jobs 1"),
        (("--games", "2", "--time", "60"), "--time 60 is now written --time 60+0"),
    ],
)
def test_earlier_spellings_are_accepted_with_a_hint(damas, old, new):
    answer = damas("match", "greedy", "random", *old, *SEED, "--json", "--lang", "en")
    assert (answer.code, answer.err) == (0, f"damas: {new}\n")
    assert answer.json["games"] == 2


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (("--nodes", "50"), "50 positions a move"),
        (("--depth", "2"), "2 plies ahead"),
        (("--movetime", "20", "--grace", "60000"), "0.02 s a move"),
        (("--time", "60"), "60 s a move"),
    ],
)
def test_the_arena_takes_the_limits_of_a_match(damas, limit, words, tmp_path):
    (tmp_path / "few.txt").write_text(FEW_PIECES)
    options = ("--games", "2", "--hash", "1", *SEED, "--openings", str(tmp_path / "few.txt"))
    answer = damas("arena", "damas", "random", *limit, *options, "--out", str(tmp_path / "t"), "--json")
    assert answer.json["games"] == 2
    played = json.loads((tmp_path / "t/results.json").read_text())["list"]
    assert [game["reason"] for game in played if game["offender"]] == []
    assert words in (tmp_path / "t/report.html").read_text()


def test_hub_from_the_command_line(damas):
    answer = damas("hub", "-r", "brasileira", stdin="hub\ninit\npos\nlevel nodes=100\ngo think\nnonsense\n")
    assert answer.code == 0
    words = [line.split()[0] for line in answer.out.splitlines()]
    assert words[0] == "id" and {"wait", "ready", "done", "error"} <= set(words)
    assert damas("hub", stdin="hub\nquit\nhub\n").out.count("wait") == 1
    assert damas("hub", "--json").refused


def test_the_score_is_the_first_players_whatever_its_colour(damas, tmp_path):
    folder = tmp_path / "lot"
    words = ("match", "greedy", "random", "--games", "6", "--colours", "lot", *SEED, "--out", str(folder))
    answer = damas(*words, "--json").json
    table = (folder / "table.csv").read_text(encoding="utf-8")
    assert (answer["wins"], answer["losses"]) == (6, 0) and "greedy" in table.splitlines()[1]
    again = damas("match", "--resume", str(folder), "--json").json
    assert (again["wins"], again["pairs"]) == (6, [0, 0, 0, 0, 3])


def test_an_earlier_spelling_does_not_go_with_the_present_one(damas):
    assert "--games" in damas("match", "greedy", "random", "--pairs", "1", "--games", "6").refused
    assert "--jobs" in damas("match", "greedy", "random", "--concurrency", "1", "--jobs", "2").refused


def test_an_arena_with_an_odd_number_of_games_is_no_match(damas, tmp_path):
    folder = str(tmp_path / "odd")
    assert damas("arena", "random", "greedy", "--games", "3", *SEED, "--out", folder).code == 0
    assert "3" in damas("match", "--resume", folder).refused


@pytest.mark.parametrize("command", ["match", "arena"])
@pytest.mark.parametrize("writes", [2, 5])
def test_a_full_disk_is_told_with_the_file_and_how_to_go_on(damas, tmp_path, monkeypatch, command, writes):
    """The file that fails is the journal (2) or a game (5); what is on disk already is played on from."""
    folder, left = tmp_path / "games", writes
    fsync = os.fsync

    def full(file: int) -> None:
        nonlocal left
        left -= not stat.S_ISDIR(os.fstat(file).st_mode)
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(file)

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        answer = damas(command, "random", "greedy", "--games", "4", "--jobs", "1", "--out", str(folder))
    name = folder / ("journal.jsonl" if writes == 2 else "games/002-001-01.pdn")
    assert str(name) in answer.refused
    assert f"damas {command} --resume {folder}" in answer.err
    assert damas(command, "--resume", str(folder), "--json").json["folder"] == str(folder)


@pytest.mark.parametrize("time", ["0+0", "60+x", "x", "5+", "-5+1"])
def test_a_clock_that_cannot_be_read_is_told_as_a_match_takes_it(damas, time):
    refused = damas("match", "random", "greedy", "--time", time).refused
    assert f"seconds for the game and for each move, as in 60+0.5; not “{time}”" in refused
