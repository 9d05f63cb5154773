"""Options shared by the commands: rulebook, position, language, JSON, storage."""

import argparse
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from damas.game import Position
from damas.language import LANGUAGES, Saying, best_language
from damas.rules import Rulebook, rulebook

DEFAULT_RULEBOOK = "brasileira"
"""Id of the rulebook where `-r` is left out."""


class BadInput(Exception):
    """Unusable input, reported in one translated line."""

    code = "INPUT"

    def __init__(self, key: str, /, **facts: object) -> None:
        super().__init__(key, facts)
        self.saying = Saying(key, facts)

    def sentence(self, language: str) -> str:
        """The message in a language."""
        return self.saying.sentence(language)


def add_common(parser: argparse.ArgumentParser, *, json: bool = True) -> None:
    """Add `--json` and `--lang`, which are accepted before and after the command.

    With `json=False` the option is hidden: it is accepted only to explain why the command has none.
    """
    group = parser.add_argument_group("output")
    text = "answer with one line of JSON" if json else argparse.SUPPRESS
    group.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=text)
    group.add_argument(
        "--lang",
        type=_language,
        default=argparse.SUPPRESS,
        metavar="LANG",
        help=f"{', '.join(LANGUAGES)}; default: from LC_ALL, LC_MESSAGES or LANG",
    )


def add_rulebook(
    parser: argparse.ArgumentParser,
    default: str | None = DEFAULT_RULEBOOK,
    *,
    shown: str | None = None,
    own: bool = True,
) -> None:
    """Add `-r`; `shown` is the default that the help names where the command itself chooses it, `own` takes a file."""
    tail = f" (default: {default or shown})" if default or shown else ""
    parser.add_argument(
        "-r",
        "--rulebook",
        default=default,
        metavar="ID",
        help=f"id, English name, or your own rules.toml{tail}" if own else f"id or English name{tail}",
    )


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add `-r` and `-f`."""
    add_rulebook(parser)
    parser.add_argument(
        "-f",
        "--fen",
        type=readable,
        metavar="FEN",
        help="position, such as W:Wc3,Ka1:Bb4,d4 (default: the start position); - answers each line of standard input",
    )


def add_flag(parser: argparse._ActionsContainer, name: str, help: str) -> None:
    """Add an option without a value."""
    parser.add_argument(name, action="store_true", help=help)


def readable(text: str) -> str:
    """Replace undecodable bytes of an argument."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _language(value: str) -> str:
    language = _known_language(value)
    if language is None:
        raise BadInput("cli.bad.language", got=value, known=", ".join(LANGUAGES))
    return language


def _known_language(value: str) -> str | None:
    language = best_language(value)
    return None if language == "en" and not value.lower().startswith("en") else language


def add_integer(
    parser: argparse._ActionsContainer,  # argparse has no public name for a parser or group
    name: str,
    least: int,
    most: int,
    help: str,
    *,
    metavar: str = "N",
    **settings: Any,
) -> None:
    """Add an argument that takes an integer from `least` to `most`; `settings` are those of argparse."""

    def read(value: str) -> int:
        if not value.isdecimal() or len(value) > len(str(most)) or not least <= int(value) <= most:
            shown = name if name.startswith("-") else metavar
            raise BadInput("cli.bad.whole", name=shown, least=least, most=most, got=value)
        return int(value)

    parser.add_argument(name, type=read, metavar=metavar, help=help, **settings)


def language_in(arguments: Sequence[str]) -> str:
    """Return the requested language, even from invalid arguments, or the language of the environment."""
    requested = None
    for here, following in pairwise((*arguments, "")):
        name, _, value = here.partition("=")
        if name == "--lang":
            requested = _known_language(value or following) or requested
    if requested:
        return requested
    from_environment = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return best_language(next((value for value in from_environment if value), "en"))


def join_sprt_bounds(arguments: Sequence[str]) -> list[str]:
    """Rewrite `--sprt 0 5` as `--sprt=0,5`, because argparse has no option with one or two values.

    >>> join_sprt_bounds(["match", "--sprt", "-5", "0", "damas", "greedy"])
    ['match', '--sprt=-5,0', 'damas', 'greedy']
    """
    result = list(arguments)
    for place in range(len(result) - 1):
        if result[place] == "--sprt":
            words = result[place + 1 : place + 3]
            numbers = len(words) == 2 and all(_is_number(word) for word in words)
            result[place : place + 2 + numbers] = [f"--sprt={','.join(words[: 1 + numbers])}"]
            break
    return result


def join_negative_values(arguments: Sequence[str]) -> list[str]:
    """Rewrite `--time -5+1` as `--time=-5+1`, because argparse takes such a value for an option.

    >>> join_negative_values(["match", "--time", "-5+1", "damas", "greedy"])
    ['match', '--time=-5+1', 'damas', 'greedy']
    """
    result: list[str] = []
    for word in arguments:
        if result and re.fullmatch(r"--[a-z][a-z-]*", result[-1]) and re.match(r"-\.?[0-9]", word):
            result[-1] += f"={word}"
        else:
            result.append(word)
    return result


def shield_results(arguments: Sequence[str]) -> list[str]:
    """Rewrite the results `--` and `-+` of `damas club result` with minus signs, because argparse takes them for options.

    >>> shield_results(["club", "result", "open.damas", "3", "--"])[-1]
    '−−'
    """
    if "result" not in arguments or not {"club", "clube"} & set(arguments):
        return list(arguments)
    return [word.replace("-", "−") if word in ("--", "-+") else word for word in arguments]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def sprt_of(text: str | None) -> tuple[float, float] | None:
    """Parse the two Elo bounds of a sequential test."""
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
    """The rulebook of `-r`."""
    return rulebook(options.rulebook)


def position_of(options: argparse.Namespace, book: Rulebook) -> Position:
    """The position of `-f`, or the start position of the rulebook."""
    return Position.start(book) if options.fen is None else Position.from_fen(options.fen, book)


@contextmanager
def reading(name: str) -> Iterator[Any]:
    """Open a file for reading bytes; `-` is standard input."""
    if name == "-":
        stdin = sys.stdin.buffer
        yield stdin if hasattr(stdin, "peek") else io.BufferedReader(stdin)
        return
    with Path(name).open("rb") as file:
        yield file


def add_cluster(parser: argparse._ActionsContainer) -> None:
    """Add the option for work on several machines."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="work on the machines of this Ray cluster, as HOST:6379; auto is the one that runs here",
    )


def add_storage(parser: argparse._ActionsContainer) -> None:
    """Add the options for the web app's database."""
    parser.add_argument(
        "--database", metavar="URL", help="postgresql://… or sqlite:///… (default: SQLite in --data)"
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="data folder (default: DAMAS_DATA, or your user data folder)",
    )
