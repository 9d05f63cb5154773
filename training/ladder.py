"""Rate the levels: adjacent levels, or all of them, play colour-reversed pairs; ratings with error bars.

    python -m training.ladder --out build/ladder -r brasileira -r portuguesa --pairs 200 --jobs 16 [--all]

Games are saved as PDN, one file per meeting, results as JSON, and tables for docs/reference/levels.md. A second run
continues an interrupted one: a meeting already played by the same levels and network from the same openings is not
played again. A seed gives the same games everywhere, provided `DAMAS_TABLEBASES` has the same endgame tables.
"""

import argparse
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from damas.arbiter import TimeControl
from damas.cli.progress import ProgressBar
from damas.engine import network_for
from damas.engine.levels import LEVELS, STRONGEST, level
from damas.jobs import run_pieces
from damas.matches import Entrant, GameResult, Terms
from damas.matches.match import play_match
from damas.openings import ballot_hash
from damas.rules import rulebook
from damas.tournaments.elo import elo
from damas.tournaments.sprt import Sample
from training.atomic_files import ensure_writable_folder, write_text
from training.command_line import COUNT, SEED, StageError, StageParser, integer_between, stage_main

BOOKS = ("brasileira", "faraes", "portuguesa", "oficial", "concurso")
GREEDY = 0
"""Number of the greedy player, rated below level 1."""


def entrant(number: int) -> Entrant:
    """Return the player of a level."""
    return Entrant.parse("greedy" if number == GREEDY else f"level:{number}")


@cache
def ballot(book: str, seed: int) -> str:
    """Return the hash of the openings, the same for all meetings of a run."""
    return ballot_hash(book, seed=seed)


@dataclass(frozen=True)
class Meeting:
    """Games of two levels under a rulebook."""

    book: str
    lower: int
    higher: int
    pairs: int
    seed: int

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that the result depends on."""
        network = network_for(rulebook(self.book))
        return {
            "book": self.book,
            "lower": self.lower,
            "higher": self.higher,
            "pairs_played": self.pairs,
            "seed": self.seed,
            "levels": [
                asdict(level(number)) if number != GREEDY else None for number in (self.lower, self.higher)
            ],
            "network": f"{network.checksum:016x}" if network else None,
            "ballot": ballot(self.book, self.seed),
        }


def play_meeting(meeting: Meeting) -> tuple[dict[str, Any], str]:
    """Play one meeting; return its result, with scores of the higher level, and the games as PDN."""
    games: list[GameResult] = []
    terms = Terms(meeting.book, TimeControl.parse("none"), seed=meeting.seed)
    players = (entrant(meeting.higher), entrant(meeting.lower))
    score = play_match(*players, terms, pairs=meeting.pairs, report=games.extend)
    answer = {
        **meeting.settings,
        "pairs": score.pairs,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "forfeits": [game.reason for game in games if game.offender],
        "score": round(score.sample.score, 4),
        "elo": [round(max(-9999.0, min(9999.0, value)), 1) for value in score.sample.elo()],
    }
    return answer, "\n".join(game.pdn for game in games)


class Folder:
    """Where meetings are kept; those already played with the same settings are not played again."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _file(self, meeting: Meeting) -> Path:
        return self.path / f"{meeting.book}-{meeting.higher}-{meeting.lower}.json"

    def get(self, meeting: Meeting) -> tuple[dict[str, Any], str] | None:
        """The result of a meeting that was played."""
        file = self._file(meeting)
        if not file.exists():
            return None
        earlier: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return (earlier, "") if meeting.settings.items() <= earlier.items() else None

    def add(self, meeting: Meeting, result: tuple[dict[str, Any], str]) -> None:
        """Write a result and its games."""
        answer, pdn = result
        write_text(self._file(meeting).with_suffix(".pdn"), pdn)
        write_text(self._file(meeting), json.dumps(answer, indent=1))


