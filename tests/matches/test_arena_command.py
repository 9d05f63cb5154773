"""`damas arena` as people use it: scenario S3, a terminal, Ctrl-C and what comes after."""

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from damas.cli import main
from damas.language import LANGUAGES
from damas.matches.box.tiers import ORDER, missing
from damas.notation import BadGame, read_games
from damas.tournaments.tournament import read_standings
from matches.bots import write

DAMAS = [sys.executable, "-m", "damas"]
ENVIRONMENT = {**os.environ, "LC_ALL": "en_US.UTF-8", "PYTHONUTF8": "1", "COLUMNS": "80", "TERM": "xterm"}
HOUSE = Path(__file__).parents[2] / "docs/how-to/house_rules.toml"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def damas(*words: str, code: int = 0) -> str:
    ran = subprocess.run(
        [*DAMAS, *words], env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == code, ran.stderr
    return ran.stdout if code != 2 else ran.stderr


def in_terminal(*words: str, until: bytes = b"", then: int = 0) -> tuple[int, str]:
    """Runs in a terminal of 80 columns; `then` is the signal sent when what it has shown matches `until`."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*DAMAS, *words], env=ENVIRONMENT, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    shown = b""
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:
                break
        if then and re.search(until, shown):
            os.killpg(process.pid, then)
            then = 0
    os.close(ours)
    return process.wait(60), shown.decode()


def test_s3_a_first_bot(here):
    damas("bot", "new", "meu_bot.py")
    command = "arena meu_bot.py random --rulebook concurso --games 20 --time 1 --seed 1"
    code, shown = in_terminal(*command.split())
    assert code == 0
    assert "\x1b[J" in shown and re.search(r"\d+ of 20 games", shown), "a table that is drawn anew"
    last = shown[shown.rindex("meu_bot – random") :]
    assert re.search(r"1 +\S+ +\d+½? +20", last)
    assert re.search(r"Elo of meu_bot over random: [+−-]?\d+ ± \d+", last)
    [folder] = here.glob("arena-*")
    games = list(read_games((folder / "games.pdn").read_text()))
    assert len(games) == 20 and not any(isinstance(game, BadGame) for game in games)
    assert {game.tags["White"] for game in games} == {"meu_bot", "random"}
    assert all(game.result.text in ("1-0", "0-1", "1/2-1/2") for game in games)
    assert (folder / "report.html").stat().st_size > 20_000


def test_json_is_one_line_and_the_files_are_there(here):
    words = ("arena", "greedy", "random", "-r", "concurso", "--games", "4", "--seed", "1")
    out = damas(*words, "--out", "t", "--json")
    assert out.count("\n") == 1
    answer = json.loads(out)
    assert answer["finished"] and answer["games"] == 4 and answer["due"] == 0
    assert [player["name"] for player in answer["players"]] == ["greedy", "random"]
    for name in ("pdn", "results", "games_csv", "table_csv", "report"):
        assert Path(answer[name]).is_file()
    assert json.loads(Path(answer["results"]).read_text())["list"][0]["id"] == "001-001-01"
    assert len(Path(answer["games_csv"]).read_text().splitlines()) == 5
    assert "t/tournament.json" in damas("arena", "greedy", "random", "--out", "t", code=2)


GATE = """
import pathlib, time
class Gate:
    def choose(self, game):
        while not pathlib.Path({go!r}).exists():
            time.sleep(0.01)
        return game.legal_moves[0]
"""
"""Moves only when a file is there, so that a tournament with it cannot end before."""


def test_ctrl_c_leaves_a_folder_that_goes_on(here):
    (here / "gate.py").write_text(GATE.format(go=str(here / "go")))
    # Nobody is late in ten minutes however busy the machine is: the result is the players' alone.
    words = (
        "arena python:gate.py:Gate greedy random -r concurso --games 4 --time 600 --jobs 2 --seed 1 --trust"
    )
    code, shown = in_terminal(
        *words.split(), "--out", "t", until=rb"[1-9]\d* of 12 games,", then=signal.SIGINT
    )
    assert code == 130
    assert "To go on: damas arena --resume t" in " ".join(shown.split())
    assert "Traceback" not in shown
    before = (here / "t/journal.jsonl").read_bytes()
    assert 0 < len(read_standings(here / "t")[1].games) < 12
    (here / "go").touch()
    answer = json.loads(damas("arena", "--resume", "t", "--json", "--jobs", "2"))
    assert answer["games"] == 12 and answer["finished"]
    assert (here / "t/journal.jsonl").read_bytes().startswith(before)
    quiet = json.loads(damas(*words.split(), "--out", "quiet", "--json"))
    assert answer["players"] == quiet["players"], "as if nobody had pressed anything"


def test_colours_are_drawn_anew_each_time_unless_a_seed_repeats_them(here):
    """004-1.5: a lot is a lot. The seed is printed and kept, and with it everything comes again."""

    def colours(*words: str) -> tuple[int, list[str]]:
        folder = f"t{len(list(here.iterdir()))}"
        options = ("-r", "concurso", "--games", "12", "--jobs", "1", "--out", folder, *words)
        shown = " ".join(damas("arena", "random", "random", *options).split())
        settings = json.loads((here / folder / "tournament.json").read_text())
        assert f"Seed {settings['seed']}: --seed {settings['seed']} repeats" in shown
        played = json.loads((here / folder / "results.json").read_text())["list"]
        return settings["seed"], [(game["white"], game["plies"]) for game in played]

    first, second = colours(), colours()
    assert first[0] != second[0]
    assert first[1] != second[1]
    assert colours("--seed", str(first[0])) == first


def test_a_test_ends_the_match_early(here):
    words = ("arena", "greedy", "random", "-r", "concurso", "--sprt", "0", "200", "--seed", "1")
    answer = json.loads(damas(*words, "--json"))
    assert answer["test"]["verdict"] == "accepted" and answer["games"] < 60
    assert answer["openings"] == "ballot"


def test_the_offender_is_told_with_its_receipt(here, capsys):
    write(here, "liar")
    assert (
        main(
            [
                "arena",
                "liar.py",
                "random",
                "-r",
                "concurso",
                "--games",
                "2",
                "--trust",
                "--out",
                "t",
                "--lang",
                "en",
            ]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert "liar lost 2 games by a fault: INVALID_MOVE 2" in " ".join(out.split())
    [path] = re.findall(r"t/receipts/\w+\.json", out)
    assert json.loads((here / path).read_text())["verdict"] == "INVALID_MOVE"
    (here / "elsewhere").mkdir()
    os.chdir(here / "elsewhere")
    assert main(["repro", str(here / path), "--trust", "--lang", "en"]) == 0
    assert "The same again" in capsys.readouterr().out
    page = (here / "t/report.html").read_text()
    assert "9,9 8,8" in page and "Nearest legal move" in page and "4. Escenarios de victoria" in page


def test_what_others_may_read_names_no_folder_of_this_machine(here, capsys):
    """And the tournament still knows where everything is."""
    away = here / "away" / "from"
    away.mkdir(parents=True)
    (away / "mine.toml").write_bytes(HOUSE.read_bytes())
    words = [write(away, "liar"), "random", "-r", str(away / "mine.toml")]
    assert main(["arena", *words, "--games", "2", "--trust", "--seed", "1", "--out", "t", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rulebook"] == "mine.toml"
    for name in ("report.html", "results.json", "games.csv", "table.csv", "games.pdn"):
        assert str(here) not in (here / "t" / name).read_text(), name
    for path in (here / "t/receipts").iterdir():
        receipt = json.loads(path.read_text())
        assert (receipt["spec"], receipt["rulebook"]) == ("./liar.py", "mine.toml")
        assert str(here) not in path.read_text()
    assert main(["repro", path.stem, "--trust", "--lang", "en"]) == 0
    assert "The same again" in capsys.readouterr().out


def test_games_that_are_all_the_same_are_told(here, capsys):
    assert (
        main(
            [
                "arena",
                "moves:c3-d4",
                "moves:f6-g5",
                "-r",
                "concurso",
                "--games",
                "6",
                "--colours",
                "alternating",
                "--lang",
                "en",
            ]
        )
        == 0
    )
    out = " ".join(capsys.readouterr().out.split())
    assert "Only 2 games are different among 6: --openings ballot" in out


@pytest.mark.parametrize("format", ["gauntlet", "swiss", "knockout", "ladder"])
def test_every_format_from_the_command_line(here, format, capsys):
    players = ["greedy", "random", "random", "level:1", "random"]
    code = main(
        [
            "arena",
            *players,
            "-r",
            "concurso",
            "--format",
            format,
            "--openings",
            "random:4",
            "--seed",
            "1",
            "--json",
        ]
    )
    answer = json.loads(capsys.readouterr().out)
    assert code == 0 and answer["finished"] and answer["format"] == format
    names = {"greedy", "random", "random (2)", "level 1", "random (3)"}
    assert {player["name"] for player in answer["players"]} == names


NAMES = ["a.py", "a (2).py", "a\x1b[31m\nb.py", '"].py']


def test_names_are_plain_and_nobody_has_anothers(here, capsys):
    assert main(["bot", "new", "a.py", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lines"] == 12
    for name in NAMES[1:]:
        (here / name).write_text((here / "a.py").read_text())
    players = [shlex.quote(f"./{name}") for name in (NAMES[0], NAMES[0], *NAMES[1:])]
    assert (
        main(
            [
                "arena",
                *players,
                *[
                    "--games",
                    "1",
                    "-r",
                    "concurso",
                    "--trust",
                    "--format",
                    "gauntlet",
                    "--seed",
                    "1",
                    "--json",
                ],
            ]
        )
        == 0
    )
    answer = json.loads(capsys.readouterr().out)
    names = {"a", "a (2)", "a (2) (2)", "a [31m b", '"]'}
    assert {player["name"] for player in answer["players"]} == names


def test_rules_that_have_changed_play_no_further_game(here, capsys):
    rules = HOUSE.read_text()
    (here / "mine.toml").write_text(rules)
    assert main(["arena", "random", "greedy", "--games", "2", "-r", "mine.toml", "--out", "t"]) == 0
    table, journal = read_standings(here / "t")[1], here / "t/journal.jsonl"
    first = journal.read_text().splitlines(keepends=True)[0]
    journal.write_text(first)
    (here / "mine.toml").write_text(
        rules.replace("men_capture_backward = { value = false", "men_capture_backward = { value = true")
    )
    assert (here / "mine.toml").read_text() != rules
    capsys.readouterr()
    assert main(["arena", "--resume", "t", "--lang", "en"]) == 2
    message = capsys.readouterr().err
    assert message.startswith(
        f"damas: The rules of {here / 'mine.toml'} have changed since the tournament in “t” began: "
    )
    assert "damaged" not in message and message.count("\n") == 1
    assert journal.read_text() == first
    (here / "mine.toml").write_text(rules)
    assert main(["arena", "--resume", "t"]) == 0
    assert [row.points for row in read_standings(here / "t")[1].rows] == [row.points for row in table.rows]


BAD = {
    "one player": ["random"],
    "nobody": [],
    "unknown": ["random", "nobody-at-all"],
    "time": ["random", "random", "--time", "soon"],
    "no time": ["random", "random", "--time", "0"],
    "games": ["random", "random", "--games", "0"],
    "openings": ["random", "random", "--openings", "random:99"],
    "no file": ["random", "random", "--openings", "nowhere.pdn"],
    "sprt of three": ["random", "random", "greedy", "--sprt", "0", "5"],
    "sprt words": ["random", "random", "--sprt", "5", "0"],
    "rulebook": ["random", "random", "-r", "xadrez"],
    "resumed and new": ["random", "random", "--resume", "t"],
    "resumed nothing": ["--resume", "nowhere"],
    "format": ["random", "random", "--format", "arena"],
}


def test_a_script_without_its_interpreter_is_refused_before_anything_begins(here, capsys):
    (here / "script").write_text("#!/nowhere/at/all\n")
    (here / "script").chmod(0o755)
    if not any(not missing(tier) for tier in ORDER):
        pytest.skip("not proved: no containment here")
    assert main(["arena", "./script", "random", "--out", "t", "--lang", "en"]) == 2
    assert "interpreter" in capsys.readouterr().err and not (here / "t").exists()


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_in_every_language(here, capsys, case):
    messages = set()
    for language in LANGUAGES:
        assert main(["arena", *BAD[case], "--lang", language]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("damas: ") and err.count("\n") == 1
        messages.add(err)
    assert len(messages) >= 3
    assert not list(here.iterdir()), "nothing was begun"
