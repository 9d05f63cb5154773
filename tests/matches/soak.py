"""Run before a release (`make soak`): the whole of what the suite proves in slices.

A tournament of a thousand games is killed with SIGKILL ten times and must end with the table of a quiet run. A ladder
of a hundred bots, a fifth of them programs in a box, runs to its end on two cores, the strong above the weak.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from damas.arena.templates import new_bot
from damas.matches.pool import run
from damas.tournaments import report
from damas.tournaments.settings import Entry, Settings
from damas.tournaments.standings import Standings
from damas.tournaments.tournament import Tournament
from matches.killing import killed_and_quiet

KINDS = ("random", "greedy", "level:1", "level:2")


def killing(folder: Path, games: int, kills: int) -> bool:
    started = time.monotonic()
    killed, quiet, cuts = killed_and_quiet(folder, games, kills, seed=9)
    print(
        f"{6 * games} games, killed {cuts} times: the table is {'the same' if killed == quiet else 'ANOTHER'} "
        f"({time.monotonic() - started:.0f} s)",
        flush=True,
    )
    return killed == quiet and cuts == kills


def ladder(folder: Path, count: int, tier: str) -> Standings:
    """A fifth of them programs, the others of four strengths, entered in no order."""
    program = folder / "bot.py"
    program.write_text(new_bot(program, "en").text)
    entries = []
    for number in range(count):
        kind = str(program) if number % 5 == 0 else KINDS[number % 4]
        entries.append(Entry(f"{number:03}-{'program' if number % 5 == 0 else kind}", kind, tier == "none"))
    settings = Settings(tuple(entries), "concurso", "ladder", games=2, openings="random:4", tier=tier)
    with Tournament.create(folder / "ladder", settings) as tournament:
        run(tournament, jobs=2)
        table = tournament.standings()
        report.write(folder / "ladder", settings, table, "en", str)
    return table


def climbed(folder: Path, count: int, tier: str) -> bool:
    started = time.monotonic()
    table = ladder(folder, count, tier)
    names = [row.name for row in table.rows]
    strong = [place for place, name in enumerate(names) if "level" in name]
    weak = [place for place, name in enumerate(names) if "random" in name or "program" in name]
    voids = sum(game.reason == "OURS" for game in table.games.values())
    faults = sum(game.offender is not None for game in table.games.values())
    above = sum(strong) / len(strong) < sum(weak) / len(weak)
    print(
        f"a ladder of {count} bots, {len(table.games)} games in {time.monotonic() - started:.0f} s: "
        f"{table.due} due, {voids} void, {faults} forfeits; the strong stand {'above' if above else 'BELOW'} the weak",
        flush=True,
    )
    return table.due == 0 and voids == 0 and faults == 0 and above


def main() -> int:
    parser = argparse.ArgumentParser(description="Tournaments: kill -9 and a long ladder.")
    parser.add_argument("--games", type=int, default=167, help="of each pair of four players")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--tier", default="auto", help="of the programs: auto, bubblewrap, landlock, none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        good = killing(folder, options.games, options.kills)
        good = climbed(folder, options.bots, options.tier) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
