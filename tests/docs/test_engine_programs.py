"""The whole programs of docs/how-to/engine-client.md run as a newcomer would run them."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from client.programs import OURS

PROGRAMS = Path(__file__).parents[2] / "docs/how-to/programs"
GAMES = """\
[GameType "26"]
1. c3-d4 f6-g5 2. b2-c3 g7-f6 *

[GameType "26"]
1. c3-b4 b6-a5 *
"""


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text(GAMES)
    return str(path)


def run(name, *arguments, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(PROGRAMS / name), run_name="__main__")
    return capsys.readouterr().out.splitlines()


def test_a_game_is_analysed_by_a_hub_engine(games, monkeypatch, capsys):
    lines = run("analyse_game.py", games, *OURS, monkeypatch=monkeypatch, capsys=capsys)
    assert lines[-1] == "4 plies analysed by damas"
    assert all(" better " in line for line in lines[:-1])


def test_a_game_is_analysed_by_two_engines_at_once(games, monkeypatch, capsys):
    lines = run("analyse_game_async.py", games, *OURS, monkeypatch=monkeypatch, capsys=capsys)
    assert lines == ["4 of 4 choices are the same"]


def test_an_engine_beats_random_moves(monkeypatch, capsys):
    lines = run("random_match.py", "2", monkeypatch=monkeypatch, capsys=capsys)
    assert lines == ["the engine won 2 of 2 games"]


def test_a_pool_analyses_many_games(games):
    command = [sys.executable, str(PROGRAMS / "analyse_games_in_a_pool.py"), games]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == "" and done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["game 1", "game 2"]
    assert all(float(line.split(": ")[1]) < 1 for line in lines)


def test_every_program_is_on_the_page():
    page = (PROGRAMS.parent / "engine-client.md").read_text()
    names = {path.name for path in PROGRAMS.glob("*.py")}
    assert names and all(f"(programs/{name})" in page for name in names)
