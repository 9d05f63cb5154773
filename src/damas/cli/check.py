"""`damas check COMMAND`: checks that a bot keeps the protocol, plays legal moves and is in time; exit code 1 if not."""

import argparse

from damas.arbiter import TimeControl
from damas.arena.check import Check, Report, examine
from damas.arena.check.report import FAIL, PASS
from damas.cli import page
from damas.cli.answers import print_answer
from damas.cli.arguments import BadInput, add_flag, add_integer, add_rulebook
from damas.language import sentence, word
from damas.matches.entrant import Entrant

_MAX_MOVE_MS = 3_600_000


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "bot", metavar="COMMAND", help="my_bot.py, ./bot, 'node bot.js'; text:COMMAND for the text mode"
    )
    add_rulebook(parser, "concurso")
    parser.add_argument(
        "--time", type=_seconds, default=1000, metavar="SECONDS", help="for a move (default: 1)"
    )
    add_integer(parser, "--each", 1, 50, "positions of each kind (default: 4)", default=4)
    add_flag(parser, "--no-legal", "do not tell it the legal moves")
    add_flag(parser, "--trust", "your own code: no containment")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    entrant = Entrant.parse(options.bot, trusted=options.trust)
    if entrant.kind not in ("program", "text"):
        raise BadInput("cli.check.kind", spec=options.bot)
    control = TimeControl("move", extra=options.time)
    report = examine(entrant, options.rulebook, control, legal=not options.no_legal, each=options.each)
    print_answer(options, lambda: report.as_json(options.language), lambda: _text(report, options.language))
    return 0 if report.passed else 1


def _seconds(text: str) -> int:
    """Reads seconds; returns milliseconds."""
    try:
        milliseconds = round(float(text) * 1000)
    except (ValueError, OverflowError):
        milliseconds = 0
    if not 0 < milliseconds <= _MAX_MOVE_MS:
        raise BadInput("cli.check.time", got=text)
    return milliseconds


def _text(report: Report, language: str) -> str:
    facts = {
        "rulebook": report.rulebook,
        "positions": report.positions,
        "tier": word("check.tier", report.tier, language),
    }
    keys = {PASS: "pass", FAIL: "fail"}
    rows = [
        (
            sentence(f"cli.check.{keys.get(check.status, 'not_tried')}", language),
            check.name,
            check.title(language),
        )
        for check in report.checks
    ]
    head = sentence("cli.check.head", language, name=report.bot, **facts)
    lines = [head, "", page.table(rows, indent=2), ""]
    if speed := report["speed"].facts:
        lines += [page.paragraph(sentence("cli.check.speed", language, **speed)), ""]
    for check in report.checks:
        if check.trouble:
            lines += [*_trouble(check, report.rulebook, language), ""]
    failed = len(report.failed())
    lines.append(sentence("cli.check.bad" if failed else "cli.check.good", language, count=failed))
    return "\n".join(lines)


def _trouble(check: Check, book: str, language: str) -> list[str]:
    trouble = check.trouble
    assert trouble
    detail = trouble.message(book, language)
    lines = [sentence("cli.check.verdict", language, code=trouble.code, detail=detail)]
    if trouble.fen:
        lines.append(sentence("cli.check.position", language, fen=trouble.fen))
    if trouble.said:
        lines.append(sentence("cli.check.said", language, said=trouble.said.strip()))
    if trouble.again is not None:
        lines.append(sentence("cli.check.again" if trouble.again else "cli.check.not_again", language))
    if trouble.stderr:
        lines += ["stderr:", *(f"  {line}" for line in trouble.stderr.splitlines()[-6:])]
    head = f"{check.name}: {check.title(language)}"
    return [head, *(f"  {line}" for line in lines), f"  → {check.advice(language, book)}"]
