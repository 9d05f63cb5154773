import sys

import pytest

from damas.language import LANGUAGES


def test_a_match_is_played_and_kept(damas, tmp_path):
    path = tmp_path / "games.pdn"
    answer = damas(
        "match", "damas", "material", "--nodes", "60", "--pairs", "2", "--save", str(path), "--json"
    ).json
    assert answer["games"] == 4 == answer["wins"] + answer["draws"] + answer["losses"]
    assert path.read_text(encoding="utf-8").count("[Event") == 4
    assert len(answer["ballot"]) == 16 and answer["forfeits"] == []
    refused = damas("match", "damas", "material", "--pairs", "1", "--nodes", "9", "--save", str(path)).refused
    assert "games.pdn" in refused, "a file that is there is not written over"


def test_the_test_is_told(damas):
    answer = damas("match", "level:4", "greedy", "--pairs", "40", "--sprt", "0,200", "--json").json
    assert answer["test"]["verdict"] == "accepted"
    assert answer["games"] < 80


def test_several_at_a_time(damas):
    assert damas("match", "level:1", "greedy", "--pairs", "3", "--jobs", "2", "--json").json["games"] == 6


def test_by_the_clock(damas):
    answer = damas("match", "damas", "material", "--time", "0.4+0.01", "--pairs", "1", "--json").json
    assert answer["games"] == 2


def test_another_program(damas):
    command = f"{sys.executable} -m damas hub -r brasileira --hash 1"
    answer = damas("match", "damas", f"hub:{command}", "--nodes", "40", "--pairs", "1", "--json").json
    assert answer["games"] == 2 and answer["forfeits"] == []


def test_a_program_that_is_not_there_loses_and_is_told(damas):
    answer = damas("match", "greedy", "hub:/nowhere/at/all", "--pairs", "2")
    assert "Lost off the board: 4" in answer.out and "cannot be started" in " ".join(answer.out.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_for_people(damas, language):
    out = damas("match", "greedy", "level:1", "--pairs", "1", "--sprt=-5,0", "--lang", language).out
    assert "greedy" in out and "Elo" in out and "95 %" in out and "LLR" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("damas",),
        ("damas", "level:11"),
        ("damas", "hub:"),
        ("damas", "somebody"),
        ("damas", "greedy", "--sprt", "5,0"),
        ("damas", "greedy", "--sprt", "x"),
        ("damas", "greedy", "--time", "0"),
        ("damas", "greedy", "--time", "1", "--nodes", "4"),
        ("damas", "greedy", "-r", "xadrez"),
        ("damas", "greedy", "--pairs", "0"),
    ],
)
def test_bad_input(damas, arguments):
    assert damas("match", *arguments).refused


def test_hub_from_the_command_line(damas):
    answer = damas("hub", "-r", "brasileira", stdin="hub\ninit\npos\nlevel nodes=100\ngo think\nnonsense\n")
    assert answer.code == 0
    words = [line.split()[0] for line in answer.out.splitlines()]
    assert words[0] == "id" and {"wait", "ready", "done", "error"} <= set(words)
    assert damas("hub", stdin="hub\nquit\nhub\n").out.count("wait") == 1
    assert damas("hub", "--json").refused
