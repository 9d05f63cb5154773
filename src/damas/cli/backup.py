"""`damas backup`: back up the data of a web server, verify a backup or restore it."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from damas.cli.answers import print_json
from damas.cli.arguments import BadInput, add_flag, add_storage
from damas.cli.serve import need_web, settings_of
from damas.language import sentence

if TYPE_CHECKING:
    from damas.server.store.backup import Report


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the copy: one SQLite file, whatever the database"
    )
    instead = parser.add_mutually_exclusive_group()
    add_flag(instead, "--restore", "put the copy into an empty place; no server may be running on it")
    add_flag(instead, "--verify", "read all of a copy: every game, every event")
    add_flag(parser, "--salvage", "name what is damaged, set it aside, and save everything else")
    add_storage(parser)
    parser.epilog = (
        "Without --restore or --verify the copy is made, and checked whole; a server may be running. "
        "With --salvage the exit code is 1 where something was set aside or the seal of the copy is broken."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    need_web()
    from damas.server.store.errors import BadBackup, StoreError

    try:
        report = asyncio.run(_execute(options))
    except BadBackup as error:
        key = "bad" if options.verify or options.salvage else "damaged"
        raise BadInput(f"cli.backup.{key}", why=error) from None
    except StoreError as error:
        raise BadInput("cli.backup.failed", why=error) from None
    counted = ("games", "events", "moves", "accounts", "halls", "tournaments")
    facts = {"file": str(options.file), **{name: getattr(report, name) for name in counted}}
    if options.json:
        damaged = [
            {"name": each.name, "message": each.sentence(options.language)} for each in report.set_aside
        ]
        more = {"sealed": report.sealed, "broken_seal": report.broken_seal, "set_aside": damaged}
        print_json({**facts, "digest": report.digest, "arena_digest": report.arena or None, **more})
    else:
        done = "restore" if options.restore else "verify" if options.verify else "create"
        print(sentence(f"cli.backup.{done}", options.language, digest=report.digest[:16], **facts))
        if report.broken_seal:
            print(
                sentence("cli.backup.broken_seal", options.language, file=str(options.file)), file=sys.stderr
            )
        elif not report.sealed:
            print(sentence("cli.backup.unsealed", options.language), file=sys.stderr)
        for each in report.set_aside:
            why = each.sentence(options.language)
            print(sentence("cli.backup.set_aside", options.language, why=why), file=sys.stderr)
    return 1 if options.salvage and (report.set_aside or report.broken_seal) else 0


async def _execute(options: argparse.Namespace) -> "Report":
    from damas.server.arena import copies
    from damas.server.store import backup

    if options.verify:
        return backup.verify(options.file)
    settings = settings_of(options)
    if options.restore:
        return await backup.restore(options.file, settings, salvage=options.salvage)
    files = copies.files(settings.arena_folder)
    return await backup.backup(settings, options.file, files, salvage=options.salvage)
