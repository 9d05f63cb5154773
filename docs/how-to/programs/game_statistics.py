"""Print statistics of a PDN file of any size, and what it took: `game_statistics.py GAMES.pdn`.

The games are read one by one with their variations, so that the memory does not grow with the file.
"""

import sys
import time
from collections import Counter
from pathlib import Path

from damas.notation import BadGame, read_games


def main(path: Path) -> None:
    """Print results, openings, lengths and annotations."""
    began = time.process_time()
    results, openings = Counter[str](), Counter[str]()
    games = bad = plies = in_variations = comments = 0
    for game in read_games(path):
        if isinstance(game, BadGame):
            bad += 1
            continue
        games += 1
        plies += len(game.moves)
        results[game.result.text] += 1
        openings[" ".join(node.move.text for node in game.moves[:2])] += 1
        for place in game.walk():
            in_variations += not place.is_main
            comments += len(place.comments)
    seconds = time.process_time() - began
    print(f"{games} games and {bad} with a mistake, {plies / max(games, 1):.1f} plies each")
    print(f"{in_variations} moves in variations, {comments} comments")
    for text, count in results.most_common():
        print(f"  {text}: {count}")
    for text, count in openings.most_common(5):
        print(f"  {text}: {count}")
    print(f"{seconds:.2f} s, {peak_memory_mb():.0f} MB", file=sys.stderr)


def peak_memory_mb() -> float:
    """The most memory that this process has had; 0 on Windows, which does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    bytes_a_unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * bytes_a_unit / 2**20


if __name__ == "__main__":
    main(Path(sys.argv[1]))
