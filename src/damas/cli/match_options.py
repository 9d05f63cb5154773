"""The options that `damas match` and `damas arena` have in common, and the tournament they describe."""

import argparse
import secrets
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from damas.arbiter import TimeControl
from damas.cli.arguments import (
    DEFAULT_RULEBOOK,
    BadInput,
    add_cluster,
    add_flag,
    add_integer,
    add_rulebook,
    sprt_of,
)
from damas.cli.best import add_move_limits
from damas.cli.openings import opening_word
from damas.cli.roster import RosterLine, read_roster
from damas.engine import Engine
from damas.engine.engine import MAX_HASH_MB
from damas.errors import file_trouble
from damas.language import sentence
from damas.matches.box.files import files_of
from damas.matches.box.tiers import ORDER, tier_for
from damas.matches.entrant import Entrant
from damas.matches.remote.api import knock
from damas.openings import is_word, read_named
from damas.rules import Rulebook, rulebook
from damas.tournaments.settings import COLOURS, Entry, Settings

INTERRUPTED, TERMINATED = 130, 143
"""Exit codes after Ctrl-C and after SIGTERM."""
_MAX_SPRT_GAMES = 20_000
MAX_SEED = 10**9
"""The highest seed of a tournament."""
SETTLED = (
    *(
        "players",
        "roster",
        "rulebook",
        "games",
        "pairs",
        "time",
        "movetime",
        "nodes",
        "depth",
        "grace",
        "openings",
    ),
    *("colours", "seed", "sprt", "hash", "no_tables", "param", "trust", "box", "no_legal", "title", "out"),
)
"""Options that a resumed tournament does not take: they were settled when it began."""


@dataclass(frozen=True)
class Defaults:
    """What one of the two commands does unless an option says otherwise."""

    openings: str
    colours: str
    trusted: bool
    """Whether programs run without a box."""
    nodes: int
    """Nodes a move; 0: one second a move."""
    games: str
    """How many games without `--games`, for the help."""
    jobs: str
    """How many games at a time without `--jobs`, for the help."""
    plain_time_is_a_clock: bool
    """Whether `--time 60` is for the whole game rather than for each move."""


