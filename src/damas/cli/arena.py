"""`damas arena`: a match or a tournament of programs in a folder of its own, with a table that grows as they play."""

import argparse
import os
import shlex
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from itertools import count as numbers
from pathlib import Path

from damas.cli import page
from damas.cli.answers import print_answer
from damas.cli.arguments import BadInput, add_integer
from damas.cli.live_table import LiveTable, table
from damas.cli.match_options import (
    INTERRUPTED,
    TERMINATED,
    Defaults,
    accept_earlier_spellings,
    add_options,
    refuse_settled,
    resumable,
    resume_command,
    settings_of,
    sprt_text,
)
from damas.cli.roster import read_roster
from damas.jobs.interrupts import Terminated, termination_heard
from damas.language import sentence
from damas.matches import pool
from damas.matches.entrant import shown_spec
from damas.tournaments import report
from damas.tournaments.journal import unknown_requests
from damas.tournaments.result import OURS
from damas.tournaments.settings import FORMATS, Entry, Settings
from damas.tournaments.standings import Standings
from damas.tournaments.tournament import Tournament

GAMES_OF_TWO, GAMES_OF_MORE = 20, 2
"""Games of each two players who meet, in a tournament of two players and of more."""
_DEFAULTS = Defaults(
    "start",
    "lot",
    trusted=False,
    nodes=0,
    games=f"{GAMES_OF_TWO} for two players, {GAMES_OF_MORE} for more",
    jobs="all processors but one",
    plain_time_is_a_clock=False,
)


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_options(parser, _DEFAULTS)
    parser.add_argument("--format", choices=FORMATS, help="default: round-robin")
    add_integer(parser, "--rounds", 1, 1000, "of swiss and ladder")
    roster = "players from a file: CSV or TOML with name, team and command of each"
    parser.add_argument("--roster", type=Path, metavar="FILE", help=roster)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    accept_earlier_spellings(options, _DEFAULTS)
    with termination_heard(), _tournament(options) as tournament:
        live = LiveTable(tournament, options.language)
        try:
            with live, resumable(options, tournament.folder):
                pool.run(tournament, jobs=options.jobs or 0, cluster=options.cluster, listener=live)
        except KeyboardInterrupt as interrupt:
            command = resume_command(options, tournament.folder)
            print(sentence("cli.arena.resume", options.language, command=command), file=sys.stderr)
            return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
        standings = tournament.standings()
        with resumable(options, tournament.folder):
            written = report.write(
                tournament.folder, tournament.settings, standings, options.language, shown_spec
            )
    print_answer(
        options,
        lambda: {
            **report.summary(tournament.settings, standings),
            "folder": str(tournament.folder),
            **{name: str(path) for name, path in written.items()},
        },
        lambda: _text(tournament, standings, options.language),
    )
    return 0


def _tournament(options: argparse.Namespace) -> Tournament:
    if options.resume:
        refuse_settled(options)
        if options.format or options.rounds:
            raise BadInput("cli.arena.bad.settled", names="format, rounds")
        tournament = Tournament.open(options.resume)
        if unknown := unknown_requests(tournament.folder, tournament.settings.names):
            tournament.journal.close()
            known = ", ".join(tournament.settings.names)
            raise BadInput("cli.arena.bad.disqualify", names="; ".join(unknown), known=known)
        return tournament
    count = len(options.players) + (len(read_roster(options.roster)) if options.roster else 0)
    if count < 2:
        raise BadInput("cli.arena.bad.players")
    games = GAMES_OF_TWO if count == 2 else GAMES_OF_MORE
    settings = settings_of(options, _DEFAULTS, games, options.format or "round-robin")
    title = settings.title or _title(settings.entries, options.language)
    return Tournament.create(options.out or _new_folder(), replace(settings, title=title))


def _new_folder() -> Path:
    """A name that is not in use, in the order of time."""
    name = time.strftime("arena-%Y%m%d-%H%M%S")
    names = chain([name], (f"{name}-{number}" for number in numbers(2)))
    return next(folder for folder in map(Path, names) if not folder.exists())


def _title(entries: Sequence[Entry], language: str) -> str:
    if len(entries) == 2:
        return " – ".join(entry.name for entry in entries)
    return sentence("tournament.title", language, count=len(entries))


# --- the answer  ---------------------------------------------------------------------------


def _text(tournament: Tournament, standings: Standings, language: str) -> str:
    settings = tournament.settings
    lines = [page.heading(_title_line(settings, language)), "", table(standings, language)]
    remarks = [*_strength(settings, standings, language), *_remarks(tournament, standings, language)]
    if remarks:
        lines += ["", *(page.paragraph(line, hang=2) for line in remarks)]
    folder = os.path.join(str(tournament.folder), "")  # noqa: PTH118 (a folder is seen by its last sign)
    seed = sentence("cli.arena.seed", language, seed=settings.seed)
    written = sentence("cli.arena.written", language, folder=folder)
    lines += ["", page.paragraph(seed), page.paragraph(written)]
    return "\n".join(lines)


def _title_line(settings: Settings, language: str) -> str:
    """The title of a tournament with its rulebook, format and time control."""
    return sentence(
        "cli.arena.heading",
        language,
        title=settings.title,
        book=Path(settings.rulebook).name,
        format=sentence(f"tournament.format.{settings.format}", language),
        control=report.format_conditions(settings, language),
    )


def _strength(settings: Settings, standings: Standings, language: str) -> list[str]:
    """The Elo difference of two players, and the state of the test."""
    lines = []
    if standings.difference:
        first, second = settings.names
        elo, low, high = standings.difference
        key = "elo" if abs(elo) != float("inf") else "all" if elo > 0 else "none"
        facts = {
            "first": first,
            "second": second,
            "bound": report.format_elo(low if elo > 0 else high),
            "elo": report.format_elo(elo),
            "error": report.format_error(elo, low, high),
            "low": report.format_elo(low),
            "high": report.format_elo(high),
        }
        lines.append(sentence(f"cli.arena.{key}", language, **facts))
    if standings.trial:
        lines.append(sprt_text(standings.trial.as_json(), language))
    return lines


def _remarks(tournament: Tournament, standings: Standings, language: str) -> list[str]:
    lines = []
    for row in standings.rows:
        faults = [
            game
            for game in standings.games.values()
            if game.offender and row.name == (game.white if game.offender == "white" else game.black)
        ]
        if faults:
            counts = Counter(game.reason for game in faults)
            reasons = ", ".join(f"{reason} {count}" for reason, count in counts.items())
            path = tournament.folder / "receipts" / f"{faults[0].receipt}.json"
            command = f"damas repro {shlex.quote(str(path))}"
            facts = {"count": len(faults), "reasons": reasons, "command": command}
            lines.append(sentence("cli.arena.lost", language, name=row.name, **facts))
        if row.disqualified is not None:
            lines.append(sentence("cli.arena.out", language, name=row.name, reason=row.disqualified))
    if standings.walkovers:
        lines.append(sentence("tournament.walkovers", language, count=standings.walkovers))
    voids = sum(game.reason == OURS for game in standings.games.values())
    if voids:
        lines.append(sentence("cli.arena.void", language, count=voids, folder=tournament.folder / "receipts"))
    different = report.different_games(tournament.folder, standings)
    if 2 * different < len(standings.games) > 3:
        facts = {"count": different, "total": len(standings.games)}
        lines.append(sentence("cli.arena.same", language, **facts))
    return lines
