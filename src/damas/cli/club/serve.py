"""`damas club --demo` and `damas club serve`: the web app with a tournament, for every phone in the hall."""

import argparse
import signal
import sys
import tempfile
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from damas.cli.answers import print_json
from damas.cli.arguments import BadInput
from damas.cli.club.desk import DEMO
from damas.cli.serve import EVERYBODY, need_web, print_qr, serve_app, settings_of
from damas.language import sentence
from damas.tournaments.hall.conditions import Person
from damas.tournaments.hall.events import Entered
from damas.tournaments.hall.templates import conditions_of

if TYPE_CHECKING:
    from damas.server.club.tournament import Tournament
    from damas.server.services import Services

TERMINATED = 143
"""Exit code of a command that was terminated."""
OWNER = "damas club"
"""Who owns the tournaments that are opened here."""


def serve_(options: argparse.Namespace) -> int:
    """Run the web app until it is stopped, with the example, the tournament of a file, or the list of all."""
    need_web()
    with ExitStack() as stack:
        data = options.data
        if options.demo and data is None and not options.database:  # an example leaves nothing behind
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="damas-club-")))
            signal.signal(
                signal.SIGTERM, lambda *_: sys.exit(TERMINATED)
            )  # the default would end it before that
        options.data = data
        settings = settings_of(
            options, host=options.host or EVERYBODY, port=options.port, public_url=options.address
        )
        paths = {"public": "/club", "desk": "/club"}

        async def prepare(services: "Services") -> None:
            tournament = await _opened(services, options)
            if tournament is None:
                return
            chief = next(
                key for key in tournament.keys.values() if key.role == "chief" and tournament.opens(key)
            )
            paths["public"] = f"/club/{tournament.id}"
            paths["desk"] = f"/club/{tournament.id}/desk#key={tournament.secret(chief)}"

        def tell(here: str, others: list[str]) -> str:
            address = others[0] if others else here
            urls = {"url": here, **{name: address + path for name, path in paths.items()}, "others": others}
            if options.json:
                print_json(urls)
            else:
                language = options.language
                print(here)
                print(sentence("cli.club.serve_public", language, url=urls["public"]))
                if paths["desk"] != paths["public"]:
                    print(sentence("cli.club.serve_desk", language, url=urls["desk"]))
                print_qr(str(urls["public"]))
                print(sentence("cli.serve.stop", language))
            return here + paths["desk"]

        return serve_app(settings, tell, opens=bool(options.browser), prepare=prepare)


async def _opened(services: "Services", options: argparse.Namespace) -> "Tournament | None":
    """The tournament of the options: the one that was opened before, where the store has it."""
    from damas.server.club.tournament import rows_of_file
    from damas.server.work.club import read_file

    now_ms = services.rooms.time.wall_ms()
    tournaments = services.tournaments
    if options.demo:
        for row in await services.store.tournaments.latest(100):
            if row.owner == OWNER:
                return await tournaments.find(row.id)
        conditions = conditions_of("escola", date=date.today().isoformat(), seed=1)
        entered = Entered(tuple(Person(name) for name in DEMO))
        made, _ = await tournaments.create(conditions, [entered], owner=OWNER, who=OWNER, now_ms=now_ms)
        return made
    if not options.file:
        return None
    data = Path(options.file).read_bytes()
    state, good = read_file(data, options.file)
    lines = rows_of_file(data[:good])
    known = await services.store.tournaments.begun_with(lines[0].chain)
    if known is None:
        made, _ = await tournaments.adopt(state, lines, owner=OWNER, now_ms=now_ms)
        return made
    stored = await services.store.tournaments.lines(known)
    shared = min(len(stored), len(lines))
    if stored[shared - 1].chain != lines[shared - 1].chain:
        raise BadInput("cli.club.parted", file=options.file, line=shared)
    if len(lines) > len(stored):  # the file has gone on since
        await services.store.tournaments.append(known, stored[-1].chain, lines[shared:], [], now_ms)
    tournament = await tournaments.find(known)
    await tournament.load()  # the server may have taken it up before the lines were there
    return tournament
