"""Contests of this server: created, entered, played and watched.

A contest is a folder, and the server keeps nothing elsewhere: after a restart a contest in progress goes on. Each is
played by a process of its own, several at a time.
"""

import asyncio
import logging
import os
import re
import secrets
import shutil
import time
import unicodedata
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from damas.errors import DamasError
from damas.matches.box.tiers import missing, tiers
from damas.server.arena import programs
from damas.server.arena.child import BUSY, REFUSED
from damas.server.arena.contest import FILE, Contest, Entered, Kind, Mode, Status, read
from damas.server.arena.runner import Runner
from damas.server.arena.stage import Stage
from damas.server.security.errors import ApiError
from damas.server.security.names import checked_name
from damas.server.security.visitors import Visitor
from damas.server.settings import Settings
from damas.tournaments import journal
from damas.tournaments.formats import total_games
from damas.tournaments.settings import Settings as Played
from damas.tournaments.standings import Standings, standings
from damas.tournaments.tournament import split_entries

log = logging.getLogger("damas")

ID = re.compile(r"[a-z0-9]{10}")
"""Ids of contests."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of codes that people read aloud: none looks or sounds like another."""
RESTART_DELAY_S = 1.0
"""Time before the process of a contest is started again."""
BOX_RETRY_S = 60.0
"""Time before containment that did not hold is tried again: the machine may have been too busy."""
MAX_CRASHES = 5
"""A contest is given up when its process has crashed so often in a row."""
TABLE_COOLDOWN_FACTOR = 4
"""Wait this many build times before building the same table again."""
MESSAGE_INTERVAL_S = 0.25
"""Time between two messages to one spectator."""


def now_ms() -> int:
    """The time in milliseconds since 1970."""
    return round(time.time() * 1000)


