"""Command lines of the training stages: bad arguments and files fail with one line and exit code 2 before work starts."""

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

TORCH_MISSING = 'PyTorch is needed: pip install "torch>=2.4,<3" (the extra `training` of damas)'
MAX_NODES = 10**12
MAX_POSITIONS = 10**12
MAX_PAIRS = 10**6
MAX_THREADS = 1024
MAX_GAMES = 10**6
MAX_SEED = 10**18
"""Upper bounds far beyond practical use that still fit the integers of the core."""


class StageError(Exception):
    """A problem that a stage finds only after it has started; printed like a bad argument."""


class StageParser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line; `--help` has the usage."""

    def error(self, message: str) -> NoReturn:
        fail(self, message)


def stage_main(name: str, about: str | None) -> Callable[[Callable[[StageParser], int]], Callable[[], int]]:
    """Decorate the main function of a stage: build its parser and report any `OSError` in one line."""

    def decorate(run: Callable[[StageParser], int]) -> Callable[[], int]:
        @wraps(run)
        def main() -> int:
            parser = StageParser(prog=f"python -m training.{name}", description=about)
            try:
                return run(parser)
            except OSError as error:
                why = error.strerror or error
                fail(parser, f"{error.filename}: {why}" if error.filename else why)

        return main

    return decorate


def integer_between(least: int, most: int) -> Callable[[str], int]:
    """Return an argparse type for an integer from `least` to `most`."""

    def read(text: str) -> int:
        # Converting a very long text is slow, so its length is checked first.
        if not text.isdecimal() or len(text) > len(str(most)) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, not {text}")
        return int(text)

    return read


def fail(parser: argparse.ArgumentParser, why: object) -> NoReturn:
    """Print one line and exit with code 2."""
    clear_bar = "\r\033[K" if sys.stderr.isatty() else ""
    parser.exit(2, f"{clear_bar}{parser.prog}: {why}\n")


def require_torch(parser: argparse.ArgumentParser) -> None:
    """Fail unless PyTorch is installed; call it after parsing, so that `--help` works without it."""
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        fail(parser, TORCH_MISSING)


def require_file(parser: argparse.ArgumentParser, path: Path) -> None:
    if not path.is_file():
        fail(parser, f"{path} is not there")


def load_rulebook(parser: argparse.ArgumentParser, name: str) -> Rulebook:
    try:
        return rulebook(name)
    except DamasError as why:
        fail(parser, why)


def load_network(parser: argparse.ArgumentParser, path: Path | str) -> _core.Network:
    try:
        return read_network(path)
    except OSError as error:
        fail(parser, f"{path}: {error.strerror}")
    except ValueError as error:
        fail(parser, error)


def require_same_board(
    parser: argparse.ArgumentParser, network: _core.Network, path: Path | str, book: Rulebook
) -> None:
    """Fail if the network is for another board than the rulebook's; other rules on the same board are allowed."""
    rules = rules_of(book)
    if (network.size, network.all_squares) != (rules.size, rules.all_squares):
        fail(parser, f"{path} is a network of another board than that of {book.id}")
