"""Prints every playthrough anew. Run it when a rule or a sentence has changed on purpose, and read the difference.

.venv/bin/python tests/playthroughs/regenerate.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playthroughs.scenarios import all_scenarios

HERE = Path(__file__).parent


def printed() -> dict[str, str]:
    """The text of each file."""
    return {name: "\n".join(game.text() for game in games) for name, games in all_scenarios().items()}


def main() -> int:
    for name, text in printed().items():
        (HERE / f"{name}.txt").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
