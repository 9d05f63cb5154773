"""A contest from a roster, and requests to disqualify somebody who is not in it."""

import csv
import json
import re
from pathlib import Path

import pytest

from damas.cli import main
from damas.tournaments.journal import disqualify, read_settings

CSV = 'name,team,command\nAna,Turma A,random\n"Rui, o 2º",,greedy\n'
TOML = '[[player]]\nname = "Ana"\nteam = "Turma A"\ncommand = "random"\n[[player]]\nname = "Rui, o 2º"\ncommand = "greedy"\n'


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("roster.csv", CSV),
        ("roster.csv", "\ufeff" + CSV.replace("Rui, o 2º", "Rui@ o 2º").replace(",", ";").replace("@", ",")),
        ("roster.toml", TOML),
    ],
    ids=["commas", "semicolons of a spreadsheet", "toml"],
)
def test_a_contest_of_a_roster(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, text: str
) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8")
    out = tmp_path / "out"
    words = ["arena", "--roster", str(tmp_path / file), "--games", "1", "--jobs", "1", "--out", str(out)]
    assert main([*words, "--lang", "en"]) == 0
    entries = read_settings(out).entries
    assert [(e.name, e.team, e.spec) for e in entries] == [
        ("Ana", "Turma A", "random"),
        ("Rui, o 2º", "", "greedy"),
    ]
    assert "Ana (Turma A)" in capsys.readouterr().out
    teams = {
        row["name"]: row["team"]
        for row in csv.DictReader((out / "table.csv").read_text(encoding="utf-8").splitlines())
    }
    assert teams == {"Ana": "Turma A", "Rui, o 2º": ""}
    assert "Turma A" in (out / "report.html").read_text(encoding="utf-8")
    players = json.loads((out / "results.json").read_text(encoding="utf-8"))["players"]
    assert {player["name"]: player.get("team") for player in players} == {"Ana": "Turma A", "Rui, o 2º": None}


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("r.csv", "Ana,random\nRui,greedy\n", "must name the columns name and command"),
        ("r.csv", "name,command,points\nAna,random,3\n", "must name the columns"),
        ("r.csv", "name,command\nAna,random\nRui\n", "player 2: name or command is missing"),
        ("r.csv", "name,command\nAna,random\nAna,greedy\n", "the name Ana appears twice"),
        ("r.csv", f"name,command\n{'a' * 61},random\n", "player 1: the name"),
        ("r.csv", "name,command\nAna,./no-such-program\nRui,random\n", "no-such-program"),
        ("r.csv", "name,command\nAna,random\n", "at least two players"),
        ("r.toml", "[[player]\n", r"\[\[player\]\]"),
        ("r.toml", '[player]\nname = "Ana"\n', r"\[\[player\]\]"),
        ("r.toml", '[[player]]\nname = "Ana"\ncomand = "random"\n', r"\[\[player\]\]"),
        ("none.csv", "", "no such file|does not exist"),
    ],
)
def test_a_roster_that_cannot_be_read_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, text: str, why: str
) -> None:
    if text:
        (tmp_path / file).write_text(text, encoding="utf-8")
    out = tmp_path / "out"
    assert main(["arena", "--roster", str(tmp_path / file), "--out", str(out), "--lang", "en"]) == 2
    message = " ".join(capsys.readouterr().err.split())
    assert re.search(why, message), message
    assert not out.exists()


def test_a_request_that_names_nobody_is_refused_with_the_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    disqualify(out, "Luis", "copied")  # a slip of the pen, before it begins
    disqualify(out, "greedy", "two programs in one")
    words = ["random", "greedy", "level:1", "--games", "2", "--jobs", "1"]
    assert main(["arena", *words, "--out", str(out), "--lang", "en"]) == 0
    shown = capsys.readouterr()
    err = " ".join(shown.err.split())
    assert "nobody is called that: Luis: copied. The players are: random, greedy, level 1" in err
    assert err.count("Luis") == 1
    assert "two programs in one" in shown.out
    assert main(["arena", "--resume", str(out), "--lang", "en"]) == 2
    assert "The players are: random, greedy, level 1" in " ".join(capsys.readouterr().err.split())
