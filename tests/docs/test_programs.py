"""The seven whole programs of the cookbook run as a newcomer would run them."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import damas
from client.programs import OURS
from damas.client import Limits, open_engine

PROGRAMS = Path(__file__).parents[2] / "docs/how-to/programs"
GAMES = """\
[GameType "26"]
1. c3-d4 f6-g5 2. b2-c3 g7-f6 *

[GameType "26"]
1. c3-b4 b6-a5 *
"""
TREE = """\
[White "Ana"]
[GameType "26"]
1. c3-d4 {the centre} f6-e5 (1... b6-c5 2. d4xb6 {a man}) 2. d4xf6 g7xe5 1-0

"""
SHOT = """\
[GameType "26"]
[FEN "W:Wa1,e1,b2,d2,f2,h2,a3,c3,g3,b4:Bd4,e5,d6,f6,h6,a7,e7,b8,f8,h8"]
1. g3-f4 e5xg3 *
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


def test_fifty_thousand_games_with_variations_take_the_memory_of_a_few(tmp_path):
    many, few = 50_000, 500

    def statistics(count):
        path = tmp_path / f"{count}.pdn"
        with path.open("w") as file:
            file.writelines(TREE for _ in range(count))
        command = [sys.executable, str(PROGRAMS / "game_statistics.py"), str(path)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        return ran.stdout.splitlines(), float(ran.stderr.split(", ")[1].removesuffix(" MB\n"))

    small, megabytes = statistics(few)
    large, more_megabytes = statistics(many)
    for lines, count in ((small, few), (large, many)):
        assert lines == [
            f"{count} games and 0 with a mistake, 4.0 plies each",
            f"{2 * count} moves in variations, {2 * count} comments",
            f"  1-0: {count}",
            f"  c3-d4 f6-e5: {count}",
        ]
    assert more_megabytes < megabytes + 8, "0.2 KB a game would be more"


def test_puzzles_are_found_in_a_game(tmp_path, monkeypatch, capsys):
    path = tmp_path / "games.pdn"
    path.write_text(SHOT)
    lines = run("find_puzzles.py", str(path), monkeypatch=monkeypatch, capsys=capsys)
    place = "W:Wa1,e1,b2,d2,f2,h2,a3,c3,g3,b4:Bd4,e5,d6,f6,h6,a7,e7,b8,f8,h8"
    assert lines == [f"{place}  g3-f4 e5xg3 c3xe5xg7 h8xf6 f2xh4  (2 for 3)"]


def test_a_tree_search_on_clones_beats_random_moves(monkeypatch, capsys):
    pytest.importorskip("pettingzoo")
    [line] = run("tree_search.py", "12", monkeypatch=monkeypatch, capsys=capsys)
    assert line.startswith("white +1 after ")


@pytest.mark.parametrize("book", ["internacional", "brasileira"])
def test_the_engine_of_py_draughts_is_consulted(book):
    python = PROGRAMS.parents[2] / ".venv-bench/py-draughts/bin/python"
    if not python.exists():
        pytest.skip("py-draughts is not installed: make bench")
    game = damas.Game.start(book)
    with open_engine([str(python), str(PROGRAMS / "py_draughts_hub.py")], book, timeout=60) as engine:
        for _ in range(4):
            game = game.play(engine.play(game, Limits(depth=2)).move)
        info = engine.analyse(game, Limits(depth=2))
    assert info.move in game.legal_moves and info.score is not None


def test_every_program_is_on_the_page():
    page = (PROGRAMS.parent / "cookbook.md").read_text(encoding="utf-8")
    names = {path.name for path in PROGRAMS.glob("*.py")}
    assert len(names) == 8 and all(f"(programs/{name})" in page for name in names)
