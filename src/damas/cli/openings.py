"""`damas openings`: the openings that matches begin from."""

import argparse
from itertools import islice
from pathlib import Path

from damas.cli import page
from damas.cli.answers import print_answer
from damas.cli.arguments import BadInput, add_integer, add_rulebook, book_of
from damas.openings import Opening, is_word, named_ballots, openings
from damas.rules import Rulebook
from damas.views.openings import opening_view

DEFAULT_COUNT = 20
"""Lines shown of a ballot that has no end."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "which",
        nargs="?",
        metavar="WHICH",
        help="start, ballot, random:N plies, a ballot of the rulebook, or a file of FENs, moves or PDN; "
        "left out: the names of all",
    )
    add_rulebook(parser)
    add_integer(parser, "--count", 1, 10_000, f"so many of them (default: {DEFAULT_COUNT}, of a book all)")
    add_integer(
        parser, "--seed", 0, 10**9, "in the order of a match with this seed (default: 1, of a book its own)"
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    book = book_of(options)
    if options.which is None:
        names = ["start", "ballot", "random:N", *named_ballots(book)]
        print_answer(options, lambda: {"rulebook": book.id, "names": names}, lambda: "\n".join(names))
        return 0
    which = opening_word(options.which, book)
    count = options.count or (DEFAULT_COUNT if is_word(which) else None)
    lines = list(islice(openings(which, book, options.seed), count))
    print_answer(
        options,
        lambda: {"rulebook": book.id, "openings": [opening_view(line, n) for n, line in enumerate(lines, 1)]},
        lambda: page.table([_row(number, line) for number, line in enumerate(lines, 1)], right=(0,)),
    )
    return 0


def opening_word(text: str, book: Rulebook | str) -> str:
    """What `--openings` names, as `damas.openings` takes it; raises `BadInput` where it is nothing."""
    if is_word(text) or text in named_ballots(book):
        return text
    if text.startswith("random:") or not Path(text).is_file():
        known = ", ".join(("start", "ballot", *named_ballots(book)))
        raise BadInput("cli.arena.bad.openings", got=text, known=known)
    return text


def _row(number: int, opening: Opening) -> tuple[str, str, str]:
    return str(number), opening.name, " ".join(filter(None, (opening.fen, *opening.moves)))
