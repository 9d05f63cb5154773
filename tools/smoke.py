"""Check an installed damas from outside its source tree: `smoke.py`. Prints one line; raises an error where one is found.

Run after installing, by `make release` and by cibuildwheel on every platform. Needs damas and nothing else.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import damas
from damas.notation import read_game

PERFT = {"brasileira": (6, 37628), "internacional": (5, 27117), "turca": (5, 85090), "canadense": (5, 79049)}
"""Depth and leaves from the first position, for each kind of board, as tests/perft states them."""


def play() -> damas.Game:
    """A whole game: always the first legal move."""
    game = damas.Game.start("brasileira")
    while not game.outcome:
        game = game.play(next(iter(game.legal_moves)))
    return game


def command(*arguments: str) -> str:
    """The output of the command line."""
    env = os.environ | {"PYTHONUTF8": "1", "LC_ALL": "C"}
    words = [sys.executable, "-m", "damas", *arguments]
    ran = subprocess.run(words, env=env, capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, f"damas {' '.join(arguments)}: {ran.stderr}"
    return ran.stdout


def main() -> None:
    source = Path(__file__).resolve().parents[1] / "src"
    assert source not in Path(damas.__file__).resolve().parents, (
        "damas is that of the source tree, not an installed one"
    )
    for book, (depth, leaves) in PERFT.items():
        counted = damas.Position.start(book).perft(depth)
        assert counted == leaves, f"perft {depth} of {book} is {counted}, not {leaves}"
    game = play()
    assert game.outcome is not None
    again = read_game(game.pdn())
    assert [node.move.text for node in again.moves] == [move.text for move in game.moves]
    assert command("--version").split() == ["damas", damas.__version__]
    assert "c3-d4" in command("moves", "-r", "brasileira")
    assert command("best", "-r", "brasileira", "--nodes", "2000")
    assert "two-move" in command("openings", "-r", "inglesa")
    assert "greedy" in command("match", "greedy", "random", "--games", "2", "--nodes", "100", "--seed", "1")
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "tábua.svg"
        command("show", "-r", "portuguesa", "--svg", str(picture))
        assert picture.read_text(encoding="utf-8").startswith("<svg")
        command("tb", "build", "-r", "brasileira", "--pieces", "2", "--folder", folder)
    python = ".".join(map(str, sys.version_info[:3]))
    print(
        f"damas {damas.__version__} works on Python {python}, {sys.platform}: {len(game.moves)} plies, perft, CLI"
    )


if __name__ == "__main__":
    main()
