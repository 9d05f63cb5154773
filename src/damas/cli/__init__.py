"""The command `damas`. Thin: parse, call, print.

A command is one row of `COMMANDS` and one module with two functions: `add(parser)` declares its options,
`run(options) -> int` answers with the exit code. Only the module of the requested command is imported.

Exit codes: 0 success; 1 an explained move is not legal; 2 bad input (one line on stderr; with `-f -` at least one line was
answered with an error); 3 some input was skipped, or a recorded result differs from the rules; 130 interrupted; 143
terminated.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from damas.cli.answers import print_json
from damas.cli.arguments import (
    BadInput,
    add_common,
    join_negative_values,
    join_sprt_bounds,
    language_in,
    shield_results,
)
from damas.errors import DamasError, IllegalSetup, NotationError, file_trouble
from damas.language import Saying

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "rules": "the rulebooks: their articles, how we read them, in what two of them part",
    "moves": "the legal moves of a position",
    "explain": "why a move is refused, by which article, and what may be played",
    "compare": "the lens: one position under every rulebook of its board",
    "show": "a board in the terminal, or an SVG picture",
    "perft": "count the positions so many moves ahead",
    "convert": "turn FEN, PDN and Hub files into each other",
    "bench": "how fast damas is on this machine",
    "play": "play a game in the terminal",
    "best": "what the engine would play",
    "analyse": "every move of a recorded game, its mistakes in words",
    "book": "opening books of the engine: build one, ask it",
    "explorer": "statistics of openings: the moves that were played, and how those games ended",
    "openings": "opening books and ballots: which there are, and their lines",
    "match": "two players in pairs of games, with a test and error bars",
    "arena": "programs against programs: a match or a tournament, refereed and contained",
    "hub": "the engine for other programs, by the Hub protocol",
    "dxp": "the engine against other programs, by the DamExchange protocol",
    "bot": "a bot of one's own, begun from a template",
    "check": "whether a bot keeps the protocol, plays legal moves and is in time",
    "repro": "a game that a program forfeited, again from its receipt",
    "judge": "what the rules say about a recorded game",
    "paper": "a certificate, a score sheet or a rulebook's leaflet as PDF",
    "club": "a tournament of people at the arbiter's desk: entries, pairings, results, tables (also: clube)",
    "tb": "endgame tables that know the law",
    "serve": "the web app: play, learn and analyse in a browser",
    "worker": "make reports for a web app on PostgreSQL, beside its servers",
    "backup": "copy the games of a web server, or put a copy back",
    "completion": "let bash, zsh or fish complete commands and options",
}
"""Every command, in the order of the help, and what it is."""

ALIASES = {"club": ("clube",)}
"""Other names of commands."""

WITHOUT_JSON = ("play", "hub", "dxp", "completion")
"""Commands that talk to a player, to a shell, or to a program with a protocol of its own."""

MAX_PROBLEMS = 6
"""Problems of a text that a message on stderr names; JSON has them all."""

_WELCOME = """\
damas: draughts by the book.

  damas play                                      a game in the terminal
  damas rules                                     every rulebook
  damas rules portuguesa --lang pt-PT             one of them, article by article
  damas rules --diff brasileira oficial           in what two of them part
  damas moves -r faraes -f "W:Wc3:Bb4,d4,f6"      the legal moves of a position
  damas explain -r faraes -f "W:Wc3:Bb4,d4,f6" c3xa5 --lang pt-BR
                                                  why a move is refused
  damas compare "W:WKa1:Bd4,g5"                   the same position, every rulebook
  damas show -r internacional                     a board
  damas best -r portuguesa -f "W:W10,K1:B14,23"   what the engine would play

Most commands take --json, all take --help. `damas --help` lists them all.
"""


ARGPARSE_MESSAGES = (
    (r"the following arguments are required: (?P<names>.+)", "required"),
    (r"unrecognized arguments: (?P<names>.+)", "unknown"),
    (r"argument (?P<name>.+?): invalid choice: (?P<got>.+?)[ ,].*\(choose from (?P<known>.+)\)", "choice"),
    (r"argument (?P<name>.+?): expected .+", "value"),
    (r"argument (?P<name>.+?): ignored explicit argument (?P<got>.+)", "alone"),
    (r"argument (?P<name>.+?): not allowed with argument (?P<other>.+)", "together"),
)
"""Patterns of argparse's English messages, and the catalogue key that replaces each."""


class _Parser(argparse.ArgumentParser):
    """Raises `BadInput` for bad usage."""

    def error(self, message: str) -> NoReturn:
        """Raise `BadInput` with a translation of argparse's message."""
        reason = Saying("cli.bad.other", {"text": message})
        for pattern, key in ARGPARSE_MESSAGES:
            if match := re.fullmatch(pattern, message, re.DOTALL):
                reason = Saying(f"cli.bad.{key}", match.groupdict())
                break
        raise BadInput("cli.bad.usage", text=reason, command=self.prog)


def parser_for(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Build the parser; only commands that occur in `arguments` are imported and get their options."""
    import damas

    parser = _Parser(prog="damas", description="Draughts by the book.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"damas {damas.__version__}")
    add_common(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name, text in COMMANDS.items():
        command = commands.add_parser(
            name,
            aliases=ALIASES.get(name, ()),
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            allow_abbrev=False,
        )
        if not {name, *ALIASES.get(name, ())}.isdisjoint(arguments):
            module = import_module(f"damas.cli.{name}")
            module.add(command)
            add_common(command, json=name not in WITHOUT_JSON)
            command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (it stays open)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A character the terminal cannot show is escaped instead of raising.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        # stdout is gone; redirect it so that the interpreter does not fail again on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # as with `| head`
            return 141
        message = Saying("cli.bad.output", {"why": file_trouble(error)}).sentence(language_in(arguments))
        print(f"damas: {message}", file=sys.stderr)
        return 2


def _run(arguments: list[str]) -> int:
    if not arguments:
        print(_WELCOME, end="")
        return 0
    language, json = language_in(arguments), "--json" in arguments
    try:
        words = shield_results(join_negative_values(join_sprt_bounds(arguments)))
        options = parser_for(arguments).parse_args(words)
        options.language, options.json = language, json
        if options.command is None:
            raise BadInput("cli.bad.command")
        if json and options.command in WITHOUT_JSON:
            raise BadInput(f"cli.bad.{options.command}_json")
        code: int = options.run(options)
        return code
    except SystemExit as done:  # --help, --version
        return int(done.code or 0)
    except OSError as error:
        if error.filename is None:  # not a file of the user, but the output itself
            raise
        return _refuse(error, language, json)
    except (DamasError, BadInput) as error:
        return _refuse(error, language, json)


def _refuse(error: DamasError | BadInput | OSError, language: str, json: bool) -> int:
    from damas.views.errors import error_view  # rarely needed

    if json:
        print_json({"error": error_view(error, language)})
    print(f"damas: {error_view(_brief(error), language).message}", file=sys.stderr)
    return 2


def _brief(error: DamasError | BadInput | OSError) -> DamasError | BadInput | OSError:
    """Keep only the first problems of an error, so that its message fits one line."""
    if isinstance(error, NotationError | IllegalSetup):
        return type(error)(error.text, error.problems[:MAX_PROBLEMS])
    return error
