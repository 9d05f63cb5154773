"""`damas convert`: convert between FEN, PDN and Hub files, one game at a time."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from damas.cli.answers import to_json
from damas.cli.arguments import DEFAULT_RULEBOOK, BadInput, add_rulebook, reading
from damas.cli.judge import table_of
from damas.cli.new_file import add_force, replacing
from damas.cli.progress import StatusLine
from damas.judging.scoresheet import to_pdn
from damas.language import Saying, sentence
from damas.notation import SCHEMES, BadGame, PdnGame
from damas.notation.convert import FORMATS, games_in, texts_of
from damas.rules import Rulebook, rulebook
from damas.views.errors import error_view

_SKIPPED_EXIT_CODE = 3
_RECORD = "record"
"""A ledger or a certificate, which can be read only."""
_RECORD_ENDINGS = ("json", "jsonl")
_NUMBERINGS = {"fen": ("algebraic", "numbers"), "hub": ("numbers",), "pdn": SCHEMES}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "input", metavar="IN", help="file to read, a ledger or certificate too; - for standard input"
    )
    parser.add_argument("output", metavar="OUT", help="file to write; - for standard output")
    add_force(parser)
    add_rulebook(parser, default=None)
    known = ", ".join(FORMATS)
    parser.add_argument(
        "--from",
        dest="source",
        choices=(*FORMATS, _RECORD),
        help=f"{known}, record (a ledger or certificate); default: from the extension of IN",
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
        "standard error with their line and skipped: exit code 3. Where nothing could be read, nothing is written."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    source = options.source or _source_format(options.input)
    target = options.target or _format(options.output, "--to")
    if options.numbering and options.numbering not in _NUMBERINGS[target]:
        known = ", ".join(_NUMBERINGS[target])
        raise BadInput("cli.bad.numbering", target=target, known=known, got=options.numbering)
    name = options.rulebook or (DEFAULT_RULEBOOK if source in ("fen", "hub") else None)
    book = rulebook(name) if name else None
    report = _Report(options)
    with reading(options.input) as file:
        if _same_file(options.input, options.output):
            raise BadInput("cli.bad.same_file", name=options.output)
        games = report.watch(_games(options.input, file, source, book))
        pieces = report.readable(texts_of(games, target, options.numbering))
        first = next(pieces, None)
        if first is None:  # do not overwrite OUT with nothing
            if report.skipped:
                return report.end()
            raise BadInput("file.at", name=options.input, why=Saying("cli.convert.empty"))
        with _writing(options.output, force=options.force) as write:
            for piece in chain((first,), pieces):
                write(piece)
                report.count()
    if target != "pdn":
        report.name_rulebooks(name or DEFAULT_RULEBOOK)
    return report.end()


def _games(name: str, file: Any, source: str, book: Rulebook | None) -> Iterator[PdnGame | BadGame]:
    """The games of a file; a ledger or a certificate has one."""
    if source == _RECORD:
        return iter([to_pdn(table_of(name, file.read(), book))])
    return games_in(file, source, book)


def _source_format(name: str) -> str:
    if Path(name).suffix.lower().removeprefix(".") in _RECORD_ENDINGS:
        return _RECORD
    return _format(name, "--from", (*FORMATS, _RECORD))


def _format(name: str, flag: str, known: tuple[str, ...] = FORMATS) -> str:
    ending = Path(name).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise BadInput("cli.bad.format", name=name, flag=flag, known="|".join(known))
    return ending


def _same_file(source: str, target: str) -> bool:
    return "-" not in (source, target) and Path(target).exists() and Path(target).samefile(source)


@contextmanager
def _writing(name: str, *, force: bool) -> Iterator[Callable[[str], object]]:
    """The function that writes to a file, which is there when all is written; `-` is standard output."""
    if name == "-":
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        yield sys.stdout.write
        return
    with replacing(Path(name), force=force) as write:
        yield write


class _Report:
    """Reports on stderr: bad games as they occur, progress on a terminal, and the totals."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._status = StatusLine(enabled=not options.json)
        self._converted = self.skipped = 0
        self._rulebooks: set[str] = set()

    def watch(self, games: Iterable[PdnGame | BadGame]) -> Iterator[PdnGame | BadGame]:
        """The games; notes their rulebooks."""
        for game in games:
            if isinstance(game, PdnGame):
                self._rulebooks.add(game.rulebook.id)
            yield game

    def readable(self, pieces: Iterable[str | BadGame]) -> Iterator[str]:
        """The texts among the pieces; reports the games that could not be read."""
        for piece in pieces:
            if isinstance(piece, BadGame):
                self.skip(piece)
            else:
                yield piece

    def name_rulebooks(self, expected: str) -> None:
        """Say of which rulebooks the positions are, unless whoever reads them with the same options expects it."""
        if self._options.json or self._rulebooks == {expected}:
            return
        language = self._options.language
        books = ", ".join(sorted(self._rulebooks))
        self._status.clear()
        print(sentence("cli.convert.rulebooks", language, books=books), file=sys.stderr)

    def count(self) -> None:
        """Count a converted game."""
        self._converted += 1
        if self._converted % 256 == 0:
            self._status.show(str(self._converted))

    def skip(self, bad: BadGame) -> None:
        """Report a game that could not be read."""
        self.skipped += 1
        language = self._options.language
        error = error_view(bad.error, language)
        if self._options.json:
            print(to_json({"line": bad.line, "game": bad.game, "error": error}), file=sys.stderr)
            return
        message = error.message
        if bad.hint:
            message = f"{message.rstrip('.')}. {bad.hint.sentence(language)}"
        line = sentence("cli.convert.line", language, line=bad.line, message=message)
        self._status.clear()
        print(f"damas: {self._options.input}, {line}", file=sys.stderr)

    def end(self) -> int:
        """Report the totals and return the exit code."""
        to_stdout, language = self._options.output == "-", self._options.language
        self._status.clear()
        if self._options.json:
            books = sorted(self._rulebooks)
            answer = to_json({"converted": self._converted, "skipped": self.skipped, "rulebooks": books})
            print(answer, file=sys.stderr if to_stdout else sys.stdout)
        elif self.skipped or not to_stdout:
            summary = sentence("cli.convert.done", language, count=self._converted)
            if self.skipped:
                summary += " " + sentence("cli.convert.skipped", language, count=self.skipped)
            print(summary, file=sys.stderr)
        return _SKIPPED_EXIT_CODE if self.skipped else 0
