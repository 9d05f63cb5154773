"""`damas book`: the engine's opening books."""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from damas.cli import page
from damas.cli.answers import answer_positions, print_answer, to_json
from damas.cli.arguments import BadInput, add_common, add_integer, add_position, add_rulebook, book_of
from damas.cli.moves import header
from damas.cli.progress import ProgressBar
from damas.engine.opening_book import BookMove, OpeningBook, book_for, read_opening_book
from damas.errors import BadBook
from damas.game import Position
from damas.language import Saying, sentence
from damas.language.numbers import number
from damas.openings.expansion import Expansion, Parameters
from damas.rules import Rulebook

_ACTIONS = {
    "build": "judge the openings of a rulebook with the engine",
    "probe": "show the moves of a position that a book knows, and their scores",
    "stats": "show how large a book is, and where it comes from",
}
MAX_POSITIONS, MAX_SECONDS, MAX_NODES = 1_000_000, 10**7, 10**9
EXIT_INTERRUPTED = 130


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    for name, text in _ACTIONS.items():
        action = actions.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False
        )
        (add_position if name == "probe" else add_rulebook)(action)
        if name == "build":
            _add_build(action)
        else:
            text = "a book that `build` has made (default: the one that comes with damas)"
            action.add_argument("--book", type=Path, metavar="FILE", help=text)
        add_common(action)


def _add_build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to make")
    add_integer(parser, "--positions", 1, MAX_POSITIONS, "stop when so many positions are judged")
    add_integer(parser, "--time", 1, MAX_SECONDS, "stop after so many seconds", metavar="S")
    add_integer(parser, "--nodes", 1, MAX_NODES, "nodes of each search (default: 20000)", default=20_000)
    add_integer(parser, "--seed", 0, 10**9, "another seed looks at other lines first (default: 1)", default=1)
    parser.epilog = (
        "Scores are kept in FILE.scores: a build that was interrupted, or a larger one, goes on from them. "
        "The same parameters make the same book."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    action: Callable[[argparse.Namespace], int] = globals()[f"_{options.action}"]
    return action(options)


def _build(options: argparse.Namespace) -> int:
    if options.positions is None and options.time is None:
        raise BadInput("cli.book.bad")
    began = time.monotonic()
    parameters = Parameters(options.nodes, options.seed, options.positions, options.time)
    bar = ProgressBar("", options.positions or 0)

    def report(done: int) -> None:
        bar.report(done, options.positions or done + 1, f"{done:,}")

    try:
        Expansion(book_of(options), options.out, parameters).run(report)
    except KeyboardInterrupt:
        print(f"\n{sentence('cli.book.interrupted', options.language)}", file=sys.stderr)
        return EXIT_INTERRUPTED
    finally:
        bar.clear()
    made, seconds = read_opening_book(options.out), time.monotonic() - began
    shown = _shown(made, options) | {"seconds": number(seconds, options.language, 1)}
    print_answer(
        options,
        lambda: _facts(made) | {"seconds": round(seconds, 3)},
        lambda: sentence("cli.book.built", options.language, **shown),
    )
    return 0


def _opened(options: argparse.Namespace, rules: Rulebook) -> OpeningBook:
    if options.book is None:
        book = book_for(rules)
        if book is None:
            raise BadInput("cli.book.none", rulebook=rules.id)
        return book
    book = read_opening_book(options.book)
    if not book.serves(rules):
        raise BadBook(book.name, Saying("book.other_moves", {"rulebook": book.header.rulebook}))
    return book


def _facts(book: OpeningBook) -> dict[str, object]:
    return {"file": book.name, "bytes": book.size, **asdict(book.header)}


def _shown(book: OpeningBook, options: argparse.Namespace) -> dict[str, str]:
    sizes = {"positions": book.header.positions, "moves": book.header.moves, "size": book.size / 1024}
    return {"file": book.name} | {name: number(size, options.language) for name, size in sizes.items()}


def _probe(options: argparse.Namespace) -> int:
    book, language = _opened(options, book_of(options)), options.language

    def json_line(position: Position) -> str:
        return to_json(
            {"moves": [{"text": each.move.text, "score": each.score} for each in book.moves(position)]}
        )

    def row(each: BookMove) -> tuple[str, str]:
        return each.move.text, f"{each.score / 100:+.2f}"

    def text(position: Position) -> str:
        moves, lines = book.moves(position), header(position, language)
        if not moves:
            return "\n".join([*lines, page.paragraph(sentence("cli.book.ends", language))])
        return "\n".join([*lines, "", page.table([row(each) for each in moves], indent=2, right=(1,))])

    return answer_positions(options, json_line, text)


def _stats(options: argparse.Namespace) -> int:
    rules = book_of(options)
    book = _opened(options, rules)
    depth = _depth(book, Position.start(rules))

    def text() -> str:
        language = options.language
        origin = {**asdict(book.header), "nodes": number(book.header.nodes, language)}
        return "\n".join(
            (
                sentence("cli.book.stats", language, **_shown(book, options)),
                "  " + sentence("cli.book.origin", language, **origin),
                "  " + sentence("cli.book.plies", language, plies=depth),
            )
        )

    print_answer(options, lambda: _facts(book) | {"plies": depth}, text)
    return 0


def _depth(book: OpeningBook, start: Position) -> int:
    """Plies of the longest line of a book."""
    level, depth, seen = [start], 0, {start}
    while level := [position for position in level if position in book]:
        depth += 1
        following = (position.play(each.move) for position in level for each in book.moves(position))
        level = list(dict.fromkeys(position for position in following if position not in seen))
        seen.update(level)
    return depth
