"""A standing ladder: it plays run after run by itself, whenever a program or a new version has come.

Each run is a tournament of the format `ladder` in a folder of its own, with the programs as they were when it began. It
begins with the rungs on which the run before it ended; whoever is new stands below. What happens while a run is played
waits for the next one. All of it follows from the files, so a server that is killed goes on where it was.
"""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from damas.errors import DamasError
from damas.server.arena.contest import Contest, Entered
from damas.tournaments import journal
from damas.tournaments.formats import total_games
from damas.tournaments.formats.ladder import final_order
from damas.tournaments.tournament import split_entries

if TYPE_CHECKING:
    from damas.server.arena.arena import Arena

log = logging.getLogger("damas")

MAX_WAIT_S = 60.0
"""The longest wait for a change or the deadline: the clock of the machine may be set meanwhile."""


async def keep_playing(arena: "Arena", contest: Contest) -> None:
    """Plays a standing ladder until its deadline has passed and its last run is over, or until it is in trouble."""
    stage = arena.stage(contest)
    while contest.id in arena.contests and not (contest.finished_ms or contest.trouble):
        change = stage.changed.next
        paused = contest.run > 0 and journal.is_paused(arena.play_folder(contest))
        if contest.run_open and not paused:
            await arena.play_to_the_end(contest)
        elif not paused and await _begin_run(arena, contest):
            continue
        elif await _is_over(arena, contest):
            return
        else:
            deadline_ms = contest.deadline_ms or 0
            left_s = (deadline_ms - arena.now_ms()) / 1000 + 0.05
            with suppress(TimeoutError):
                await asyncio.wait_for(change.wait(), min(MAX_WAIT_S, left_s) if left_s > 0 else MAX_WAIT_S)


async def _is_over(arena: "Arena", contest: Contest) -> bool:
    """Ends the contest where its deadline has passed and nothing is left to prepare or to play."""
    async with arena.stage(contest).lock:
        waiting = contest.run_open or any(each.pending for each in contest.submissions)
        if waiting or contest.id not in arena.contests or not contest.past_deadline(arena.now_ms()):
            return False
        if contest.run and journal.is_paused(arena.play_folder(contest)):
            return False
        contest.finished_ms = arena.now_ms()
        await arena.save(contest)
    return True


async def _begin_run(arena: "Arena", contest: Contest) -> bool:
    """Begins the next run if anything has changed since the last one; returns whether it did."""
    async with arena.stage(contest).lock:
        entries = [entry for entry in contest.entries if entry.name not in contest.out]
        if contest.run_open or not contest.renewed or len(entries) < 2 or contest.id not in arena.contests:
            return False
        rungs = await asyncio.to_thread(_rungs, arena.play_folder(contest)) if contest.run else []
        number = contest.run + 1
        contest.run_entries = _in_order(entries, rungs)
        await asyncio.to_thread(
            journal.begin, contest.play_folder(arena.folder(contest), number), contest.settings
        )
        contest.run, contest.run_open, contest.renewed = number, True, False
        contest.started_ms = contest.started_ms or arena.now_ms()
        contest.done, contest.total = 0, total_games(contest.settings)
        await arena.save(contest)
    return True


def _rungs(folder: Path) -> list[str]:
    """The names from the top rung down as the run in that folder ended."""
    try:
        settings, entries = journal.read(folder)
        return list(final_order(split_entries(entries)[0], settings))
    except (DamasError, OSError) as error:
        log.error("ALARM: the run in %s cannot be read, the ladder begins anew: %s", folder, error)
        return []


def _in_order(entries: list[Entered], rungs: list[str]) -> list[Entered]:
    """Entrants by their rung, whoever is new below all others in the order of entry."""
    place = {name: rung for rung, name in enumerate(rungs)}
    return sorted(entries, key=lambda entry: place.get(entry.name, len(rungs)))
