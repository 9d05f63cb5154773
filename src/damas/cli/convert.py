"""`damas convert`: convert between FEN, PDN and Hub files, one game at a time."""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TextIO

from damas.cli.answers import to_json
from damas.cli.arguments import DEFAULT_RULEBOOK, BadInput, add_rulebook
from damas.language import Saying, sentence
from damas.notation import SCHEMES, BadGame, convert
from damas.notation.convert import FORMATS
from damas.rules import rulebook
from damas.views.errors import error_view

SKIPPED_EXIT_CODE = 3
NUMBERINGS = {"fen": ("algebraic", "numbers"), "hub": ("numbers",), "pdn": SCHEMES}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("input", metavar="IN", help="file to read; - for standard input")
    parser.add_argument("output", metavar="OUT", help="file to write; - for standard output")
    add_rulebook(parser, default=None)
    known = ", ".join(FORMATS)
    parser.add_argument(
        "--from", dest="source", choices=FORMATS, help=f"{known}; default: from the extension of IN"
    )
    parser.add_argument(
        "--to", dest="target", choices=FORMATS, help=f"{known}; default: from the extension of OUT"
    )
    parser.add_argument(
        "--numbering",
        choices=SCHEMES,
        help="squares of what is written: algebraic, numbers, in PDN also rows-columns; default: the rulebook's own",
    )
    parser.epilog = (
        "FEN and Hub are one position a line, of -r or of brasileira. PDN names its rulebook; -r is for games that "
        "do not. A game becomes its last position, a position a game without moves. Bad games are reported on "
        "standard error with their line and skipped: exit code 3."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    source = options.source or _format(options.input, "--from")
    target = options.target or _format(options.output, "--to")
    if options.numbering and options.numbering not in NUMBERINGS[target]:
        known = ", ".join(NUMBERINGS[target])
        raise BadInput("cli.bad.numbering", target=target, known=known, got=options.numbering)
    name = options.rulebook or (None if source == "pdn" else DEFAULT_RULEBOOK)
    book = rulebook(name) if name else None
    report = _Report(options)
    with _reading(options.input) as lines:
        pieces = convert(lines, source, target, book, options.numbering)
        first = next(pieces, None)
        if first is None:  # do not overwrite OUT with nothing
            raise BadInput("file.at", name=options.input, why=Saying("cli.convert.empty"))
        with _writing(options.output, options.input) as stream:
            for piece in chain((first,), pieces):
                if isinstance(piece, BadGame):
                    report.skip(piece)
                else:
                    stream.write(piece)
                    report.count()
    return report.end()


def _format(name: str, flag: str) -> str:
    ending = Path(name).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise BadInput("cli.bad.format", name=name, flag=flag, known="|".join(FORMATS))
    return ending


@contextmanager
def _reading(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as file:
        yield file


@contextmanager
def _writing(name: str, source: str) -> Iterator[TextIO]:
    if name == "-":
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        yield sys.stdout
        return
    path = Path(name)
    if source != "-" and path.exists() and path.samefile(source):
        raise BadInput("cli.bad.same_file", name=name)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield file


class _Report:
    """Reports on stderr: bad games as they occur, progress on a terminal, and the totals."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._name = options.input
        self._language = options.language
        self._json = options.json
        self._to_stdout = options.output == "-"
        self._is_terminal = sys.stderr.isatty() and not options.json
        self._shown = time.monotonic()
        self._converted = self._skipped = 0

    def count(self) -> None:
        self._converted += 1
        if self._is_terminal and self._converted % 256 == 0 and time.monotonic() > self._shown + 1:
            self._shown = time.monotonic()
            print(f"\r{self._converted}", end="", file=sys.stderr, flush=True)

    def skip(self, bad: BadGame) -> None:
        self._skipped += 1
        error = error_view(bad.error, self._language)
        if self._json:
            print(to_json({"line": bad.line, "game": bad.game, "error": error}), file=sys.stderr)
            return
        message = error.message
        if bad.hint:
            message = f"{message.rstrip('.')}. {bad.hint.sentence(self._language)}"
        line = sentence("cli.convert.line", self._language, line=bad.line, message=message)
        print(f"{self._clear_line}damas: {self._name}, {line}", file=sys.stderr)

    @property
    def _clear_line(self) -> str:
        """Escape sequence that removes the progress line."""
        return "\r\033[K" if self._is_terminal else ""

    def end(self) -> int:
        if self._json:
            answer = to_json({"converted": self._converted, "skipped": self._skipped})
            print(answer, file=sys.stderr if self._to_stdout else sys.stdout)
        elif self._skipped or not self._to_stdout:
            summary = sentence("cli.convert.done", self._language, count=self._converted)
            if self._skipped:
                summary += " " + sentence("cli.convert.skipped", self._language, count=self._skipped)
            print(f"{self._clear_line}{summary}", file=sys.stderr)
        return SKIPPED_EXIT_CODE if self._skipped else 0
