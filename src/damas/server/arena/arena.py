"""Contests of this server: made, entered, played one after the other, and told to whoever watches.

A contest is a folder, and the server remembers nothing that is not in it: after a restart whatever was being played goes
on. Each is played by a process of its own, so many at a time.
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
from damas.server.security.visitors import Visitor
from damas.server.settings import Settings
from damas.tournaments import journal
from damas.tournaments.formats import total_games
from damas.tournaments.settings import Settings as Played
from damas.tournaments.standings import Standings, standings
from damas.tournaments.tournament import split_entries

log = logging.getLogger("damas")

ID = re.compile(r"[a-z0-9]{10}")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of codes that people read aloud: none that is taken for another."""
NAME = re.compile(r"[^\W_](?:[ ._-]?[^\W_])*")
AGAIN_S = 1.0
BOX_AGAIN_S = 60.0
"""After which containment that did not hold is tried again: the machine may have been too busy."""
MOST_FALLS = 5
"""Ends of its process that nobody wanted, one after the other, before a contest is left alone."""
REST = 4
"""Times as long as a table took to reckon, nobody reckons it again."""
OFTEN_S = 0.25
"""Between two messages to one watcher."""


def now_ms() -> int:
    return round(time.time() * 1000)


class Arena:
    """Opened with the server. Belongs to one event loop."""

    def __init__(self, settings: Settings) -> None:
        self.limits = settings.limits
        self.place = settings.arena_folder
        self.contests: dict[str, Contest] = {}
        self._stages: dict[str, Stage] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._tables: dict[str, tuple[tuple[int, int], Played, Standings]] = {}
        self._reckoning: dict[str, tuple[asyncio.Lock, float]] = {}
        """By contest: who reckons its table, and when that may be done again."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._storing = asyncio.Lock()
        """Held while a program is kept and not yet anybody's: what is nobody's is swept away."""
        self._turns = asyncio.Semaphore(settings.arena_running or max(1, (os.cpu_count() or 2) // 2))
        self._one_each: dict[str, asyncio.Lock] = {}
        """Of each organiser one contest is played at a time, so that nobody takes all the turns."""
        self._box: asyncio.Task[dict[str, str]] | None = None
        self._ask_again = float("inf")
        self._stopping = False

    @classmethod
    async def open(cls, settings: Settings) -> "Arena":
        arena = cls(settings)
        for contest in await asyncio.to_thread(_all, arena.tournaments):
            arena.contests[contest.id] = contest
            if contest.started_ms and not contest.finished_ms:
                contest.trouble = ""
                arena._go(contest)
        return arena

    def stop(self) -> None:
        """Whatever is being played stops, and goes on when the server is back."""
        self._stopping = True
        for task in self._tasks.values():
            task.cancel()

    async def close(self) -> None:
        self.stop()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        if self._box:
            self._box.cancel()
            await asyncio.gather(self._box, return_exceptions=True)

    @property
    def tournaments(self) -> Path:
        return self.place / "tournaments"

    @property
    def programs(self) -> Path:
        return self.place / "programs"

    def folder(self, contest: Contest) -> Path:
        return self.tournaments / contest.id

    def stage(self, contest: Contest) -> Stage:
        return self._stages.setdefault(contest.id, Stage())

    def find(self, id: str) -> Contest:
        contest = self.contests.get(id) if ID.fullmatch(id) else None
        if contest is None:
            raise ApiError(404, "NOT_FOUND")
        return contest

    def status(self, contest: Contest) -> Status:
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
        """Why programs of strangers cannot run here, tier by tier; nothing where they can."""
        if self._box is None or time.monotonic() > self._ask_again:
            missing.cache_clear()
            self._ask_again = float("inf")
            self._box = asyncio.create_task(asyncio.to_thread(tiers))
        found = await asyncio.shield(self._box)
        if not all(found.values()):
            return ""
        self._ask_again = min(self._ask_again, time.monotonic() + BOX_AGAIN_S)
        return "; ".join(f"{tier}: {why}" for tier, why in found.items())

    async def _check_box(self) -> None:
        if why := await self.no_box():
            raise ApiError(409, "ARENA_NO_BOX", why=why)

    # What the organiser does

    async def create(self, contest: Contest) -> Contest:
        """A new contest, whose id and code are made here."""
        most = self.limits.arena_tournaments_per_account
        if sum(other.organiser == contest.organiser for other in self.contests.values()) >= most:
            raise ApiError(409, "ARENA_TOO_MANY", most=most)
        contest.title = plain(contest.title, 60)
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
        async with self._lock(contest):
            self._before_start(contest)
            contest.closed = closed
            await self._save(contest)

    async def start(self, contest: Contest) -> None:
        async with self._lock(contest):
            self._before_start(contest)
            if len(contest.entries) < 2:
                raise ApiError(409, "ARENA_TOO_FEW")
            if contest.has_programs:
                await self._check_box()
            settings = contest.settings
            games = total_games(settings)
            if games > self.limits.arena_games_most:
                raise ApiError(409, "ARENA_TOO_LONG", games=games, most=self.limits.arena_games_most)
            begun = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
            await asyncio.to_thread(_begin, self.folder(contest), settings, begun)
            contest.closed, contest.started_ms, contest.total = True, now_ms(), games
            await self._save(contest)
        self._go(contest)

    async def pause(self, contest: Contest) -> None:
        async with self._lock(contest):
            self._while_played(contest)
            await asyncio.to_thread(journal.pause, self.folder(contest))
        self.stage(contest).touch()

    async def go_on(self, contest: Contest) -> None:
        async with self._lock(contest):
            self._while_played(contest)
            await asyncio.to_thread(journal.unpause, self.folder(contest))
            contest.trouble = ""
            await self._save(contest)
        self._go(contest)

    async def disqualify(self, contest: Contest, name: str, reason: str) -> None:
        async with self._lock(contest):
            self._while_played(contest)
            if name not in {entry.name for entry in contest.entries}:
                raise ApiError(404, "NOT_FOUND")
            await asyncio.to_thread(journal.disqualify, self.folder(contest), name, plain(reason, 200))
        self.stage(contest).touch()

    async def call_off(self, contest: Contest) -> None:
        """The contest and everything of it is gone."""
        async with self._lock(contest):
            task = self._tasks.pop(contest.id, None)
            if task:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            self.contests.pop(contest.id, None)
            self._tables.pop(contest.id, None)
            # First the name, so that half a folder is never found again.
            await asyncio.to_thread((self.folder(contest) / FILE).unlink, True)
            await asyncio.to_thread(shutil.rmtree, self.folder(contest), True)
            await self._sweep()
        self.stage(contest).touch()

    # Who enters

    async def enter(
        self, contest: Contest, who: Visitor, name: str, code: str, kind: Kind, level: int = 0
    ) -> Entered:
        """One of our own players."""
        async with self._lock(contest):
            shown = self._may_enter(contest, who, name, code)
            return await self._add(contest, who, name=shown, kind=kind, level=level)

    async def upload(
        self, contest: Contest, who: Visitor, name: str, code: str, file: str, mode: Mode, data: bytes
    ) -> Entered:
        """Somebody's program. It is kept, and nothing of it runs before the contest is played."""
        await self._check_box()
        async with self._lock(contest):
            shown = self._may_enter(contest, who, name, code)
            kind = programs.kind_of(file, data)
            if kind is None:
                raise ApiError(400, "ARENA_NOT_A_PROGRAM", kinds=", ".join(programs.kinds()))
            most = self.limits.arena_bytes_per_account
            if self._bytes_of(account_of(who)) + len(data) > most:
                raise ApiError(409, "ARENA_PLACE_FULL", most=most)
            async with self._storing:
                kept = await asyncio.to_thread(programs.keep, self.programs, data, kind)
                return await self._add(
                    contest, who, name=shown, kind="program", file=kept, mode=mode, size=len(data)
                )

    async def leave(self, contest: Contest, entry: Entered) -> None:
        async with self._lock(contest):
            self._before_start(contest)
            contest.entries = [other for other in contest.entries if other.id != entry.id]
            await self._save(contest)
            await self._sweep()

    def _may_enter(self, contest: Contest, who: Visitor, name: str, code: str) -> str:
        """The name as it will be shown; raises `ApiError` where somebody may not enter."""
        own = who.account == contest.organiser
        if contest.started_ms or (contest.closed and not own) or contest.id not in self.contests:
            raise ApiError(409, "ARENA_ENTRIES_CLOSED")
        right = contest.who == "anybody" or own
        if not right and (
            contest.who == "organiser" or not secrets.compare_digest(code.encode(), contest.code.encode())
        ):
            raise ApiError(403, "ARENA_NOT_INVITED")
        if len(contest.entries) >= contest.most:
            raise ApiError(409, "ARENA_FULL", most=contest.most)
        if not own and len(contest.of(account_of(who))) >= contest.each:
            raise ApiError(409, "ARENA_YOURS_FULL", most=contest.each)
        shown = shown_name(name, 30)
        if any(entry.name.casefold() == shown.casefold() for entry in contest.entries):
            raise ApiError(409, "ARENA_NAME_TAKEN", name=shown)
        return shown

    async def _add(self, contest: Contest, who: Visitor, **facts: Any) -> Entered:
        entered = Entered(
            id=_word(8), owner=account_of(who), owner_name=who.name, entered_ms=now_ms(), **facts
        )
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

    # Keeping

    def _lock(self, contest: Contest) -> asyncio.Lock:
        return self._locks.setdefault(contest.id, asyncio.Lock())

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
        task = self._tasks.get(contest.id)
        if (task is None or task.done()) and not self._stopping:
            self._tasks[contest.id] = asyncio.create_task(self._play(contest))
        self.stage(contest).touch()

    async def _play(self, contest: Contest) -> None:
        stage, folder, falls = self.stage(contest), self.folder(contest), 0
        while not (contest.finished_ms or contest.trouble or journal.is_paused(folder)):
            before = contest.done
            async with self._one_each.setdefault(contest.organiser, asyncio.Lock()), self._turns:
                if journal.is_paused(folder):  # while it waited
                    break
                stage.has_turn = True
                stage.touch()
                try:
                    code = await Runner(
                        self.place, folder, self.limits.arena_games, lambda told: self._hear(contest, told)
                    ).run()
                finally:
                    stage.has_turn = False
                    stage.games.clear()
            if code == REFUSED:
                contest.trouble = contest.trouble or "REFUSED"
            elif code not in (0, BUSY):
                falls = 1 if contest.done > before else falls + 1
                log.error("the process of contest %s ended with %s", contest.id, code)
                if falls >= MOST_FALLS:
                    contest.trouble = "FALLEN"
            await self._save(contest)
            if code != 0:
                await asyncio.sleep(AGAIN_S)

    def _hear(self, contest: Contest, told: dict[str, Any]) -> None:
        contest.done, contest.total = told.get("done", contest.done), told.get("total", contest.total)
        if told["kind"] == "finished":
            contest.finished_ms = now_ms()
        elif told["kind"] == "refused":
            contest.trouble = str(told["code"])
        self.stage(contest).hear(told)

    # Watching

    async def table(self, contest: Contest) -> tuple[Played, Standings] | None:
        """As it stands; None before it has begun."""
        if not contest.started_ms:
            return None
        lock, _ = self._reckoning.setdefault(contest.id, (asyncio.Lock(), 0.0))
        async with lock:  # a hundred who watch cost what one does
            known, mark = self._tables.get(contest.id), self._mark(contest)
            if known is None or known[0] != mark:
                await asyncio.sleep(max(0.0, self._reckoning[contest.id][1] - time.monotonic()))
                begun = time.monotonic()
                try:
                    known = await asyncio.to_thread(self._reckon, contest)
                except (DamasError, OSError) as error:
                    log.error("ALARM: contest %s cannot be read: %s", contest.id, error)
                    raise ApiError(500, "OUR_FAULT") from None
                now = time.monotonic()
                self._tables[contest.id] = known
                self._reckoning[contest.id] = lock, now + REST * (now - begun)
        return known[1:]

    def _mark(self, contest: Contest) -> tuple[int, int]:
        """Changes whenever the table does."""
        folder = self.folder(contest)
        return _size(folder / journal.JOURNAL), _size(folder / journal.DISQUALIFY)

    def _reckon(self, contest: Contest) -> tuple[tuple[int, int], Played, Standings]:
        mark, folder = self._mark(contest), self.folder(contest)
        settings, entries = journal.read(folder)
        played, out = split_entries(entries)
        for request in journal.disqualification_requests(folder, settings.names):
            out.setdefault(request.player, request.reason)
        return mark, settings, standings(settings, played, out)

    async def messages(self, contest: Contest) -> AsyncGenerator[dict[str, object]]:
        """What is in play, as often as it changes and no oftener than eyes follow."""
        stage, before = self.stage(contest), None
        while contest.id in self.contests:
            changed = asyncio.ensure_future(stage.wait())
            try:
                told = self.live(contest)
                if told != before:
                    yield told
                before = told
                await asyncio.sleep(OFTEN_S)
                await changed
            finally:
                changed.cancel()

    def live(self, contest: Contest) -> dict[str, object]:
        stage = self.stage(contest)
        return {
            "status": self.status(contest),
            "version": stage.version,
            "done": contest.done,
            "total": contest.total,
            "games": [dict(game) for game in stage.games.values()],
        }


def account_of(who: Visitor) -> str:
    assert who.account
    return who.account


def shown_name(text: str, most: int) -> str:
    """A name as it will be shown: letters and digits, single signs between them, nothing that hides or breaks a line."""
    name = unicodedata.normalize("NFKC", text).strip()
    if not 2 <= len(name) <= most or not NAME.fullmatch(name):
        raise ApiError(400, "BAD_NAME", least=2, most=most)
    return name


def plain(text: str, most: int) -> str:
    """One line of letters that show themselves."""
    shown = "".join(letter if letter.isprintable() else " " for letter in unicodedata.normalize("NFKC", text))
    return " ".join(shown.split())[:most]


def _word(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def _begin(folder: Path, settings: Played, begun: str) -> None:
    """Writes down what is settled. The lot is drawn now, when nobody can choose their place by it any more."""
    # One that is there was begun when the server went down, and nobody has played it.
    (folder / journal.SETTINGS).unlink(missing_ok=True)
    journal.Journal.create(folder, replace(settings, seed=secrets.randbelow(10**6), begun=begun)).close()


def _all(folder: Path) -> list[Contest]:
    found = []
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
            found.append(contest)
    return found
