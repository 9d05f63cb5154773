"""What the commands ask for alike: a rulebook, a position, a language, JSON."""

import argparse
import os
from collections.abc import Callable, Sequence
from itertools import pairwise

from damas.game import Position
from damas.language import LANGUAGES, Saying, best_language
from damas.rules import Rulebook, rulebook

DEFAULT_RULEBOOK = "brasileira"


class BadInput(Exception):
    """What the user typed cannot be used, told on one line. It is no error of argparse's, whose words are English."""

    code = "INPUT"

    def __init__(self, key: str, /, **facts: object) -> None:
        super().__init__(key, facts)
        self.saying = Saying(key, facts)

    def sentence(self, language: str) -> str:
        return self.saying.sentence(language)


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
    language = _spoken(value)
    if language is None:
        raise BadInput("cli.bad.language", got=value, known=", ".join(LANGUAGES))
    return language


def _spoken(value: str) -> str | None:
    language = best_language(value)
    return None if language == "en" and not value.lower().startswith("en") else language


def whole(name: str, least: int, most: int) -> Callable[[str], int]:
    """Reads an option or argument that is a whole number."""

    def read(value: str) -> int:
        if not value.isdecimal() or len(value) > len(str(most)) or not least <= int(value) <= most:
            raise BadInput("cli.bad.whole", name=name, least=least, most=most, got=value)
        return int(value)

    return read


def language_in(arguments: Sequence[str]) -> str:
    """The language asked for, were the arguments ever so wrong, or the one of the environment."""
    asked = None
    for here, following in pairwise((*arguments, "")):
        name, _, value = here.partition("=")
        if name == "--lang":
            asked = _spoken(value or following) or asked
    if asked:
        return asked
    wanted = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return best_language(next((value for value in wanted if value), "en"))


def book_of(options: argparse.Namespace) -> Rulebook:
    return rulebook(options.rulebook)


def position_of(options: argparse.Namespace, book: Rulebook) -> Position:
    return Position.start(book) if options.fen is None else Position.from_fen(options.fen, book)
