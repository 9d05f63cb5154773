"""What the commands ask for alike: a rulebook, a position, a language, JSON."""

import argparse
import os

from damas.game import Position
from damas.language import LANGUAGES, best_language
from damas.rules import Rulebook, rulebook

DEFAULT_RULEBOOK = "brasileira"


class BadInput(Exception):
    """What the user typed cannot be used; the text says why, on one line."""

    code = "INPUT"


def add_common(parser: argparse.ArgumentParser) -> None:
    """`--json` and `--lang`, before or after the name of the command."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="answer with one line of JSON"
    )
    group.add_argument(
        "--lang",
        type=_language,
        default=argparse.SUPPRESS,
        metavar="LANG",
        help=f"{', '.join(LANGUAGES)}; otherwise as LC_ALL, LC_MESSAGES or LANG say",
    )


def add_rulebook(parser: argparse.ArgumentParser, default: str | None = DEFAULT_RULEBOOK) -> None:
    tail = f" (otherwise {default})" if default else ""
    parser.add_argument(
        "-r",
        "--rulebook",
        default=default,
        metavar="ID",
        help=f"id, English name, or your own rules.toml{tail}",
    )


def add_position(parser: argparse.ArgumentParser) -> None:
    add_rulebook(parser)
    parser.add_argument(
        "-f",
        "--fen",
        type=readable,
        metavar="FEN",
        help="position, such as W:Wc3,Ka1:Bb4,d4 (otherwise the start); - answers each line of standard input",
    )


def readable(text: str) -> str:
    """An argument whose bytes were no text still gets an answer."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _language(value: str) -> str:
    language = best_language(value)
    if language == "en" and not value.lower().startswith("en"):
        raise argparse.ArgumentTypeError(f"no language {value!r}; known are {', '.join(LANGUAGES)}")
    return language


def language_of(options: argparse.Namespace) -> str:
    """The language asked for, or the one of the environment."""
    if hasattr(options, "lang"):
        return str(options.lang)
    wanted = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return best_language(next((value for value in wanted if value), "en"))


def book_of(options: argparse.Namespace) -> Rulebook:
    return rulebook(options.rulebook)


def position_of(options: argparse.Namespace, book: Rulebook) -> Position:
    return Position.start(book) if options.fen is None else Position.from_fen(options.fen, book)
