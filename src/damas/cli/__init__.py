"""The command `damas`. Thin: parse, call, print.

A command is one row of `COMMANDS` and one module with two functions: `add(parser)` declares its options,
`run(options) -> int` answers with the exit code. Only the module of the command asked for is imported.

Exit codes: 0 answered; 2 bad input, one line on stderr; 3 some of the input was skipped, or a recorded result is not
what the rules give; 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import NoReturn

from damas.cli.answers import error_object, print_json
from damas.cli.arguments import BadInput, add_common, language_of
from damas.errors import DamasError, IllegalSetup, NotationError

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
    "judge": "what the rules say about a recorded game",
}

MOST_TOLD = 6

WELCOME = """\
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

Every command takes --json and --help. `damas --help` lists them all.
"""


class _Parser(argparse.ArgumentParser):
    """Bad usage is one line on stderr, as every other bad input."""

    def error(self, message: str) -> NoReturn:
        print(f"damas: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _available() -> list[str]:
    # A command may be written after its row: it appears with its module.
    return [name for name in COMMANDS if find_spec(f"damas.cli.{name}")]


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    import damas

    parser = _Parser(prog="damas", description="Draughts by the book.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"damas {damas.__version__}")
    add_common(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name in _available():
        command = commands.add_parser(
            name, help=COMMANDS[name], description=_capital(COMMANDS[name]) + ".", allow_abbrev=False
        )
        if name in arguments:
            module = import_module(f"damas.cli.{name}")
            module.add(command)
            add_common(command)
            command.set_defaults(run=module.run)
    return parser


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a letter shows its code, never a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        # The output is gone, and the interpreter must not try it again on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # as with `| head`: nobody is left to tell
            return 141
        print(f"damas: standard output: {error.strerror}", file=sys.stderr)
        return 2


def _run(arguments: list[str]) -> int:
    if not arguments:
        print(WELCOME, end="")
        return 0
    try:
        options = _parser(arguments).parse_args(arguments)
    except SystemExit as done:  # --help, --version, or bad usage
        return int(done.code or 0)
    options.language = language_of(options)
    options.json = getattr(options, "json", False)
    if options.command is None:
        return _refuse(BadInput("name a command, as in: damas rules"), options)
    try:
        code: int = options.run(options)
        return code
    except OSError as error:
        if error.filename is None:  # no file of the user's: the output itself
            raise
        return _refuse(error, options)
    except (DamasError, BadInput) as error:
        return _refuse(error, options)


def _refuse(error: DamasError | BadInput | OSError, options: argparse.Namespace) -> int:
    if options.json:
        print_json({"error": error_object(error, options.language)})
    print(f"damas: {error_object(_brief(error), options.language)['message']}", file=sys.stderr)
    return 2


def _brief(error: DamasError | BadInput | OSError) -> DamasError | BadInput | OSError:
    """The first mistakes of a position with many: one line stays one line."""
    if isinstance(error, NotationError | IllegalSetup):
        return type(error)(error.text, error.problems[:MOST_TOLD])
    return error
