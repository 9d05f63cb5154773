"""`damas judge`: is the recorded result of a game what the rules give?"""

import argparse
import io
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from damas.arbiter import ledger, regulation
from damas.cli import page
from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_rulebook
from damas.errors import BadRecord
from damas.game import Customs
from damas.judging.certificate import Difference, check, table_in
from damas.judging.judge import Judgement, judge_broken, judge_games, judge_table
from damas.language import LANGUAGES, Saying, sentence
from damas.notation import read_games
from damas.rules import Rulebook, rulebook
from damas.views.verdicts import broken_certificate_view, story, verdict_view

NOT_SO = 3
"""Exit code: a recorded result is not what the rules give, or some games could not be read."""
PEEKED = 64


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="PDN with one or many games, a ledger (.jsonl), or a certificate (.json); - for standard input",
    )
    add_rulebook(parser, default=None)
    parser.add_argument(
        "--regulation",
        metavar="ID",
        help="casual, school, club, contest, or your own .toml: which limits wait for a claim (PDN)",
    )
    parser.add_argument("--letter", action="store_true", help="by the rulebook alone, platform rules off")
    parser.add_argument(
        "--explain", action="store_true", help="tell the game move by move, with what is counted"
    )
    parser.epilog = (
        "Exit code 0: every recorded result is what the rules give, or one they leave to the players: a resignation, "
        "an agreement, a fallen flag. If the record does not say which, that is remarked, not blamed. 3: a result "
        "that the rules do not give, an illegal move, play after the end, a broken ledger or certificate, or a game "
        "among others that cannot be read. 2: nothing could be read. -r is for games that name no rulebook."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    book = rulebook(options.rulebook) if options.rulebook else None
    customs = regulation(options.regulation).customs if options.regulation else None
    with _reading(options.file) as source:
        kind = _kind(options.file, source)
        if kind == "pdn":
            return _judge_pdn(source, book, customs, options)
        data = source.read()
    if not data.strip():
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.empty"))
    if b'"form":' in data[:2000] or kind == "certificate":
        return _judge_certificate(data, book, options)
    return _judge_ledger(data, book, options)


@contextmanager
def _reading(name: str) -> Iterator[Any]:
    if name == "-":
        stdin = sys.stdin.buffer
        yield stdin if hasattr(stdin, "peek") else io.BufferedReader(stdin)
        return
    with Path(name).open("rb") as file:
        yield file


def _kind(name: str, source: Any) -> str:
    """As the file is called; otherwise as it begins. A PDN may begin with a comment in braces, but not with an object.
    A certificate printed for people holds too little to be judged.
    """
    known = {".jsonl": "ledger", ".json": "certificate", ".pdn": "pdn"}.get(Path(name).suffix.lower())
    if known:
        return known
    begins = source.peek(PEEKED)[:PEEKED].lstrip()
    if begins.startswith(tuple(sentence("certificate.title", language).encode() for language in LANGUAGES)):
        raise BadInput("file.at", name=name, why=Saying("cli.judge.sheet"))
    return "ledger" if begins.startswith(b'{"') else "pdn"


# PDN


def _judge_pdn(
    source: Any, book: Rulebook | None, customs: Customs | None, options: argparse.Namespace
) -> int:
    report = _Report(options)
    for judgement in judge_games(read_games(source, book), customs, letter=options.letter):
        report.add(judgement)
    return report.end()


class _Report:
    """One game is told in full; of many, those that do not hold, and the sum."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._language = options.language
        self._verdicts: Counter[str] = Counter()
        self._first: Judgement | None = None
        self._watched = sys.stderr.isatty() and not options.json
        self._shown = time.monotonic()

    def add(self, judgement: Judgement) -> None:
        self._verdicts[judgement.verdict] += 1
        if self._count == 1:
            self._first = judgement  # whether it is the only one, the next will tell
            return
        if self._first:
            self._tell(self._first)
            self._first = None
        self._tell(judgement)
        if self._watched and time.monotonic() > self._shown + 1:
            self._shown = time.monotonic()
            print(f"\r{page.number(self._count)}", end="", file=sys.stderr, flush=True)

    @property
    def _count(self) -> int:
        return self._verdicts.total()

    def _tell(self, judgement: Judgement) -> None:
        """One of many."""
        if self._options.json:
            _print_view(judgement, self._options)
        elif self._options.explain:
            print(_full(judgement, self._options) + "\n")
        elif not judgement.holds:
            self._wipe()
            print(page.paragraph(_line(judgement, self._options), hang=2))

    def _wipe(self) -> None:
        if self._watched:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def end(self) -> int:
        unreadable = self._verdicts["UNREADABLE"]
        if not self._count:
            raise BadInput("file.at", name=self._options.file, why=Saying("cli.judge.empty"))
        self._wipe()
        if unreadable == self._count:
            return self._nothing_readable()
        if self._first:
            if self._options.json:
                _print_view(self._first, self._options)
            else:
                print(_full(self._first, self._options))
            return 0 if self._first.holds else NOT_SO
        wrong = sum(count for verdict, count in self._verdicts.items() if not Judgement(verdict).holds)
        if not self._options.json:
            print(self._sum(wrong - unreadable, unreadable))
        return NOT_SO if wrong else 0

    def _nothing_readable(self) -> int:
        first = self._first
        if first is None:  # several, and told one by one already
            message = sentence("cli.judge.unreadable", self._language, count=self._count)
        else:
            message = first.sentence(self._language)
            if self._options.json:
                _print_view(first, self._options)
        print(f"damas: {self._options.file}: {' '.join(message.split())}", file=sys.stderr)
        return 2

    def _sum(self, wrong: int, unreadable: int) -> str:
        def word(key: str, count: int) -> str:
            return sentence(f"cli.judge.{key}", self._language, count=count)

        parts = [
            word(key, count)
            for key, count in (
                ("as_ruled", self._verdicts["AS_RULED"]),
                ("explained", self._verdicts["EXPLAINED"]),
                ("not_decided", self._verdicts["NOT_DECIDED"]),
                ("open", self._verdicts["OPEN"]),
                ("wrong", wrong),
                ("not_read", unreadable),
            )
            if count
        ]
        return page.paragraph(f"{word('games', self._count)}: {'; '.join(parts)}.", hang=2)


# Ledgers and certificates


def _judge_ledger(data: bytes, book: Rulebook | None, options: argparse.Namespace) -> int:
    try:
        judgement = judge_table(ledger.load(data, book=book), letter=options.letter)
    except BadRecord as why:
        judgement = judge_broken(why)
    return _one(judgement, options)


def _judge_certificate(data: bytes, book: Rulebook | None, options: argparse.Namespace) -> int:
    differences = check(data, book)
    if not differences:
        return _one(judge_table(table_in(data, book), letter=options.letter), options)
    if options.json:
        print_json(broken_certificate_view(differences, options.file, options.language))
    else:
        print(_broken(differences, options))
    return NOT_SO


def _broken(differences: list[Difference], options: argparse.Namespace) -> str:
    title = sentence("cli.judge.certificate", options.language, count=len(differences))
    lines = [page.paragraph(difference.sentence(options.language), 2, 2) for difference in differences]
    return "\n".join([f"{options.file}: {title}", *lines])


def _one(judgement: Judgement, options: argparse.Namespace) -> int:
    if options.json:
        _print_view(judgement, options)
    else:
        print(_full(judgement, options))
    return 0 if judgement.holds else NOT_SO


def _print_view(judgement: Judgement, options: argparse.Namespace) -> None:
    view = verdict_view(judgement, options.language, explain=options.explain)
    print_json(replace(view, file=options.file))


# For people


def _full(judgement: Judgement, options: argparse.Namespace) -> str:
    """A game in full: its story if asked for, and the verdict."""
    language = options.language
    names = " – ".join(filter(None, judgement.players))
    number = sentence("cli.judge.game", language, number=judgement.game)
    heading = ", ".join(filter(None, (options.file, number, names, judgement.rulebook)))
    lines = [page.heading(heading)]
    if options.explain:
        lines += [*story(judgement, language), ""]
    return "\n".join([*lines, page.paragraph(judgement.sentence(language), hang=2)])


def _line(judgement: Judgement, options: argparse.Namespace) -> str:
    """A game among many: where it is, the ply and the article first."""
    language = options.language
    number = sentence("cli.judge.game", language, number=judgement.game)
    ply = sentence("cli.judge.ply", language, ply=judgement.ply) if judgement.ply else ""
    where = ", ".join(filter(None, (options.file, number, ply, judgement.article)))
    return f"{where}: {judgement.sentence(language)}"
