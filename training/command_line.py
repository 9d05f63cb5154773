"""Command lines of the training stages: bad arguments and files fail with one line and exit code 2 before work starts."""

import argparse
import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import NoReturn

from damas import _core
from damas.engine import read_network
from damas.errors import DamasError
from damas.game.core import rules_of
from damas.rules import Rulebook

TORCH_MISSING = 'PyTorch is needed: pip install "torch>=2.4,<3" (the extra `training` of damas)'


class StageError(Exception):
    """A reason why a stage cannot work, printed in one line."""


class StageParser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line; `--help` has the usage."""

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with code 2."""
        clear_bar = "\r\033[K" if sys.stderr.isatty() else ""
        self.exit(2, f"{clear_bar}{self.prog}: {message}\n")

    def add_threads(self) -> None:
        """Add `--threads`, by default one for each core."""
        self.add_argument("--threads", type=integer_between(1, 1024), default=os.cpu_count() or 1)

    def add_cluster(self) -> None:
        """Add `--cluster`: work on the machines of a Ray cluster."""
        self.add_argument("--cluster", metavar="ADDRESS", help="of a Ray cluster, as HOST:6379, or auto")


def stage_main(name: str, about: str | None) -> Callable[[Callable[[StageParser], int]], Callable[[], int]]:
    """Decorate the main function of a stage: build its parser and report errors of files and input in one line."""

    def decorate(run: Callable[[StageParser], int]) -> Callable[[], int]:
        @wraps(run)
        def main() -> int:
            parser = StageParser(prog=f"python -m training.{name}", description=about)
            try:
                return run(parser)
            except OSError as error:
                why = error.strerror or str(error)
                parser.error(f"{error.filename}: {why}" if error.filename else why)
            except (StageError, DamasError) as error:
                parser.error(str(error))

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


COUNT = integer_between(1, 10**12)
"""The argparse type of positions, nodes, pairs or epochs; all of them fit the integers of the core."""
SEED = integer_between(0, 10**18)
"""The argparse type of a seed."""


def require_torch() -> None:
    """Fail unless PyTorch is installed; call it after parsing, so that `--help` works without it."""
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        raise StageError(TORCH_MISSING) from None


class PortableNetwork:
    """A network that other machines can read: its file's bytes."""

    def __init__(self, path: Path | str) -> None:
        self.data = Path(path).read_bytes()

    def read(self) -> _core.Network:
        """The network."""
        return _core.Network.read(self.data)


def load_network(path: Path | str, book: Rulebook | None = None) -> _core.Network:
    """Read a network; fail if it is for another board than the rulebook's (other rules on the same board are allowed)."""
    try:
        network = read_network(path)
    except ValueError as error:
        raise StageError(error) from None
    if book:
        rules = rules_of(book)
        if (network.size, network.all_squares) != (rules.size, rules.all_squares):
            raise StageError(f"{path} is a network of another board than that of {book.id}")
    return network