def add_options(parser: argparse.ArgumentParser, defaults: Defaults) -> None:
    """Declare the options of both commands."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help=(
            "a program (my_bot.py, ./bot, 'node bot.js'), text:COMMAND for the text mode, hub:COMMAND, "
            "dxp:HOST:PORT of a program that listens, dxp:PORT:COMMAND that starts it, http:NAME@URL, "
            "python:FILE:CLASS, or one of ours: damas, damas+book, material, level:N, greedy, random"
        ),
    )
    add_rulebook(parser, None, shown=DEFAULT_RULEBOOK)
    games = parser.add_mutually_exclusive_group()
    meeting = f"games of each two players who meet (default: {defaults.games})"
    add_integer(games, "--games", 1, 10**6, meeting)
    add_integer(games, "--pairs", 1, 500_000, argparse.SUPPRESS)
    limit = add_move_limits(parser, defaults.nodes or None)
    limit.add_argument(
        "--time",
        metavar="S",
        help="a clock as 60+0.5: seconds for the game and for each move"
        if defaults.plain_time_is_a_clock
        else "seconds a move (default: 1), or a clock as 60+0.5: seconds for the game and for each move",
    )
    grace = "beyond --movetime, before a program is late (default: 500)"
    add_integer(parser, "--grace", 0, 600_000, grace, metavar="MS")
    parser.add_argument(
        "--openings",
        metavar="WHICH",
        help=f"as `damas openings` lists them: start, ballot, random:N plies, a name, or a file (default: {defaults.openings})",
    )
    parser.add_argument(
        "--colours", choices=COLOURS, help=f"of the first game of a pair (default: {defaults.colours})"
    )
    seed = "of colours, openings and our players; repeats a match (default: drawn by lot, and printed)"
    add_integer(parser, "--seed", 0, MAX_SEED, seed)
    parser.add_argument("--sprt", metavar="E0 E1", help="stop when this Elo test is decided, as 0 5 or 0,5")
    jobs = parser.add_mutually_exclusive_group()
    add_integer(jobs, "--jobs", 1, 256, f"games at a time (default: {defaults.jobs})")
    add_integer(jobs, "--concurrency", 1, 256, argparse.SUPPRESS)
    add_cluster(jobs)
    add_integer(parser, "--hash", 1, MAX_HASH_MB, "memory of our engine (default: 16)", metavar="MB")
    add_flag(parser, "--no-tables", "our engine asks no endgame tables, for a fair comparison")
    parser.add_argument(
        "--param", action="append", default=[], metavar="NAME=VALUE", help="for programs that speak Hub"
    )
    box = parser.add_mutually_exclusive_group()
    usual = " (default)"
    add_flag(
        box, "--trust", f"the programs are yours: run them without a box{usual if defaults.trusted else ''}"
    )
    add_flag(box, "--box", f"run the programs of others in a box{'' if defaults.trusted else usual}")
    add_flag(parser, "--no-legal", "do not tell programs the legal moves: finding them is the task")
    parser.add_argument("--title", metavar="TEXT", help="of the report")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where everything is kept")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="go on with what is kept there")


def accept_earlier_spellings(options: argparse.Namespace, defaults: Defaults) -> None:
    """Turns `--pairs` into `--games`, `--concurrency` into `--jobs` and a plain `--time` of a match into a clock."""
    if options.pairs is not None:
        options.games = 2 * options.pairs
        _hint(options, f"--pairs {options.pairs}", f"--games {options.games}")
    if options.concurrency is not None:
        options.jobs = options.concurrency
        _hint(options, f"--concurrency {options.jobs}", f"--jobs {options.jobs}")
    if options.time and defaults.plain_time_is_a_clock:
        _control(options.time, "cli.match.bad.time")
        if "+" not in options.time:
            _hint(options, f"--time {options.time}", f"--time {options.time}+0")
            options.time += "+0"


def _hint(options: argparse.Namespace, old: str, new: str) -> None:
    print(f"damas: {sentence('cli.match.hint', options.language, old=old, new=new)}", file=sys.stderr)


def refuse_settled(options: argparse.Namespace) -> None:
    """Raises `BadInput` for options that make no sense with `--resume`."""
    names = [name for name in SETTLED if getattr(options, name, None)]
    if names:
        raise BadInput("cli.arena.bad.settled", names=", ".join(names))


def resume_command(options: argparse.Namespace, folder: Path) -> str:
    """The command line that goes on with the tournament of a folder."""
    return shlex.join(["damas", options.command, "--resume", str(folder)])


@contextmanager
def resumable(options: argparse.Namespace, folder: Path | None) -> Iterator[None]:
    """Raises `BadInput`, with the command that goes on, where a file of the tournament cannot be written."""
    try:
        yield
    except OSError as error:
        if folder is None or error.filename is None or not Path(error.filename).is_relative_to(folder):
            raise
        command = resume_command(options, folder)
        facts = {"name": error.filename, "why": file_trouble(error), "command": command}
        raise BadInput("cli.arena.bad.write", **facts) from None


def sprt_text(test: Mapping[str, object], language: str) -> str:
    """One line about a sequential test: its bounds, the log-likelihood ratio and the verdict."""
    verdict = sentence(f"cli.match.{test['verdict']}", language)
    return sentence("cli.match.test", language, **{**test, "verdict": verdict})


def settings_of(
    options: argparse.Namespace, defaults: Defaults, games: int, kind: str = "round-robin"
) -> Settings:
    """The tournament that the options describe; raises `BadInput` and `DamasError` before anything begins."""
    book = rulebook(options.rulebook or DEFAULT_RULEBOOK)
    trusted = options.trust or (defaults.trusted and not options.box)
    roster = read_roster(options.roster) if getattr(options, "roster", None) else ()
    players = [*roster, *(RosterLine("", spec) for spec in options.players)]
    entries = _entries(players, trusted=trusted)
    sprt = sprt_of(options.sprt)
    games = options.games or (_MAX_SPRT_GAMES if sprt else games)
    if sprt and not (len(entries) == 2 and kind == "round-robin" and games % 2 == 0):
        raise BadInput("cli.arena.bad.sprt")
    usual = "ballot" if sprt else defaults.openings
    word, lines = _openings(options.openings or usual, options.rulebook or book.id)
    own_rules = Path(options.rulebook or "").is_file()  # a path that is found again from anywhere
    _check_params(options.param, entries)
    hash_mb = options.hash or 16
    _check_memory(book, hash_mb, entries)
    limited = options.nodes or options.depth or options.movetime
    nodes = options.nodes or (0 if limited or options.time else defaults.nodes)
    return Settings(
        entries,
        str(Path(options.rulebook).resolve()) if own_rules else book.id,
        kind,
        games,
        getattr(options, "rounds", None) or 0,
        "none" if limited or nodes else str(_control(options.time)),
        word,
        lines,
        options.colours or defaults.colours,
        secrets.randbelow(MAX_SEED + 1) if options.seed is None else options.seed,
        legal=not options.no_legal,
        sprt=sprt,
        rules=book.hash,
        title=options.title or "",
        folder=str(Path.cwd()),
        begun=time.strftime("%Y-%m-%d %H:%M"),
        language=options.language,
        nodes=nodes,
        depth=options.depth or 0,
        movetime_ms=options.movetime or 0,
        grace_ms=500 if options.grace is None else options.grace,
        hash_mb=hash_mb,
        tables=not options.no_tables,
        params=tuple(options.param),
    )


def _entries(players: Sequence[RosterLine], *, trusted: bool) -> tuple[Entry, ...]:
    """Gives every player a name of its own, after checking that it can play on this machine."""
    entries: dict[str, Entry] = {}
    for player in players:
        spec = player.command
        entrant = Entrant.parse(spec, trusted=trusted)
        if tier_for(entrant, "auto").startswith(ORDER):
            files_of(entrant.command, stranger=False)
        if entrant.remote:
            knock(*entrant.remote, own=trusted)
        usual = player.name or _printable(entrant.name)
        name, number = usual, 1
        while name in entries:
            number += 1
            name = f"{usual} ({number})"
        entries[name] = Entry(name, spec, trusted, player.team)
    return tuple(entries.values())


def _printable(name: str) -> str:
    r"""A name as tables and files can hold it: a file may be called anything.

    >>> _printable("a\x1b[31m\nb"), _printable("\udcff")
    ('a [31m b', '\\udcff')
    """
    name = name.encode("utf-8", "backslashreplace").decode()
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split()) or "?"


def _openings(text: str, book: str) -> tuple[str, tuple[str, ...]]:
    which = opening_word(text, book)
    lines = () if is_word(which) else tuple(map(str, read_named(which, book)))
    return Path(which).name, lines


def _control(text: str | None, error: str = "cli.arena.bad.time") -> TimeControl:
    """Seconds a move; with a plus, seconds for the whole game and for each move. `error` is the key of a refusal."""
    seconds, plus, increment = (text or "1").partition("+")
    try:
        first, second = round(float(seconds) * 1000), round(float(increment if plus else 0) * 1000)
    except (ValueError, OverflowError):
        raise BadInput(error, got=text) from None
    if not 0 < first < 10**9 or not 0 <= second < 10**9:
        raise BadInput(error, got=text)
    if not plus:
        return TimeControl("move", extra=first)
    return TimeControl("fischer" if second else "sudden", first, second)


def _check_params(params: Sequence[str], entries: Sequence[Entry]) -> None:
    for param in params:
        name, equals, _ = param.partition("=")
        if not name.strip() or not equals:
            raise BadInput("cli.bad.param", got=param)
    if params and not any(entry.spec.startswith("hub:") for entry in entries):
        raise BadInput("cli.bad.param_hub")


def _check_memory(book: Rulebook, hash_mb: int, entries: Sequence[Entry]) -> None:
    """Raises an error for more memory than there is, before any game is lost by it."""
    if any(entry.spec.strip() in ("damas", "damas+book", "material") for entry in entries):
        Engine(book, hash_mb=hash_mb, tables=False).close()
