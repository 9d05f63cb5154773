"""`damas arena`: a match or a tournament of programs in a folder of its own, with a table that grows as they play."""

import argparse
import os
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from damas.arbiter import TimeControl
from damas.arena import openings, schedule
from damas.arena.box.files import files_of
from damas.arena.box.tiers import ORDER, tier_for
from damas.arena.players import Entrant, shown_spec
from damas.arena.remote.api import knock
from damas.cli import page
from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_rulebook, sprt_of, whole
from damas.cli.live_table import LiveTable, table
from damas.language import sentence
from damas.rules import rulebook
from damas.tournaments import report
from damas.tournaments.settings import COLOURS, FORMATS, Entry, Settings
from damas.tournaments.standings import Standings
from damas.tournaments.tournament import Tournament

GAMES_OF_TWO, GAMES_OF_MORE, MOST_GAMES = 20, 2, 20_000
"""Of one encounter, where nothing is said; the last is for a test, which ends it sooner."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help=(
            "a program (my_bot.py, ./bot, 'node bot.js'), text:COMMAND for the text mode, hub:COMMAND, "
            "dxp:HOST:PORT, http:NAME@URL, python:FILE:CLASS, or one of ours: random, greedy, level:N, damas, material"
        ),
    )
    add_rulebook(parser, None)
    parser.add_argument(
        "--games",
        type=whole("--games", 1, 10**6),
        metavar="N",
        help="of each two players who meet (otherwise 20 for two players, 2 for more)",
    )
    parser.add_argument("--time", metavar="S", help="seconds a move (otherwise 1), or a clock as 60+0.5")
    parser.add_argument("--format", choices=FORMATS, help="otherwise round-robin")
    parser.add_argument("--rounds", type=whole("--rounds", 1, 1000), metavar="N", help="of swiss and ladder")
    parser.add_argument(
        "--openings",
        metavar="WHICH",
        help="start, ballot, random:N plies, or a file of FENs, moves or PDN (otherwise start; ballot for --sprt)",
    )
    parser.add_argument("--colours", choices=COLOURS, help="of the first game of a pair (otherwise lot)")
    parser.add_argument("--seed", type=whole("--seed", 0, 10**9), metavar="N", help="otherwise 1")
    parser.add_argument("--sprt", metavar="E0 E1", help="stop when this Elo test is decided, as 0 5")
    parser.add_argument(
        "--concurrency",
        type=whole("--concurrency", 1, 256),
        default=0,
        metavar="N",
        help="games at a time (otherwise all processors but one)",
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where everything is kept")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="go on with a tournament")
    parser.add_argument("--title", metavar="TEXT", help="of the report")
    parser.add_argument("--trust", action="store_true", help="the programs are yours: run them without a box")
    parser.add_argument(
        "--no-legal",
        action="store_true",
        help="do not tell programs the legal moves: finding them is the task",
    )


SETTLED = (
    "players",
    "rulebook",
    "games",
    "time",
    "format",
    "rounds",
    "openings",
    "colours",
    "seed",
    "sprt",
    "out",
)


def run(options: argparse.Namespace) -> int:
    if options.resume:
        named = [name for name in (*SETTLED, "title") if getattr(options, name)]
        if named or options.trust or options.no_legal:
            raise BadInput("cli.arena.bad.settled", names=", ".join(named) or "--trust, --no-legal")
        tournament = Tournament.open(options.resume)
    else:
        settings = _settings(options)
        tournament = Tournament.create(options.out or _folder(), settings)
    with tournament:
        live = LiveTable(tournament, options.language)
        try:
            with live:
                schedule.run(tournament, concurrency=options.concurrency, hear=live)
        except KeyboardInterrupt:
            words = ["damas", "arena", "--resume", str(tournament.folder)]
            told = sentence("cli.arena.resume", options.language, command=shlex.join(words))
            print(told, file=sys.stderr)
            return 130
        standings = tournament.standings()
        written = report.write(
            tournament.folder, tournament.settings, standings, options.language, shown_spec
        )
    if options.json:
        print_json(_answer(tournament, standings, written))
    else:
        print(_text(tournament, standings, options.language))
    return 0


def _folder() -> Path:
    """A name nobody has used, in the order of time."""
    name = time.strftime("arena-%Y%m%d-%H%M%S")
    found = Path(name)
    number = 1
    while found.exists():
        number += 1
        found = Path(f"{name}-{number}")
    return found


def _settings(options: argparse.Namespace) -> Settings:
    if len(options.players) < 2:
        raise BadInput("cli.arena.bad.players")
    book = rulebook(options.rulebook or "brasileira")
    entries = _entries(options.players, trusted=options.trust)
    sprt = sprt_of(options.sprt)
    two = len(entries) == 2
    kind = options.format or "round-robin"
    games = options.games or (MOST_GAMES if sprt else GAMES_OF_TWO if two else GAMES_OF_MORE)
    if sprt and not (two and kind == "round-robin" and games % 2 == 0):
        raise BadInput("cli.arena.bad.sprt")
    word, lines = _openings(options.openings or ("ballot" if sprt else "start"), options.rulebook or book.id)
    named = Path(options.rulebook or "").is_file()  # rules of one's own: found again from anywhere
    return Settings(
        entries,
        str(Path(options.rulebook).resolve()) if named else book.id,
        kind,
        games,
        options.rounds or 0,
        str(_control(options.time)),
        word,
        lines,
        options.colours or "lot",
        1 if options.seed is None else options.seed,
        legal=not options.no_legal,
        sprt=sprt,
        rules=book.hash,
        title=options.title or _title(entries, options.language),
        folder=str(Path.cwd()),
        begun=time.strftime("%Y-%m-%d %H:%M"),
        language=options.language,
    )


def _title(entries: Sequence[Entry], language: str) -> str:
    if len(entries) == 2:
        return " – ".join(entry.name for entry in entries)
    return sentence("tournament.title", language, count=len(entries))


def _entries(specs: Sequence[str], *, trusted: bool) -> tuple[Entry, ...]:
    """Everybody with a name of their own, and a place to run found before anything begins."""
    found: dict[str, Entry] = {}
    for spec in specs:
        entrant = Entrant.parse(spec, trusted=trusted)
        tier = tier_for(entrant, "auto")
        if tier in ORDER:
            files_of(entrant.command, stranger=False)
        if entrant.remote:
            knock(*entrant.remote)
        usual = _plain(entrant.name)
        name, number = usual, 1
        while name in found:
            number += 1
            name = f"{usual} ({number})"
        found[name] = Entry(name, spec, trusted)
    return tuple(found.values())


def _plain(name: str) -> str:
    r"""A name as tables and files can hold it: whoever names a file may put anything into it.

    >>> _plain("a\x1b[31m\nb"), _plain("\udcff")
    ('a [31m b', '\\udcff')
    """
    name = name.encode("utf-8", "backslashreplace").decode()
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split()) or "?"


def _openings(text: str, book: str) -> tuple[str, tuple[str, ...]]:
    if openings.known(text):
        return text, ()
    if text.startswith("random:") or not Path(text).is_file():
        raise BadInput("cli.arena.bad.openings", got=text)
    return Path(text).name, openings.read_file(Path(text), book)


def _control(text: str | None) -> TimeControl:
    """Seconds a move; with a plus, seconds for the whole game and for each move."""
    seconds, plus, increment = (text or "1").partition("+")
    try:
        first, second = round(float(seconds) * 1000), round(float(increment or 0) * 1000)
    except (ValueError, OverflowError):
        raise BadInput("cli.arena.bad.time", got=text) from None
    if not 0 < first < 10**9 or not 0 <= second < 10**9:
        raise BadInput("cli.arena.bad.time", got=text)
    if not plus:
        return TimeControl("move", extra=first)
    return TimeControl("fischer" if second else "sudden", first, second)


# --- what is told ---------------------------------------------------------------------------


def _answer(tournament: Tournament, standings: Standings, written: dict[str, Path]) -> dict[str, Any]:
    settings = tournament.settings
    return {
        **report.summary(settings, standings),
        "folder": str(tournament.folder),
        **{name: str(path) for name, path in written.items()},
    }


def _text(tournament: Tournament, standings: Standings, language: str) -> str:
    settings = tournament.settings
    lines = [page.heading(title(settings, language)), "", table(standings, language)]
    remarks = [*_strength(settings, standings, language), *_remarks(tournament, standings, language)]
    if remarks:
        lines += ["", *(page.paragraph(line, hang=2) for line in remarks)]
    folder = os.path.join(str(tournament.folder), "")  # noqa: PTH118 (a folder is seen by its last sign)
    lines += ["", page.paragraph(sentence("cli.arena.written", language, folder=folder))]
    return "\n".join(lines)


def title(settings: Settings, language: str) -> str:
    return sentence(
        "cli.arena.heading",
        language,
        title=settings.title,
        book=Path(settings.rulebook).name,
        format=sentence(f"tournament.format.{settings.format}", language),
        control=report.shown_control(settings.control, language),
    )


def _strength(settings: Settings, standings: Standings, language: str) -> list[str]:
    """Of two players: how far apart they are, and what the test says."""
    told = []
    if standings.difference:
        first, second = settings.names
        elo, low, high = standings.difference
        if abs(elo) == float("inf"):
            bound = low if elo > 0 else high
            key = "cli.arena.all" if elo > 0 else "cli.arena.none"
            told.append(sentence(key, language, first=first, second=second, bound=report.shown_elo(bound)))
        else:
            facts = {
                "elo": report.shown_elo(elo),
                "error": report.shown_error(elo, low, high),
                "low": report.shown_elo(low),
                "high": report.shown_elo(high),
            }
            told.append(sentence("cli.arena.elo", language, first=first, second=second, **facts))
    if standings.trial:
        test = standings.trial.as_json()
        test["verdict"] = sentence(f"cli.match.{test['verdict']}", language)
        told.append(sentence("cli.match.test", language, **test))
    return told


def _remarks(tournament: Tournament, standings: Standings, language: str) -> list[str]:
    told = []
    for row in standings.rows:
        faults = [
            game
            for game in standings.games.values()
            if game.offender and row.name == (game.white if game.offender == "white" else game.black)
        ]
        if faults:
            counts: dict[str, int] = {}
            for game in faults:
                counts[game.reason] = counts.get(game.reason, 0) + 1
            reasons = ", ".join(f"{reason} {count}" for reason, count in counts.items())
            path = tournament.folder / "receipts" / f"{faults[0].receipt}.json"
            command = f"damas repro {shlex.quote(str(path))}"
            facts = {"count": len(faults), "reasons": reasons, "command": command}
            told.append(sentence("cli.arena.lost", language, name=row.name, **facts))
        if row.out is not None:
            told.append(sentence("cli.arena.out", language, name=row.name, reason=row.out))
    if count := standings.walkovers:
        told.append(sentence("tournament.walkovers", language, count=count))
    voids = sum(game.reason == schedule.OURS for game in standings.games.values())
    if voids:
        told.append(sentence("cli.arena.void", language, count=voids, folder=tournament.folder / "receipts"))
    different = report.different_games(tournament.folder, standings)
    if 2 * different < len(standings.games) > 3:
        facts = {"count": different, "total": len(standings.games)}
        told.append(sentence("cli.arena.same", language, **facts))
    return told
