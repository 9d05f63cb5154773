"""The table of matches with other programs says what their games say."""

import lzma
import re
from collections import Counter
from pathlib import Path

import pytest

from damas.notation import PdnGame, read_games

FOLDER = Path(__file__).parents[2] / "docs/explanation"
ROW = re.compile(r"\| (Scan|py-draughts) [^|]*\| `(\w+)` \| [^|]* \| (\d+) \| (\d+), (\d+), (\d+) \|")
ROWS = {
    matches[1]: (matches[2], *map(int, matches.groups()[2:]))
    for matches in map(ROW.match, (FOLDER / "strength.md").read_text(encoding="utf-8").splitlines())
    if matches
}


@pytest.mark.parametrize("program", ["Scan", "py-draughts"])
def test_the_games_are_those_of_the_table(program: str) -> None:
    text = lzma.decompress((FOLDER / f"strength/{program.lower()}.pdn.xz").read_bytes()).decode()
    counted: Counter[str] = Counter()
    books = set()
    for game in read_games(text):
        assert isinstance(game, PdnGame)
        assert {game.tags["White"], game.tags["Black"]} == {"damas", program}
        winner = game.result.winner(game.rulebook)
        counted[game.tags[winner.name.title()] if winner else "drawn"] += 1
        books.add(game.rulebook.id)
    assert books == {ROWS[program][0]}
    assert ROWS[program][1:] == (
        counted.total(),
        *(counted[who] for who in ("damas", "drawn", program)),
    )
