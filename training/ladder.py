"""The ladder of the levels: adjacent levels, or all of them, in colour-reversed pairs; ratings with error bars.

    python -m training.ladder --out build/ladder -r brasileira -r portuguesa --pairs 200 --jobs 16 [--all]

Games are saved as PDN, one file for each meeting; results as JSON, and a table for docs/reference. A second run goes on
where the first was stopped: a meeting whose file is whole is not played again.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from damas.engine.levels import LEVELS, Greedy, LevelPlayer
from damas.engine.match import Player, ballot_hash, match
from damas.engine.sprt import Sample

BOOKS = ("brasileira", "faraes", "portuguesa", "oficial", "concurso")
GREEDY = 0
"""Stands below level 1."""


def player(book: str, number: int, seed: int) -> Player:
    return Greedy(seed) if number == GREEDY else LevelPlayer(book, number, seed)


def meet(book: str, lower: int, higher: int, pairs: int, seed: int, out: str) -> dict[str, object]:
    """One meeting; the scores are those of the higher level."""
    path = Path(out) / f"{book}-{higher}-{lower}.json"
    wanted = {"book": book, "lower": lower, "higher": higher, "pairs_played": pairs, "seed": seed}
    if path.exists():
        found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
        if wanted.items() <= found.items():
            return found
    first, second = player(book, higher, seed), player(book, lower, seed + 1)
    games: list[str] = []
    standing = match(
        book,
        first,
        second,
        pairs=pairs,
        seed=seed,
        report=lambda _, pair: games.extend(game.pdn for game in pair),
    )
    first.close()
    second.close()
    elo, low, high = standing.sample.elo()
    answer = {
        **wanted,
        "pairs": standing.pairs,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "forfeits": standing.forfeits,
        "score": round(standing.sample.score, 4),
        "elo": [round(max(-9999.0, min(9999.0, value)), 1) for value in (elo, low, high)],
        "ballot": ballot_hash(book, seed=seed),
    }
    path.with_suffix(".pdn").write_text("\n".join(games), encoding="utf-8")
    path.write_text(json.dumps(answer, indent=1), encoding="utf-8")
    return answer


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", required=True)
    parser.add_argument("-r", "--rulebook", action="append", metavar="ID")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--top", type=int, default=9, help="the highest level that plays; 10 thinks by the clock"
    )
    parser.add_argument("--bottom", type=int, default=GREEDY)
    parser.add_argument("--all", action="store_true", help="everybody against everybody")
    options = parser.parse_args()
    Path(options.out).mkdir(parents=True, exist_ok=True)
    levels = [number for number in (GREEDY, *LEVELS) if options.bottom <= number <= options.top]
    meetings = [
        (book, one, other)
        for book in options.rulebook or BOOKS
        for place, one in enumerate(levels)
        for other in (levels[place + 1 :] if options.all else levels[place + 1 : place + 2])
    ]
    found = []
    with ProcessPoolExecutor(options.jobs) as pool:
        # The slowest first: nobody waits for one long meeting at the end.
        jobs = [
            pool.submit(meet, *meeting, options.pairs, options.seed, options.out)
            for meeting in sorted(meetings, key=lambda meeting: -meeting[2])
        ]
        for job in as_completed(jobs):
            found.append(job.result())
            print(f"\r{len(found)}/{len(jobs)} meetings", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    order = {meeting: place for place, meeting in enumerate(meetings)}
    found.sort(key=lambda answer: order[(answer["book"], answer["lower"], answer["higher"])])  # type: ignore[index]
    (Path(options.out) / "ladder.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    table = "\n".join(rows(found))
    (Path(options.out) / "ladder.md").write_text(table + "\n", encoding="utf-8")
    print(table)
    return 0


def rows(found: list[dict[str, object]]) -> list[str]:
    lines = [
        "| rulebook | higher | lower | games | score | Elo (95 %) |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for answer in found:
        elo, low, high = answer["elo"]  # type: ignore[misc]
        sample = Sample(answer["pairs"])  # type: ignore[arg-type]
        name = answer["lower"] or "greedy"
        lines.append(
            f"| {answer['book']} | {answer['higher']} | {name} | {2 * sample.count} | {sample.score:.1%} "
            f"| {elo:+.0f} [{low:+.0f}, {high:+.0f}] |"
        )
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
