"""What a stage cannot work with is told in one line, before it begins; exit code 2."""

import argparse
from pathlib import Path
from typing import NoReturn

from damas import _core
from damas.engine import read_network
from damas.errors import DamasError
from damas.rules import Rulebook, rulebook

TORCH = 'PyTorch is needed: pip install "torch>=2.4,<3" (the extra `training` of damas)'


def refuse(parser: argparse.ArgumentParser, why: object) -> NoReturn:
    parser.exit(2, f"{parser.prog}: {why}\n")


def need_torch(parser: argparse.ArgumentParser) -> None:
    """To be called once the words are read: --help needs nothing."""
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        refuse(parser, TORCH)


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
