"""`damas repro`: repeats a forfeited game from its receipt."""

import argparse
import base64
import json
from contextlib import chdir, suppress
from pathlib import Path
from typing import Any

from damas.arena.repro import repro
from damas.cli import page
from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_flag
from damas.errors import DamasError, file_trouble
from damas.language import sentence
from damas.language.numbers import number
from damas.matches.receipt import find
from damas.tournaments.journal import read_settings

REQUIRED = {
    *("receipt", "id", "verdict", "offender", "spec", "rulebook"),
    *("control", "start", "moves", "opening", "raw"),
}
"""Fields without which a receipt cannot be played again."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("receipt", metavar="ID|FILE", help="a receipt: its id, or the file it is in")
    add_flag(parser, "--trust", "the program is your own: run it without a box")
    parser.add_argument(
        "--tier",
        choices=("auto", "bubblewrap", "landlock", "none"),
        default="auto",
        help="what contains the program (default: the best that works here)",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    path = find(options.receipt)
    if path is None:
        raise BadInput("cli.repro.missing", got=options.receipt)
    receipt = _read(path, options.receipt)
    folder, paths = _origin(path, receipt)
    with chdir(folder):
        again = repro({**receipt, **paths}, trusted=options.trust, tier=options.tier)
    if options.json:
        new = again.result.receipt or {}
        print_json(
            {"receipt": receipt, "same": again.same, "verdict": again.verdict, "way": again.way, "new": new}
        )
    else:
        print("\n".join(_lines(receipt, options.language)))
        key = "same" if again.same else "other"
        now = sentence(f"verdict.{again.verdict}", options.language)
        seconds = number(again.result.seconds, options.language, 2)
        print(page.paragraph(sentence(f"cli.repro.{key}", options.language, verdict=now, seconds=seconds)))
    return 0 if again.same else 3


def _origin(path: Path, receipt: dict[str, Any]) -> tuple[Path, dict[str, str]]:
    """The folder in which the program was entered, and the paths that a receipt leaves out, from its tournament; the
    current folder and nothing for a receipt that is elsewhere.
    """
    with suppress(OSError, DamasError, StopIteration):
        settings = read_settings(path.resolve().parents[1])
        paths = {"spec": settings.entry(receipt["name"]).spec, "rulebook": settings.rulebook}
        folder = Path(settings.folder)
        return (folder if folder.is_dir() else Path()), paths
    return Path(), {}


def _read(path: Path, name: str) -> dict[str, Any]:
    try:
        receipt = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = file_trouble(error).sentence("en") if isinstance(error, OSError) else "JSON"
        raise BadInput("cli.repro.bad", got=name, why=reason) from None
    if not isinstance(receipt, dict) or not receipt.keys() >= REQUIRED:
        raise BadInput("cli.repro.bad", got=name, why="receipt")
    return receipt


def _lines(receipt: dict[str, Any], language: str) -> list[str]:
    answer = base64.b64decode(receipt["raw"])
    fields = {
        "verdict": f"{receipt['verdict']}: {sentence('verdict.' + receipt['verdict'], language)}",
        "program": f"{receipt['name']} ({receipt['tier']})",
        "position": f"{receipt['fen']} ({receipt['rulebook']}, {receipt['ply'] + 1})",
        "bytes": repr(answer[:200])[1:],
        "nearest": receipt["nearest"] or "–",
        "article": receipt["article"],
        "stderr": receipt["stderr"].strip()[-400:] or "–",
    }
    return [f"{sentence(f'cli.repro.{key}', language)}: {value}" for key, value in fields.items()]
