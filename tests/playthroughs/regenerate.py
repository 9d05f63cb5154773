"""Writes the printed games again. Run it when a rule or a sentence has changed on purpose, and review the difference.

.venv/bin/python tests/playthroughs/regenerate.py [NAME ...]
"""

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playthroughs.scenarios import all_scenarios

HERE = Path(__file__).parent


def print_games(names: Sequence[str] = ()) -> None:
    """Write the files of these names, or all of them."""
    for name, games in all_scenarios().items():
        if not names or name in names:
            text = "\n".join(game.text() for game in games)
            (HERE / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    print_games(sys.argv[1:])