@stage_main("ladder", __doc__)
def main(parser: StageParser) -> int:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--out", required=True)
    parser.add_argument("-r", "--rulebook", action="append", metavar="ID")
    parser.add_argument("--pairs", type=COUNT, default=200)
    parser.add_argument("--jobs", type=integer_between(1, 1024), default=2)
    parser.add_cluster()
    parser.add_argument("--seed", type=SEED, default=1)
    parser.add_argument(
        "--top",
        type=integer_between(LEVELS[0], STRONGEST),
        default=9,
        help="highest level; level 10 thinks by the clock",
    )
    parser.add_argument(
        "--bottom",
        type=integer_between(GREEDY, STRONGEST - 1),
        default=GREEDY,
        help="lowest level; 0 is greedy",
    )
    parser.add_argument("--all", action="store_true", help="play all pairs of levels, not only adjacent ones")
    options = parser.parse_args()
    if options.bottom >= options.top:
        raise StageError(
            f"no meeting to play: --bottom {options.bottom} must be less than --top {options.top}"
        )
    for book in options.rulebook or ():
        rulebook(book)
    ensure_writable_folder(Path(options.out))
    levels = [number for number in (GREEDY, *LEVELS) if options.bottom <= number <= options.top]
    meetings = [
        (book, one, other)
        for book in options.rulebook or BOOKS
        for place, one in enumerate(levels)
        for other in (levels[place + 1 :] if options.all else levels[place + 1 : place + 2])
    ]
    bar = ProgressBar("meetings", len(meetings), log_every_s=30)
    results = [
        answer
        for _, (answer, _) in run_pieces(
            play_meeting,
            # Slowest first, so that no long meeting runs alone at the end.
            [
                Meeting(*meeting, options.pairs, options.seed)
                for meeting in sorted(meetings, key=lambda meeting: -meeting[2])
            ],
            keeper=Folder(Path(options.out)),
            jobs=options.jobs,
            cluster=options.cluster,
            report=lambda finished: bar.show(finished, last=finished == len(meetings)),
        )
    ]
    order = {meeting: place for place, meeting in enumerate(meetings)}
    results.sort(key=lambda answer: order[(answer["book"], answer["lower"], answer["higher"])])
    write_text(Path(options.out) / "ladder.json", json.dumps(results, indent=1))
    table = "\n".join([*rating_rows(results), "", *rows(results)])
    write_text(Path(options.out) / "ladder.md", table + "\n")
    print(table)
    return 0


def ratings(results: list[dict[str, Any]]) -> dict[int, float]:
    """Return the Elo ratings of the levels in one rulebook; level 1, or the lowest that played, is 0."""
    numbers = sorted({number for answer in results for number in (answer["lower"], answer["higher"])})
    games = []
    for answer in results:
        players = (numbers.index(answer["higher"]), numbers.index(answer["lower"]))
        for count, points in ((answer["wins"], 1.0), (answer["draws"], 0.5), (answer["losses"], 0.0)):
            games += [(*players, points)] * count
    rating = {number: each.elo for number, each in zip(numbers, elo(len(numbers), games), strict=True)}
    zero = rating.get(LEVELS[0], rating[numbers[0]])
    return {number: value - zero for number, value in rating.items()}


def rating_rows(results: list[dict[str, Any]]) -> list[str]:
    """Return a Markdown table of ratings: a column per rulebook, with the step from the level below."""
    books = list(dict.fromkeys(answer["book"] for answer in results))
    columns = {book: ratings([answer for answer in results if answer["book"] == book]) for book in books}
    lines = [f"| level | {' | '.join(books)} |", f"| --- |{' ---: |' * len(books)}"]
    numbers = sorted({number for column in columns.values() for number in column})
    for below, number in zip([None, *numbers], numbers, strict=False):
        cells = []
        for column in columns.values():
            step = f" ({column[number] - column[below]:+.0f})" if below is not None else ""
            cells.append(f"{column[number]:.0f}{step}".replace("-", "−"))
        lines.append(f"| {number or 'greedy'} | {' | '.join(cells)} |")
    return lines


def rows(results: list[dict[str, Any]]) -> list[str]:
    """Return a Markdown table of the meetings."""
    lines = [
        "| rulebook | higher | lower | games | score | Elo (95 %) |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for answer in results:
        likeliest, low, high = answer["elo"]
        sample = Sample(answer["pairs"])
        name = answer["lower"] or "greedy"
        lines.append(
            f"| {answer['book']} | {answer['higher']} | {name} | {2 * sample.count} | {sample.score:.1%} "
            f"| {likeliest:+.0f} [{low:+.0f}, {high:+.0f}] |"
        )
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
