"""`damas hub`: the engine for other programs, by the Hub protocol on standard input and output."""

import argparse
import sys

from damas.cli.arguments import add_rulebook, book_of
from damas.cli.best import add_engine
from damas.engine.hub import HubSession
from damas.notation.hub import write_line

MAX_LINE_CHARS = 1 << 20
"""Longest line that is read, in characters; a longer one is answered with an error."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_rulebook(parser, default="internacional")
    add_engine(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    session = HubSession(_print, book_of(options), options.threads, options.hash)
    try:
        while line := sys.stdin.readline(MAX_LINE_CHARS):
            if len(line) == MAX_LINE_CHARS and not line.endswith("\n"):
                _skip_rest_of_line()
                session.send(write_line("error", message=f"a line may have {MAX_LINE_CHARS} characters"))
            elif not session.handle(line):
                return 0
        session.wait()  # the input has ended; the last search is still answered
    finally:
        session.close()
    return 0


def _skip_rest_of_line() -> None:
    while (rest := sys.stdin.readline(MAX_LINE_CHARS)) and not rest.endswith("\n"):
        pass


def _print(line: str) -> None:
    print(line, flush=True)
