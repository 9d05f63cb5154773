"""The table of the levels says what its games say."""

import lzma
import re
from collections import Counter
from pathlib import Path

from damas.notation import PdnGame, read_games

FOLDER = Path(__file__).parents[2] / "docs/reference"
ROW = re.compile(r"\| (\w+) \| (\d) \| (\d|greedy) \| (\d+), (\d+), (\d+) \|")
POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}


def test_the_games_are_those_of_the_table():
    text = (FOLDER / "levels.md").read_text(encoding="utf-8")
    rows = {
        matches.group(1, 2, 3): tuple(map(int, matches.groups()[3:]))
        for matches in map(ROW.match, text.splitlines())
        if matches
    }
    counted: dict[tuple[str, ...], Counter[int]] = {key: Counter() for key in rows}
    for game in read_games(lzma.decompress((FOLDER / "levels.pdn.xz").read_bytes()).decode()):
        assert isinstance(game, PdnGame)
        white, black = (game.tags[side].removeprefix("level ") for side in ("White", "Black"))
        points = POINTS[game.result.text]
        if white == "greedy" or (black != "greedy" and white < black):
            white, black, points = black, white, 2 - points
        counted[(game.rulebook.id, white, black)][points] += 1
    assert {key: (matches[2], matches[1], matches[0]) for key, matches in counted.items()} == rows
    assert len(rows) == 45 and all(sum(row) == 100 for row in rows.values())
