"""`damas hub`: the engine for other programs, by the Hub protocol on standard input and output."""

import argparse
import sys

from damas.cli.arguments import BadInput, add_rulebook, book_of
from damas.cli.best import add_engine
from damas.engine.hub import Talk, write_line

LONGEST_LINE = 1 << 20


def add(parser: argparse.ArgumentParser) -> None:
    add_rulebook(parser, default="internacional")
    add_engine(parser)


def run(options: argparse.Namespace) -> int:
    if options.json:
        raise BadInput("cli.bad.hub_json")
    talk = Talk(_say, book_of(options), options.threads, options.hash)
    try:
        while line := sys.stdin.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE and not line.endswith("\n"):
                _pass_over_the_rest()
                talk.say(write_line("error", message=f"a line may have {LONGEST_LINE} characters"))
            elif not talk.hear(line):
                return 0
        talk.wait()  # the input is over; what was asked last is still answered
    finally:
        talk.close()
    return 0


def _pass_over_the_rest() -> None:
    while (rest := sys.stdin.readline(LONGEST_LINE)) and not rest.endswith("\n"):
        pass


def _say(line: str) -> None:
    print(line, flush=True)
