"""What a stage cannot work with is told in one line, before it begins; exit code 2."""

import argparse
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import NoReturn

from damas import _core
from damas.engine import read_network
from damas.errors import DamasError
from damas.game.core import rules_of
from damas.rules import Rulebook, rulebook

TORCH = 'PyTorch is needed: pip install "torch>=2.4,<3" (the extra `training` of damas)'
MOST_NODES = 10**12
MOST_POSITIONS = 10**12
MOST_PAIRS = 10**6
MOST_THREADS = 1024
MOST_GAMES = 10**6
MOST_SEED = 10**18
"""All far beyond use; what the core counts with holds them."""


class Refused(Exception):
    """What a stage finds only once it has begun; told as all the rest."""


class Words(argparse.ArgumentParser):
    """The words of a stage. Those that cannot be read are told in one line as well: the usage has --help."""

    def error(self, message: str) -> NoReturn:
        refuse(self, message)


def a_stage(name: str, about: str | None) -> Callable[[Callable[[Words], int]], Callable[[], int]]:
    """Makes the main of a stage: a file that cannot be written, or read, is told in one line wherever it is met."""

    def made(run: Callable[[Words], int]) -> Callable[[], int]:
        @wraps(run)
        def main() -> int:
            parser = Words(prog=f"python -m training.{name}", description=about)
            try:
                return run(parser)
            except OSError as error:
                why = error.strerror or error
                refuse(parser, f"{error.filename}: {why}" if error.filename else why)

        return main

    return made


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number that a stage can work with."""

    def read(text: str) -> int:
        # A text of more digits than the bound is not turned into a number first.
        if not text.isdecimal() or len(text) > len(str(most)) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, not {text}")
        return int(text)

    return read


def refuse(parser: argparse.ArgumentParser, why: object) -> NoReturn:
    over_the_bar = "\r\033[K" if sys.stderr.isatty() else ""
    parser.exit(2, f"{over_the_bar}{parser.prog}: {why}\n")


def need_torch(parser: argparse.ArgumentParser) -> None:
    """To be called once the words are read: --help needs nothing."""
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        refuse(parser, TORCH)


def need_file(parser: argparse.ArgumentParser, path: Path) -> None:
    if not path.is_file():
        refuse(parser, f"{path} is not there")


def known_book(parser: argparse.ArgumentParser, name: str) -> Rulebook:
    try:
        return rulebook(name)
    except DamasError as why:
        refuse(parser, why)


def known_network(parser: argparse.ArgumentParser, path: Path | str) -> _core.Network:
    try:
        return read_network(path)
    except OSError as error:
        refuse(parser, f"{path}: {error.strerror}")
    except ValueError as error:
        refuse(parser, error)


def need_board(
    parser: argparse.ArgumentParser, network: _core.Network, path: Path | str, book: Rulebook
) -> None:
    """A network may play by rules it has not learned, but not on another board."""
    rules = rules_of(book)
    if (network.size, network.all_squares) != (rules.size, rules.all_squares):
        refuse(parser, f"{path} is a network of another board than that of {book.id}")
