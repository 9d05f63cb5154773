"""What the commands ask for alike: a rulebook, a position, a language, JSON."""

import argparse
import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

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


def two_as_one(arguments: Sequence[str]) -> list[str]:
    """`--sprt 0 5` as `--sprt=0,5`: argparse has no option that takes one word or two.

    >>> two_as_one(["match", "--sprt", "-5", "0", "damas", "greedy"])
    ['match', '--sprt=-5,0', 'damas', 'greedy']
    """
    found = list(arguments)
    for place in range(len(found) - 1):
        if found[place] == "--sprt":
            words = found[place + 1 : place + 3]
            numbers = len(words) == 2 and all(_is_number(word) for word in words)
            found[place : place + 2 + numbers] = [f"--sprt={','.join(words[: 1 + numbers])}"]
            break
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def sprt_of(text: str | None) -> tuple[float, float] | None:
    """The two Elo differences of a sequential test."""
    if text is None:
        return None
    try:
        low, high = (float(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise BadInput("cli.bad.sprt", got=text) from None
    if not -1000 < low < high < 1000:
        raise BadInput("cli.bad.sprt", got=text)
    return low, high


def book_of(options: argparse.Namespace) -> Rulebook:
    return rulebook(options.rulebook)


def position_of(options: argparse.Namespace, book: Rulebook) -> Position:
    return Position.start(book) if options.fen is None else Position.from_fen(options.fen, book)


def add_storage(parser: argparse.ArgumentParser) -> None:
    """Where the web app keeps its games."""
    parser.add_argument(
        "--database", metavar="URL", help="postgresql://… or sqlite:///… (otherwise SQLite in --data)"
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where games are kept (otherwise DAMAS_DATA, or your own folder)",
    )
