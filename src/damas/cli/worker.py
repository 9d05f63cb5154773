"""`damas worker`: makes the reports of a web app whose servers share a PostgreSQL."""

import argparse
from pathlib import Path

from damas.cli.answers import print_answer
from damas.cli.arguments import BadInput, add_flag
from damas.cli.progress import StatusLine
from damas.cli.serve import need_web, settings_of
from damas.language import sentence


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--database", metavar="URL", help="postgresql://… (default: DATABASE_URL)")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder for endgame tables where your cache cannot be written (default: DAMAS_DATA, or your user data folder)",
    )
    add_flag(parser, "--json-logs", "write what happens as JSON, a line each, on stderr")
    parser.epilog = (
        "Any number of workers may share a database. What one leaves unfinished, also where it is killed, "
        "another process takes up."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    need_web()
    settings, language = settings_of(options), options.language
    if settings.sqlite_path is not None:
        raise BadInput("cli.worker.sqlite")
    from damas.server import worker
    from damas.server.store.errors import StoreError

    line = StatusLine(enabled=not options.json)

    def ready(name: str) -> None:
        if not options.json:
            print(sentence("cli.worker.ready", language, name=name), flush=True)

    def progress(made: int, done: int, total: int) -> None:
        line.show(sentence("cli.worker.working", language, made=made, done=done, total=total))

    try:
        made = worker.run(settings, ready, progress, json_logs=options.json_logs)
    except StoreError as error:
        raise BadInput("cli.serve.store", text=error) from None
    finally:
        line.clear()
    print_answer(options, lambda: {"made": made}, lambda: sentence("cli.worker.made", language, made=made))
    return 0
