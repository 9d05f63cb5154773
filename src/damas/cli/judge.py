"""`damas judge`: is the recorded result of a game what the rules give?"""

import argparse
import sys
from collections import Counter
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from damas.arbiter import Regulation, Table, ledger, regulation
from damas.cli import page
from damas.cli.answers import print_answer, print_json
from damas.cli.arguments import BadInput, add_flag, add_rulebook, reading
from damas.cli.progress import StatusLine
from damas.errors import BadRecord
from damas.judging.certificate import Difference, check, table_in
from damas.judging.judge import Judgement, judge_broken, judge_games, judge_table
from damas.language import LANGUAGES, Saying, rulebook_word, sentence
from damas.notation import read_games
from damas.rules import Rulebook, rulebook
from damas.views.verdicts import broken_certificate_view, story, verdict_view

NOT_SO = 3
"""Exit code: a recorded result is not what the rules give, or some games could not be read."""
PEEK_BYTES = 64
"""Bytes at the beginning of a file that show what it is."""


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
        metavar="REGULATION",
        help="casual, school, club, contest, or your own .toml: which limits wait for a claim, which draws may be agreed (PDN)",
    )
    add_flag(parser, "--letter", "by the rulebook alone, platform rules off")
    add_flag(parser, "--explain", "tell the game move by move, with what is counted")
    parser.epilog = (
        "Exit code 0: every recorded result is what the rules give, or one they leave to the players: a resignation, "
        "an agreement, a fallen flag. If the record does not say which, that is remarked, not blamed. 3: a result "
        "that the rules do not give, an illegal move, play after the end, a broken ledger or certificate, or a game "
        "among others that cannot be read. 2: nothing could be read. -r is for games that name no rulebook."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    book = rulebook(options.rulebook) if options.rulebook else None
    rules = regulation(options.regulation) if options.regulation else None
    with reading(options.file) as source:
        kind = kind_of_record(options.file, source)
        if kind == "pdn":
            return _judge_pdn(source, book, rules, options)
        data = source.read()
    if not data.strip():
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.empty"))
    if b'"form":' in data[:2000] or kind == "certificate":
        return _judge_certificate(data, book, options)
    return _judge_ledger(data, book, options)


def kind_of_record(name: str, source: Any) -> str:
    """The kind of a file by its extension, otherwise by its first bytes: `pdn`, `ledger` or `certificate`.

    A PDN may begin with a comment in braces, but not with an object. Raises `BadInput` for a certificate printed for
    people, which holds too little to be judged.
    """
    known = {".jsonl": "ledger", ".json": "certificate", ".pdn": "pdn"}.get(Path(name).suffix.lower())
    if known:
        return known
    begins = source.peek(PEEK_BYTES)[:PEEK_BYTES].lstrip()
    if begins.startswith(tuple(sentence("certificate.title", language).encode() for language in LANGUAGES)):
        raise BadInput("file.at", name=name, why=Saying("cli.judge.sheet"))
    return "ledger" if begins.startswith(b'{"') else "pdn"


def table_of(name: str, data: bytes, book: Rulebook | None) -> Table:
    """The game of a ledger or a certificate; raises `BadInput` with the first thing that is wrong with a certificate."""
    if b'"form":' not in data[:2000]:
        return ledger.load(data, book=book)
    for difference in check(data, book):
        raise BadInput("file.at", name=name, why=difference)
    return table_in(data, book)


# PDN


def _judge_pdn(
    source: Any, book: Rulebook | None, rules: Regulation | None, options: argparse.Namespace
) -> int:
    """Judge the games of a PDN: the only one is told in full; of many, those that do not hold, and the totals."""
    judgements = judge_games(read_games(source, book), rules, letter=options.letter)
    begin = list(islice(judgements, 2))
    if not begin:
        raise BadInput("file.at", name=options.file, why=Saying("cli.judge.empty"))
    if len(begin) == 1:
        return _one(begin[0], options)
    verdicts: Counter[str] = Counter()
    status = StatusLine(enabled=not options.json)
    for judgement in chain(begin, judgements):
        verdicts[judgement.verdict] += 1
        if options.json:
            _print_view(judgement, options)
        elif options.explain:
            print(_full(judgement, options) + "\n")
        elif not judgement.holds:
            status.clear()
            print(page.paragraph(_line(judgement, options), hang=2))
        status.show(str(verdicts.total()))
    status.clear()
    if verdicts["UNREADABLE"] == verdicts.total():
        message = sentence("cli.judge.unreadable", options.language, count=verdicts.total())
        return _nothing_readable(message, options)
    wrong = sum(count for verdict, count in verdicts.items() if not Judgement(verdict).holds)
    if not options.json:
        print(_totals(verdicts, wrong - verdicts["UNREADABLE"], options.language))
    return NOT_SO if wrong else 0


def _nothing_readable(message: str, options: argparse.Namespace) -> int:
    print(f"damas: {options.file}: {' '.join(message.split())}", file=sys.stderr)
    return 2


def _totals(verdicts: Counter[str], wrong: int, language: str) -> str:
    counts = {
        "as_ruled": verdicts["AS_RULED"],
        "explained": verdicts["EXPLAINED"],
        "not_decided": verdicts["NOT_DECIDED"],
        "open": verdicts["OPEN"],
        "wrong": wrong,
        "not_read": verdicts["UNREADABLE"],
    }
    games = sentence("cli.judge.games", language, count=verdicts.total())
    parts = [sentence(f"cli.judge.{key}", language, count=count) for key, count in counts.items() if count]
    return page.paragraph(f"{games}: {'; '.join(parts)}.", hang=2)


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
    print_answer(
        options,
        lambda: broken_certificate_view(differences, options.file, options.language),
        lambda: _broken(differences, options),
    )
    return NOT_SO


def _broken(differences: list[Difference], options: argparse.Namespace) -> str:
    title = sentence("cli.judge.certificate", options.language, count=len(differences))
    lines = [page.paragraph(difference.sentence(options.language), 2, 2) for difference in differences]
    return "\n".join([f"{options.file}: {title}", *lines])


def _one(judgement: Judgement, options: argparse.Namespace) -> int:
    """Tell the only game of a file."""
    if options.json:
        _print_view(judgement, options)
    if judgement.verdict == "UNREADABLE":
        return _nothing_readable(judgement.sentence(options.language), options)
    if not options.json:
        print(_full(judgement, options))
    return 0 if judgement.holds else NOT_SO


def _print_view(judgement: Judgement, options: argparse.Namespace) -> None:
    view = verdict_view(judgement, options.language, explain=options.explain)
    print_json(replace(view, file=options.file))


# For people


def _full(judgement: Judgement, options: argparse.Namespace) -> str:
    """A game in full: with `--explain` move by move, then the verdict."""
    language = options.language
    names = " – ".join(filter(None, judgement.players))
    number = sentence("cli.judge.game", language, number=judgement.game)
    heading = ", ".join(
        filter(None, (options.file, number, names, rulebook_word(judgement.rulebook, language)))
    )
    lines = [page.heading(heading)]
    if options.explain:
        lines += [*map(_wrapped, story(judgement, language)), ""]
    return "\n".join([*lines, page.paragraph(judgement.sentence(language), hang=2)])


def _wrapped(line: str) -> str:
    """A line of the story; one that is indented hangs from its sign."""
    text = line.lstrip()
    indent = len(line) - len(text)
    return page.paragraph(text, indent, hang=2) if indent else line


def _line(judgement: Judgement, options: argparse.Namespace) -> str:
    """A game among many: where it is, the ply and the article first."""
    language = options.language
    number = sentence("cli.judge.game", language, number=judgement.game)
    ply = judgement.move_name(language) if judgement.ply else ""
    where = ", ".join(filter(None, (options.file, number, ply, judgement.article)))
    return f"{where}: {judgement.sentence(language)}"
