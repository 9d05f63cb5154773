"""The ladder of the levels: adjacent levels, or all of them, in colour-reversed pairs; ratings with error bars.

    python -m training.ladder --out build/ladder -r brasileira -r portuguesa --pairs 200 --jobs 16 [--all]

Games are saved as PDN, one file for each meeting; results as JSON, and tables for docs/reference/levels.md. A second
run goes on where the first was stopped: a meeting that was played by the same levels and network from the same openings
is not played again. With one seed the games are the same everywhere, as long as the same endgame tables lie in
`DAMAS_TABLEBASES`.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from functools import cache
from math import log
from pathlib import Path
from typing import Any

from damas.engine import network_for
from damas.engine.levels import LEVELS, STRONGEST, Greedy, LevelPlayer, level
from damas.engine.match import Player, ballot_hash, match
from damas.rules import rulebook
from damas.tournaments.sprt import Sample
from training.refusing import MOST_PAIRS, MOST_SEED, MOST_THREADS, Words, a_stage, known_book, refuse, whole
from training.writing import made_folder, write_text

BOOKS = ("brasileira", "faraes", "portuguesa", "oficial", "concurso")
GREEDY = 0
"""Stands below level 1."""
SETTLED = 0.01
"""Elo."""
DOUBT = 0.5
"""Pairs, drawn, that are added where somebody won everything: that is no certainty."""


def player(book: str, number: int, seed: int) -> Player:
    return Greedy(seed) if number == GREEDY else LevelPlayer(book, number, seed)


@cache
def ballot(book: str, seed: int) -> str:
    """The hash of the openings: the same for all meetings of a run."""
    return ballot_hash(book, seed=seed)


def meet(book: str, lower: int, higher: int, pairs: int, seed: int, out: str) -> dict[str, Any]:
    """One meeting; the scores are those of the higher level."""
    path = Path(out) / f"{book}-{higher}-{lower}.json"
    network = network_for(rulebook(book))
    wanted = {
        "book": book,
        "lower": lower,
        "higher": higher,
        "pairs_played": pairs,
        "seed": seed,
        "levels": [asdict(level(number)) if number != GREEDY else None for number in (lower, higher)],
        "network": f"{network.checksum:016x}" if network else None,
        "ballot": ballot(book, seed),
    }
    if path.exists():
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
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
    }
    write_text(path.with_suffix(".pdn"), "\n".join(games))
    write_text(path, json.dumps(answer, indent=1))
    return answer


@a_stage("ladder", __doc__)
def main(parser: Words) -> int:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--out", required=True)
    parser.add_argument("-r", "--rulebook", action="append", metavar="ID")
    parser.add_argument("--pairs", type=whole(1, MOST_PAIRS), default=200)
    parser.add_argument("--jobs", type=whole(1, MOST_THREADS), default=2)
    parser.add_argument("--seed", type=whole(0, MOST_SEED), default=1)
    parser.add_argument(
        "--top",
        type=whole(LEVELS[0], STRONGEST),
        default=9,
        help="the highest level that plays; 10 thinks by the clock",
    )
    parser.add_argument(
        "--bottom", type=whole(GREEDY, STRONGEST - 1), default=GREEDY, help="the lowest; 0 is greedy"
    )
    parser.add_argument("--all", action="store_true", help="everybody against everybody")
    options = parser.parse_args()
    if options.bottom >= options.top:
        refuse(parser, f"nobody to play: --bottom {options.bottom} is to be less than --top {options.top}")
    for book in options.rulebook or ():
        known_book(parser, book)
    made_folder(Path(options.out))
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
        try:
            for job in as_completed(jobs):
                found.append(job.result())
                print(f"\r{len(found)}/{len(jobs)} meetings", end="", file=sys.stderr, flush=True)
        except OSError:
            pool.shutdown(cancel_futures=True)  # what cannot be kept is not played
            raise
        finally:
            if found:
                print(file=sys.stderr)
    order = {meeting: place for place, meeting in enumerate(meetings)}
    found.sort(key=lambda answer: order[(answer["book"], answer["lower"], answer["higher"])])
    write_text(Path(options.out) / "ladder.json", json.dumps(found, indent=1))
    table = "\n".join([*rating_rows(found), "", *rows(found)])
    write_text(Path(options.out) / "ladder.md", table + "\n")
    print(table)
    return 0


def ratings(found: list[dict[str, Any]]) -> dict[int, float]:
    """The ratings of one rulebook that make its scores likeliest, level 1 being 0, or else the lowest that played. Each
    is moved by itself until none moves any more. A meeting in which one level won everything would move them for ever,
    unless others bind the two together: it counts with half a pair drawn.
    """
    rating = {number: 0.0 for answer in found for number in (answer["lower"], answer["higher"])}
    scores = []
    for answer in found:
        pairs, points = answer["pairs_played"], answer["pairs_played"] * answer["score"]
        if unbound(answer, found):
            pairs, points = pairs + DOUBT, points + DOUBT / 2
        higher, lower = answer["higher"], answer["lower"]
        scores += [(higher, lower, points / pairs, 2 * pairs), (lower, higher, 1 - points / pairs, 2 * pairs)]
    moved = SETTLED + 1
    while moved > SETTLED:
        moved = 0.0
        for number in rating:
            surplus = information = 0.0
            for one, other, share, games in scores:
                if one == number:
                    expected = 1 / (1 + 10 ** ((rating[other] - rating[one]) / 400))
                    surplus += games * (share - expected)
                    information += games * expected * (1 - expected)
            step = max(-50.0, min(50.0, surplus / max(information, 1e-9) * 400 / log(10)))
            rating[number] += step
            moved = max(moved, abs(step))
    zero = rating[LEVELS[0] if LEVELS[0] in rating else min(rating)]
    return {number: value - zero for number, value in sorted(rating.items())}


def unbound(meeting: dict[str, Any], found: list[dict[str, Any]]) -> bool:
    """Whether somebody won everything, and no chain of points leads from the loser back to the winner: then nothing
    says how far apart they are.
    """
    if 0 < meeting["score"] < 1:
        return False
    winner, loser = meeting["higher"], meeting["lower"]
    if meeting["score"] == 0:
        winner, loser = loser, winner
    took_from: dict[int, set[int]] = {}
    for answer in found:
        if answer["score"] > 0:
            took_from.setdefault(answer["higher"], set()).add(answer["lower"])
        if answer["score"] < 1:
            took_from.setdefault(answer["lower"], set()).add(answer["higher"])
    reached, new = set(), {loser}
    while new:
        reached |= new
        new = {other for one in new for other in took_from.get(one, ())} - reached
    return winner not in reached


def rating_rows(found: list[dict[str, Any]]) -> list[str]:
    """A column for each rulebook: the rating of a level, and how far it is above the one below."""
    books = list(dict.fromkeys(answer["book"] for answer in found))
    columns = {book: ratings([answer for answer in found if answer["book"] == book]) for book in books}
    lines = [f"| level | {' | '.join(books)} |", f"| --- |{' ---: |' * len(books)}"]
    numbers = sorted({number for column in columns.values() for number in column})
    for below, number in zip([None, *numbers], numbers, strict=False):
        cells = []
        for column in columns.values():
            step = f" ({column[number] - column[below]:+.0f})" if below is not None else ""
            cells.append(f"{column[number]:.0f}{step}".replace("-", "−"))
        lines.append(f"| {number or 'greedy'} | {' | '.join(cells)} |")
    return lines


def rows(found: list[dict[str, Any]]) -> list[str]:
    lines = [
        "| rulebook | higher | lower | games | score | Elo (95 %) |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for answer in found:
        elo, low, high = answer["elo"]
        sample = Sample(answer["pairs"])
        name = answer["lower"] or "greedy"
        lines.append(
            f"| {answer['book']} | {answer['higher']} | {name} | {2 * sample.count} | {sample.score:.1%} "
            f"| {elo:+.0f} [{low:+.0f}, {high:+.0f}] |"
        )
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
