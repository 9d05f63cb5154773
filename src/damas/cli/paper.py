"""`damas paper`: a certificate, a score sheet or the leaflet of a rulebook as a PDF file."""

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from damas.arbiter import Table
from damas.cli.answers import print_json
from damas.cli.arguments import DEFAULT_RULEBOOK, BadInput, add_integer, add_rulebook, reading
from damas.cli.judge import kind_of_record, table_of
from damas.cli.new_file import add_force, replacing
from damas.judging.scoresheet import to_pdn
from damas.language import Saying, sentence
from damas.notation import BadGame, PdnGame, read_games
from damas.rules import Rulebook, rulebook
from damas.rules.library import is_builtin

if TYPE_CHECKING:
    from damas.paper.document import Document

KINDS = ("certificate", "scoresheet", "leaflet")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument(
        "file", nargs="?", metavar="FILE",
        help="a ledger (.jsonl) or certificate (.json); for a score sheet also PDN, or nothing for a blank one",
    )  # fmt: skip
    add_rulebook(parser, default=None)
    add_integer(parser, "--game", 1, 10**9, "which game of a PDN (default: 1)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="file to write; - for standard output (default: a name of its own)",
    )
    add_force(parser)
    parser.epilog = (
        "Writes A4 pages in the language of --lang. -r names the rulebook of a leaflet or of a blank score sheet, "
        'and the house rules of a game. Needs the packages of pip install "damas[web]".'
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    document = _document(options)
    write_papers(options, (document,), options.kind)
    return 0


def write_papers(options: argparse.Namespace, documents: Sequence["Document"], kind: str) -> None:
    """Writes documents as one PDF file, to the output that the options name, and says so."""
    data = pdf_file(*documents)
    if options.output == "-":
        sys.stdout.buffer.write(data)
        return
    path = Path(options.output or f"{documents[0].name}.pdf")
    with replacing(path, force=options.force) as write:
        write(data)
    if options.json:
        print_json({"kind": kind, "file": str(path), "bytes": len(data)})
    else:
        print(sentence("cli.paper.written", options.language, file=path))


def pdf_file(*documents: "Document") -> bytes:
    """The documents as PDF; says what to install where the library was installed alone."""
    if find_spec("reportlab") is None or find_spec("segno") is None:
        raise BadInput("cli.paper.missing", command='pip install "damas[web]"')
    from damas.paper.pdf import pdf

    return pdf(*documents)


def _document(options: argparse.Namespace) -> "Document":
    from damas.paper.certificate import certificate_paper
    from damas.paper.leaflet import leaflet
    from damas.paper.scoresheet import blank_scoresheet, scoresheet_paper

    book = rulebook(options.rulebook) if options.rulebook else None
    language, file = options.language, options.file
    if options.kind == "certificate" and not file:
        raise BadInput("cli.paper.game_needed")
    if options.kind == "leaflet":
        if file:
            raise BadInput("cli.paper.no_file")
        book = book or rulebook(DEFAULT_RULEBOOK)
        if not is_builtin(book):
            raise BadInput("cli.paper.house_rules", book=book.id)
        return leaflet(book, language)
    if not file:
        return blank_scoresheet(book or rulebook(DEFAULT_RULEBOOK), language)
    game = _game(file, book, options.game or 1)
    stem = "damas" if file == "-" else Path(file).name.partition(".")[0]
    if options.kind == "certificate":
        if isinstance(game, PdnGame):
            raise BadInput("file.at", name=file, why=Saying("cli.paper.not_a_ledger"))
        return certificate_paper(game, language, name=f"{stem}-certificate")
    name = f"{stem}-{options.kind}"
    if isinstance(game, PdnGame):
        return scoresheet_paper(game, language, name=name)
    return scoresheet_paper(to_pdn(game), language, name=name, table=game)


def _game(name: str, book: Rulebook | None, number: int) -> Table | PdnGame:
    """The game of a file: with all its events, or the moves of a PDN."""
    with reading(name) as source:
        if kind_of_record(name, source) == "pdn":
            count = 0
            for count, game in enumerate(read_games(source, book), start=1):
                if count < number:
                    continue
                if isinstance(game, BadGame):
                    raise game.error
                return game
            why = Saying("cli.paper.games", {"count": count}) if count else Saying("cli.judge.empty")
            raise BadInput("file.at", name=name, why=why)
        return table_of(name, source.read(), book)