class Arena:
    """Opened with the server. Belongs to one event loop."""

    def __init__(self, settings: Settings) -> None:
        self.limits = settings.limits
        self.place = settings.arena_folder
        """The folder of the arena."""
        self.tournaments, self.programs = self.place / "tournaments", self.place / "programs"
        self.contests: dict[str, Contest] = {}
        self._stages: dict[str, Stage] = {}
        self._storing = asyncio.Lock()
        """Held while a stored program has no contest yet: unused programs are deleted."""
        self._turns = asyncio.Semaphore(settings.arena_running or max(1, (os.cpu_count() or 2) // 2))
        self._organiser_locks: dict[str, asyncio.Lock] = {}
        """One contest of each organiser is played at a time, so that nobody takes all the places."""
        self._box: asyncio.Task[dict[str, str]] | None = None
        self._box_retry_at = float("inf")
        self._stopping = False

    @classmethod
    async def open(cls, settings: Settings) -> "Arena":
        """Reads all contests; those that were being played go on."""
        arena = cls(settings)
        for contest in await asyncio.to_thread(_all, arena.tournaments):
            arena.contests[contest.id] = contest
            if contest.started_ms and not contest.finished_ms:
                contest.trouble = ""
                arena._go(contest)
        return arena

    def stop(self) -> None:
        """Stops all contests without waiting; after a restart, unfinished games are played again from the start."""
        if not self._stopping:  # a second cancellation would leave processes behind
            self._stopping = True
            for task in self._tasks:
                task.cancel()

    async def close(self) -> None:
        """As `stop`, and waits until everything has ended."""
        self.stop()
        if self._box:
            self._box.cancel()
        await asyncio.gather(*self._tasks, *filter(None, [self._box]), return_exceptions=True)

    @property
    def _tasks(self) -> list[asyncio.Task[None]]:
        return [stage.task for stage in self._stages.values() if stage.task]

    def folder(self, contest: Contest) -> Path:
        """The folder with the files of a contest."""
        return self.tournaments / contest.id

    def stage(self, contest: Contest) -> Stage:
        """What is known of a contest while the server runs."""
        return self._stages.setdefault(contest.id, Stage())

    def find(self, id: str) -> Contest:
        """The contest with this id; raises `ApiError` 404."""
        contest = self.contests.get(id) if ID.fullmatch(id) else None
        if contest is None:
            raise ApiError(404, "NOT_FOUND")
        return contest

    def status(self, contest: Contest) -> Status:
        """Where a contest stands."""
        if contest.finished_ms:
            return "finished"
        if not contest.started_ms:
            return "closed" if contest.closed else "open"
        if contest.trouble:
            return "stuck"
        if journal.is_paused(self.folder(contest)):
            return "paused"
        return "running" if self.stage(contest).has_turn else "queued"

    # Containment

    async def no_box(self) -> str:
        """Why uploaded programs cannot run here, tier by tier; empty if they can."""
        if self._box is None or time.monotonic() > self._box_retry_at:
            missing.cache_clear()
            self._box_retry_at = float("inf")
            self._box = asyncio.create_task(asyncio.to_thread(tiers))
        failures = await asyncio.shield(self._box)
        if not all(failures.values()):
            return ""
        self._box_retry_at = min(self._box_retry_at, time.monotonic() + BOX_RETRY_S)
        return "; ".join(f"{tier}: {why}" for tier, why in failures.items())

    async def _check_box(self) -> None:
        if why := await self.no_box():
            raise ApiError(409, "ARENA_NO_BOX", why=why)

    # The organiser

    async def create(self, contest: Contest) -> Contest:
        """Creates a contest with a new id and code."""
        most = self.limits.arena_tournaments_per_account
        if sum(other.organiser == contest.organiser for other in self.contests.values()) >= most:
            raise ApiError(409, "ARENA_TOO_MANY", most=most)
        contest.title = one_line(contest.title, 60)
        if len(contest.title) < 2:
            raise ApiError(400, "BAD_NAME", least=2, most=60)
        contest.id = _word(10)
        contest.code = _word(8) if contest.who == "code" else ""
        contest.most = min(contest.most, self.limits.arena_entrants)
        contest.created_ms = now_ms()
        self.contests[contest.id] = contest
        await self._save(contest)
        return contest

    async def set_closed(self, contest: Contest, closed: bool) -> None:
        """Closes entries, or opens them again."""
        async with self.stage(contest).lock:
            self._before_start(contest)
            contest.closed = closed
            await self._save(contest)

    async def start(self, contest: Contest) -> None:
        """Begins to play; nobody can enter any more."""
        async with self.stage(contest).lock:
            self._before_start(contest)
            if len(contest.entries) < 2:
                raise ApiError(409, "ARENA_TOO_FEW")
            if contest.has_programs:
                await self._check_box()
            settings = contest.settings
            games = total_games(settings)
            if games > self.limits.arena_games_most:
                raise ApiError(409, "ARENA_TOO_LONG", games=games, most=self.limits.arena_games_most)
            await asyncio.to_thread(_begin, self.folder(contest), settings)
            contest.closed, contest.started_ms, contest.total = True, now_ms(), games
            await self._save(contest)
        self._go(contest)

    async def pause(self, contest: Contest) -> None:
        """Starts no more games; those in progress are played to their end."""
        async with self.stage(contest).lock:
            self._while_played(contest)
            await asyncio.to_thread(journal.pause, self.folder(contest))
        self.stage(contest).touch()

    async def go_on(self, contest: Contest) -> None:
        """Plays on after a pause, or after trouble."""
        async with self.stage(contest).lock:
            self._while_played(contest)
            await asyncio.to_thread(journal.unpause, self.folder(contest))
            contest.trouble = ""
            await self._save(contest)
        self._go(contest)

    async def disqualify(self, contest: Contest, name: str, reason: str) -> None:
        """Takes an entrant out of the rest of the contest; everybody may read the reason."""
        async with self.stage(contest).lock:
            self._while_played(contest)
            if name not in {entry.name for entry in contest.entries}:
                raise ApiError(404, "NOT_FOUND")
            await asyncio.to_thread(journal.disqualify, self.folder(contest), name, one_line(reason, 200))
        self.stage(contest).touch()

    async def call_off(self, contest: Contest) -> None:
        """Deletes the contest and everything in it."""
        async with self.stage(contest).lock:
            stage = self.stage(contest)
            if stage.task:
                stage.task.cancel()
                await asyncio.gather(stage.task, return_exceptions=True)
            self.contests.pop(contest.id, None)
            stage.task = stage.table = None
            # First its file, so that half a folder is never loaded.
            await asyncio.to_thread((self.folder(contest) / FILE).unlink, True)
            await asyncio.to_thread(shutil.rmtree, self.folder(contest), True)
            await self._sweep()
        self.stage(contest).touch()

    # Entrants

    async def enter(
        self, contest: Contest, who: Visitor, name: str, code: str, kind: Kind, level: int = 0
    ) -> Entered:
        """Enters one of our own players."""
        async with self.stage(contest).lock:
            name = self._checked_entry(contest, who, name, code)
            return await self._add(contest, who, name=name, kind=kind, level=level)

    async def upload(
        self, contest: Contest, who: Visitor, name: str, code: str, file: str, mode: Mode, data: bytes
    ) -> Entered:
        """Enters an uploaded program, which does not run before the contest is played."""
        await self._check_box()
        async with self.stage(contest).lock:
            name = self._checked_entry(contest, who, name, code)
            kind = programs.kind_of(file, data)
            if kind is None:
                raise ApiError(400, "ARENA_NOT_A_PROGRAM", kinds=", ".join(programs.kinds()))
            most = self.limits.arena_bytes_per_account
            if self._bytes_of(who.id) + len(data) > most:
                raise ApiError(409, "ARENA_PLACE_FULL", most=most)
            async with self._storing:
                stored = await asyncio.to_thread(programs.keep, self.programs, data, kind)
                return await self._add(
                    contest, who, name=name, kind="program", file=stored, mode=mode, size=len(data)
                )

    async def leave(self, contest: Contest, entry: Entered) -> None:
        """Withdraws an entrant before the start."""
        async with self.stage(contest).lock:
            self._before_start(contest)
            contest.entries = [other for other in contest.entries if other.id != entry.id]
            await self._save(contest)
            await self._sweep()

    def _checked_entry(self, contest: Contest, who: Visitor, name: str, code: str) -> str:
        """The name as it will be shown; raises `ApiError` if the visitor may not enter."""
        own = who.account == contest.organiser
        if contest.started_ms or contest.closed or contest.id not in self.contests:
            raise ApiError(409, "ARENA_ENTRIES_CLOSED")
        right = contest.who == "anybody" or own
        if not right and (
            contest.who == "organiser" or not secrets.compare_digest(code.encode(), contest.code.encode())
        ):
            raise ApiError(403, "ARENA_NOT_INVITED")
        if len(contest.entries) >= contest.most:
            raise ApiError(409, "ARENA_FULL", most=contest.most)
        if not own and len(contest.of(who.id)) >= contest.each:
            raise ApiError(409, "ARENA_YOURS_FULL", most=contest.each)
        shown = checked_name(name, 2, 30)
        if any(entry.name.casefold() == shown.casefold() for entry in contest.entries):
            raise ApiError(409, "ARENA_NAME_TAKEN", name=shown)
        return shown

    async def _add(self, contest: Contest, who: Visitor, **facts: Any) -> Entered:
        entered = Entered(id=_word(8), owner=who.id, owner_name=who.name, entered_ms=now_ms(), **facts)
        contest.entries = [*contest.entries, entered]
        await self._save(contest)
        return entered

    def _bytes_of(self, owner: str) -> int:
        mine = {e.file: e.size for contest in self.contests.values() for e in contest.of(owner)}
        return sum(mine.values())

    async def _sweep(self) -> None:
        async with self._storing:
            used = [entry.file for contest in self.contests.values() for entry in contest.entries]
            await asyncio.to_thread(programs.sweep, self.programs, used)

    # Storage

    async def _save(self, contest: Contest) -> None:
        await asyncio.to_thread(contest.write, self.folder(contest))
        self.stage(contest).touch()

    def _before_start(self, contest: Contest) -> None:
        if contest.started_ms or contest.id not in self.contests:
            raise ApiError(409, "ARENA_STATE")

    def _while_played(self, contest: Contest) -> None:
        if not contest.started_ms or contest.finished_ms or contest.id not in self.contests:
            raise ApiError(409, "ARENA_STATE")

    # Playing

    def _go(self, contest: Contest) -> None:
        stage = self.stage(contest)
        if (stage.task is None or stage.task.done()) and not self._stopping:
            stage.task = asyncio.create_task(self._play(contest))
        stage.touch()

    async def _play(self, contest: Contest) -> None:
        stage, folder, crashes = self.stage(contest), self.folder(contest), 0
        if contest.has_programs:
            await self.no_box()  # its process finds everything prepared for programs
        while not (contest.finished_ms or contest.trouble or journal.is_paused(folder)):
            before = contest.done
            async with self._organiser_locks.setdefault(contest.organiser, asyncio.Lock()), self._turns:
                if journal.is_paused(folder):  # while it waited
                    break
                stage.has_turn = True
                stage.touch()
                try:
                    code = await Runner(
                        self.place,
                        folder,
                        self.limits.arena_games,
                        lambda message: self._on_message(contest, message),
                    ).run()
                finally:
                    stage.has_turn = False
                    stage.games.clear()
            if code == REFUSED:
                contest.trouble = contest.trouble or "REFUSED"
            elif code not in (0, BUSY):
                crashes = 1 if contest.done > before else crashes + 1
                log.error("the process of contest %s ended with %s", contest.id, code)
                if crashes >= MAX_CRASHES:
                    contest.trouble = "FALLEN"
            await self._save(contest)
            if code != 0:
                await asyncio.sleep(RESTART_DELAY_S)

    def _on_message(self, contest: Contest, message: dict[str, Any]) -> None:
        contest.done = message.get("done", contest.done)
        contest.total = message.get("total", contest.total)
        if message["kind"] == "finished":
            contest.finished_ms = now_ms()
        elif message["kind"] == "refused":
            contest.trouble = str(message["code"])
        self.stage(contest).update(message)

    # Watching

    async def table(self, contest: Contest) -> tuple[Played, Standings] | None:
        """Settings and standings; None before it has begun."""
        if not contest.started_ms:
            return None
        stage = self.stage(contest)
        async with stage.table_lock:
            if stage.table is None or stage.table[0] != self._sizes(contest):
                await asyncio.sleep(max(0.0, stage.rebuild_at - time.monotonic()))
                began = time.monotonic()
                try:
                    stage.table = await asyncio.to_thread(self._build_table, contest)
                except (DamasError, OSError) as error:
                    log.error("ALARM: contest %s cannot be read: %s", contest.id, error)
                    raise ApiError(500, "OUR_FAULT") from None
                now = time.monotonic()
                stage.rebuild_at = now + TABLE_COOLDOWN_FACTOR * (now - began)
            return stage.table[1:]

    def _sizes(self, contest: Contest) -> tuple[int, int]:
        """Sizes of the files from which the table is built: they change whenever it does."""
        folder = self.folder(contest)
        return _size(folder / journal.JOURNAL), _size(folder / journal.DISQUALIFY)

    def _build_table(self, contest: Contest) -> tuple[tuple[int, int], Played, Standings]:
        sizes, folder = self._sizes(contest), self.folder(contest)
        settings, entries = journal.read(folder)
        played, out = split_entries(entries)
        for request in journal.disqualification_requests(folder, settings.names):
            out.setdefault(request.player, request.reason)
        return sizes, settings, standings(settings, played, out)

    async def messages(self, contest: Contest) -> AsyncGenerator[dict[str, Any]]:
        """The games in progress, whenever they change, but not too often."""
        stage, sent = self.stage(contest), None
        while contest.id in self.contests:
            change = stage.changed.next
            message = {
                "status": self.status(contest),
                "version": stage.version,
                "done": contest.done,
                "total": contest.total,
                "games": [dict(game) for game in stage.games.values()],
            }
            if message != sent:
                yield message
            sent = message
            await asyncio.sleep(MESSAGE_INTERVAL_S)
            await change.wait()


def one_line(text: str, most: int) -> str:
    """A text as one line of printable characters."""
    shown = "".join(letter if letter.isprintable() else " " for letter in unicodedata.normalize("NFKC", text))
    return " ".join(shown.split())[:most]


def _word(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def _begin(folder: Path, settings: Played) -> None:
    """Writes the settings. The seed is drawn now, when nobody can choose their place by it any more."""
    # A file that is there was written when the server went down, and nothing was played.
    (folder / journal.SETTINGS).unlink(missing_ok=True)
    begun = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    journal.Journal.create(folder, replace(settings, seed=secrets.randbelow(10**6), begun=begun)).close()


def _all(folder: Path) -> list[Contest]:
    contests = []
    for path in sorted(folder.glob("*/" + FILE)):
        try:
            contest = read(path.parent)
            if contest.started_ms and not contest.finished_ms:
                _, entries = journal.read(path.parent)
                contest.done = len(split_entries(entries)[0])
        except (OSError, msgspec.DecodeError, DamasError) as error:
            log.error("ALARM: the contest in %s cannot be read: %s", path.parent, error)
            continue
        if contest.id == path.parent.name:
            contests.append(contest)
    return contests
