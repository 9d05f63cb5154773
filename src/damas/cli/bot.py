"""`damas bot new FILE`: writes a new bot from a template."""

import argparse
from pathlib import Path

from damas.arena.templates import TEMPLATES, new_bot
from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_flag
from damas.language import sentence


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "action", choices=["new"], help="new: write a whole bot into a file that is not there yet"
    )
    known = ", ".join(f"{ending} {template.language}" for ending, template in TEMPLATES.items())
    parser.add_argument("file", metavar="FILE", help=f"its ending says in which language: {known}")
    add_flag(
        parser,
        "--text",
        "the text mode: rows and columns, and the bot finds the legal moves itself (.py)",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    path = Path(options.file)
    bot = new_bot(path, options.language, text_mode=options.text)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(bot.text)
    except ValueError:
        raise BadInput("cli.bad.other", text=options.file) from None
    programming, lines = bot.template.language, bot.text.count("\n")
    facts = {"file": options.file, "lines": lines}
    if options.json:
        commands = {"build": bot.build or None, "run": bot.run, "commands": bot.commands}
        print_json({**facts, "language": programming, **commands})
    else:
        written = sentence("cli.bot.written", options.language, programming=programming, **facts)
        print("\n  ".join([written, *bot.commands]))
    return 0
