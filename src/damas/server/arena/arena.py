"""Contests of this server: created, entered, played and watched.

A contest is a folder, and the server keeps nothing elsewhere: after a restart a contest in progress goes on. Each is
played by a process of its own, several at a time. Programs that are sent come by `submissions`, and a standing ladder
plays by `standing`.
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
from pathlib import Path
from typing import Any

import msgspec

from damas.errors import DamasError
from damas.matches.box.tiers import missing, tiers
from damas.server.arena import programs
from damas.server.arena.child import BUSY, REFUSED
from damas.server.arena.contest import FILE, PREPARING, Contest, Entered, Kind, Status, read
from damas.server.arena.runner import Runner
from damas.server.arena.stage import Stage
from damas.server.arena.standing import keep_playing
from damas.server.arena.submissions import Submissions
from damas.server.security.errors import ApiError
from damas.server.security.names import checked_name
from damas.server.security.visitors import Visitor
from damas.server.settings import Settings
from damas.tournaments import journal
from damas.tournaments.formats import total_games
from damas.tournaments.formats.ladder import reaches
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
        self.submissions = Submissions(self)
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
        for left in arena.place.glob(f"{PREPARING}*"):  # of a server that was killed
            await asyncio.to_thread(shutil.rmtree, left, True)
        for contest in await asyncio.to_thread(_all, arena.tournaments):
            arena.contests[contest.id] = contest
            if (contest.started_ms or contest.standing) and not contest.finished_ms:
                contest.trouble = ""
                arena._go(contest)
            arena.submissions.open(contest)
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
        return [*self.submissions.tasks, *(stage.task for stage in self._stages.values() if stage.task)]

    def folder(self, contest: Contest) -> Path:
        """The folder with the files of a contest."""
        return self.tournaments / contest.id

    def play_folder(self, contest: Contest, run: int = 0) -> Path:
        """The folder of its tournament, or of that run of a standing ladder."""
        return contest.play_folder(self.folder(contest), run)

    @staticmethod
    def now_ms() -> int:
        """The time in milliseconds since 1970."""
        return now_ms()

    @staticmethod
    def new_id() -> str:
        """A new id for an entrant or a version."""
        return _word(8)

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
        if contest.trouble:
            return "stuck"
        if contest.started_ms and journal.is_paused(self.play_folder(contest)):
            return "paused"
        if not contest.started_ms or (contest.standing and not contest.run_open):
            return "open" if contest.takes_entries(now_ms()) else "closed"
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

    # The organiser

    async def create(self, contest: Contest) -> Contest:
        """Creates a contest with a new id and code."""
        most = self.limits.arena_tournaments_per_account
        if sum(other.organiser == contest.organiser for other in self.contests.values()) >= most:
            raise ApiError(409, "ARENA_TOO_MANY", most=most)
        contest.title = one_line(contest.title, 60)
        if len(contest.title) < 2:
            raise ApiError(400, "BAD_NAME", least=2, most=60)
        self._check_standing(contest)
        contest.id = _word(10)
        contest.code = _word(8) if contest.who == "code" else ""
        contest.most = min(contest.most, self.limits.arena_entrants)
        contest.created_ms = now_ms()
        self.contests[contest.id] = contest
        await self.save(contest)
        if contest.standing:
            self._go(contest)
        return contest

    def _check_standing(self, contest: Contest) -> None:
        """Raises `ApiError` for a deadline that has passed, or a standing ladder that could not be one."""
        if contest.past_deadline(now_ms()):
            raise ApiError(400, "ARENA_DEADLINE_PAST")
        if not contest.standing:
            return
        if contest.format != "ladder" or contest.deadline_ms is None:
            raise ApiError(400, "ARENA_STANDING")
        count = min(contest.most, self.limits.arena_entrants)
        rounds = contest.rounds or len(reaches(count))
        games, most = rounds * (count // 2) * contest.games, self.limits.arena_games_most
        if games > most:
            raise ApiError(409, "ARENA_TOO_LONG", games=games, most=most)

    async def set_closed(self, contest: Contest, closed: bool) -> None:
        """Closes entries, or opens them again."""
        async with self.stage(contest).lock:
            self._before_start(contest)
            if not closed and contest.past_deadline(now_ms()):
                raise ApiError(409, "ARENA_DEADLINE")
            contest.closed = closed
            await self.save(contest)

    async def start(self, contest: Contest) -> None:
        """Begins to play; nobody can enter any more."""
        async with self.stage(contest).lock:
            self._before_start(contest)
            if contest.standing:  # it begins by itself
                raise ApiError(409, "ARENA_STATE")
            if len(contest.entries) < 2:
                raise ApiError(409, "ARENA_TOO_FEW")
            if pending := sum(each.pending for each in contest.submissions):
                raise ApiError(409, "ARENA_PREPARING", n=pending)
            if contest.has_programs:
                await self.check_box()
            settings = contest.settings
            games = total_games(settings)
            if games > self.limits.arena_games_most:
                raise ApiError(409, "ARENA_TOO_LONG", games=games, most=self.limits.arena_games_most)
            await asyncio.to_thread(journal.begin, self.folder(contest), settings)
            contest.closed, contest.started_ms, contest.total = True, now_ms(), games
            await self.save(contest)
        self._go(contest)

    async def pause(self, contest: Contest) -> None:
        """Starts no more games; those in progress are played to their end."""
        async with self.stage(contest).lock:
            self._while_played(contest)
            await asyncio.to_thread(journal.pause, self.play_folder(contest))
        self.stage(contest).touch()

    async def go_on(self, contest: Contest) -> None:
        """Plays on after a pause, or after trouble."""
        async with self.stage(contest).lock:
            self._while_played(contest)
            await asyncio.to_thread(journal.unpause, self.play_folder(contest))
            contest.trouble = ""
            await self.save(contest)
        self._go(contest)

    async def disqualify(self, contest: Contest, name: str, reason: str) -> None:
        """Takes an entrant out of the rest of the contest; everybody may read the reason."""
        async with self.stage(contest).lock:
            self._while_played(contest)
            known = [entry.name for entry in contest.entries]
            if name not in known:
                raise ApiError(400, "ARENA_UNKNOWN", name=name, known=", ".join(known))
            reason = one_line(reason, 200)
            if contest.standing:
                contest.out, contest.renewed = {**contest.out, name: reason}, True
                await self.save(contest)
            if not contest.standing or contest.run_open:
                await asyncio.to_thread(journal.disqualify, self.play_folder(contest), name, reason)
        self.stage(contest).touch()

    async def call_off(self, contest: Contest) -> None:
        """Deletes the contest and everything in it."""
        async with self.stage(contest).lock:
            stage = self.stage(contest)
            if stage.task:
                stage.task.cancel()
                await asyncio.gather(stage.task, return_exceptions=True)
            self.contests.pop(contest.id, None)
            stage.task = None
            stage.tables.clear()
            # First its file, so that half a folder is never loaded.
            await asyncio.to_thread((self.folder(contest) / FILE).unlink, True)
            await asyncio.to_thread(shutil.rmtree, self.folder(contest), True)
        await self.sweep()
        self.stage(contest).touch()

    # Entrants

    async def enter(
        self, contest: Contest, who: Visitor, name: str, code: str, kind: Kind, level: int = 0
    ) -> Entered:
        """Enters one of our own players."""
        async with self.stage(contest).lock:
            name = self.checked_entry(contest, who, name, code)
            entered = Entered(
                id=_word(8),
                name=name,
                owner=who.id,
                owner_name=who.name,
                kind=kind,
                level=level,
                entered_ms=now_ms(),
            )
            contest.entries, contest.renewed = [*contest.entries, entered], True
            await self.save(contest)
            return entered

    async def check_box(self) -> None:
        """Raises `ApiError` where uploaded programs cannot run."""
        if why := await self.no_box():
            raise ApiError(409, "ARENA_NO_BOX", why=why)

    async def leave(self, contest: Contest, entry: Entered) -> None:
        """Withdraws an entrant before the start; from a standing ladder, for its next run."""
        async with self.stage(contest).lock:
            self._before_start(contest)
            if any(each.pending for each in contest.versions(entry.name)):
                raise ApiError(409, "ARENA_UNDER_WAY", name=entry.name)
            contest.entries = [other for other in contest.entries if other.id != entry.id]
            contest.renewed = True
            await self.save(contest)
        await self.sweep()

    def checked_entry(
        self, contest: Contest, who: Visitor, name: str, code: str, *, program: bool = False
    ) -> str:
        """The name as it will be shown; raises `ApiError` if the visitor may not enter. A `program` may be a new version."""
        own = who.account == contest.organiser
        if contest.id not in self.contests or not contest.takes_entries(now_ms()):
            late = contest.past_deadline(now_ms())
            raise ApiError(409, "ARENA_DEADLINE" if late else "ARENA_ENTRIES_CLOSED")
        right = contest.who == "anybody" or own
        if not right and (
            contest.who == "organiser" or not secrets.compare_digest(code.encode(), contest.code.encode())
        ):
            raise ApiError(403, "ARENA_NOT_INVITED")
        shown = checked_name(name, 2, 30)
        same = next((e for e in contest.entries if e.name.casefold() == shown.casefold()), None)
        if program and same and same.owner == who.id and same.kind == "program":
            if same.name in contest.out:
                raise ApiError(409, "ARENA_OUT", name=same.name)
            return same.name
        coming = [each for each in contest.submissions if each.pending]
        taken = same or any(
            each.name.casefold() == shown.casefold() and not (program and each.owner == who.id)
            for each in coming
        )
        if taken or shown in contest.out:
            raise ApiError(409, "ARENA_NAME_TAKEN", name=shown)
        known = {entry.name for entry in contest.entries}
        new = {each.name: each.owner for each in coming if each.name not in known}
        if len(known) + len(new) >= contest.most:
            raise ApiError(409, "ARENA_FULL", most=contest.most)
        mine = len(contest.of(who.id)) + sum(owner == who.id for owner in new.values())
        if not own and mine >= contest.each and not (program and shown in new):
            raise ApiError(409, "ARENA_YOURS_FULL", most=contest.each)
        return shown

    def bytes_of(self, owner: str) -> int:
        """Bytes of all programs of an account, those that wait to be prepared too."""
        contests = self.contests.values()
        sizes = {e.file: e.size for contest in contests for e in contest.of(owner)}
        for contest in contests:
            sizes |= {e.id: e.size for e in contest.submissions if e.pending and e.owner == owner}
        return sum(sizes.values())

    async def sweep(self) -> None:
        """Deletes programs that no contest uses, unless one is being prepared: it has no contest yet."""
        async with self.submissions.not_preparing() as idle:
            if idle:
                await self.sweep_now()

    async def sweep_now(self) -> None:
        """The same, for whoever knows that nothing is being prepared."""
        contests = self.contests.values()
        used = [entry.file for contest in contests for entry in (*contest.entries, *contest.run_entries)]
        await asyncio.to_thread(programs.sweep, self.programs, used)

    # Storage

    async def save(self, contest: Contest) -> None:
        """Writes a contest to the disk, and tells everybody who watches."""
        async with self.stage(contest).writing:
            await asyncio.to_thread(contest.write, self.folder(contest))
        self.stage(contest).touch()

    def _before_start(self, contest: Contest) -> None:
        begun = contest.finished_ms if contest.standing else contest.started_ms
        if begun or contest.id not in self.contests:
            raise ApiError(409, "ARENA_STATE")

    def _while_played(self, contest: Contest) -> None:
        if not contest.started_ms or contest.finished_ms or contest.id not in self.contests:
            raise ApiError(409, "ARENA_STATE")

    # Playing

    def _go(self, contest: Contest) -> None:
        stage = self.stage(contest)
        if (stage.task is None or stage.task.done()) and not self._stopping:
            play = keep_playing(self, contest) if contest.standing else self.play_to_the_end(contest)
            stage.task = asyncio.create_task(play)
        stage.touch()

    async def play_to_the_end(self, contest: Contest) -> None:
        """Plays its tournament, or the run of a standing ladder, until it is over, paused or in trouble."""
        stage, folder, crashes = self.stage(contest), self.play_folder(contest), 0
        if contest.has_programs:
            await self.no_box()  # its process finds everything prepared for programs

        def over() -> bool:
            return not contest.run_open if contest.standing else bool(contest.finished_ms)

        while not (over() or contest.trouble or journal.is_paused(folder)):
            before = contest.done
            async with self._organiser_locks.setdefault(contest.organiser, asyncio.Lock()), self._turns:
                if journal.is_paused(folder):  # while it waited
                    break
                stage.has_turn = True
                stage.touch()
                try:
                    code = await Runner(
                        self.place,
                        "child",
                        str(folder.absolute()),
                        str(self.limits.arena_games),
                        listener=lambda message: self._on_message(contest, message),
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
            await self.save(contest)
            if code != 0:
                await asyncio.sleep(RESTART_DELAY_S)

    def _on_message(self, contest: Contest, message: dict[str, Any]) -> None:
        contest.done = message.get("done", contest.done)
        contest.total = message.get("total", contest.total)
        if message["kind"] == "finished":
            if contest.standing:
                contest.run_open = False
            else:
                contest.finished_ms = now_ms()
        elif message["kind"] == "refused":
            contest.trouble = str(message["code"])
        self.stage(contest).update(message)

    # Watching

    async def table(self, contest: Contest, run: int = 0) -> tuple[Played, Standings] | None:
        """Settings and standings, of a standing ladder those of that run or of the last; None before it has begun."""
        if not contest.started_ms or not 0 <= run <= contest.run:
            return None
        stage, last = self.stage(contest), contest.run  # earlier runs are over and never change
        run = (run or last) if contest.standing else 0
        async with stage.table_lock:
            table = stage.tables.get(run)
            if table is None or (run == last and table[0] != self._sizes(contest, run)):
                await asyncio.sleep(max(0.0, stage.rebuild_at - time.monotonic()))
                began = time.monotonic()
                table = await self._built(contest, run)
                now = time.monotonic()
                stage.rebuild_at = now + TABLE_COOLDOWN_FACTOR * (now - began)
                stage.keep_table(run, table)
            return table[1:]

    async def _built(self, contest: Contest, run: int) -> tuple[tuple[int, int, int], Played, Standings]:
        try:
            return await asyncio.to_thread(self._build_table, contest, run)
        except (DamasError, OSError) as error:
            log.error("ALARM: contest %s cannot be read: %s", contest.id, error)
            raise ApiError(500, "OUR_FAULT") from None

    def _sizes(self, contest: Contest, run: int) -> tuple[int, int, int]:
        """The run, and the sizes of the files from which the table is built: they change whenever it does."""
        folder = self.play_folder(contest, run)
        return run, _size(folder / journal.JOURNAL), _size(folder / journal.DISQUALIFY)

    def _build_table(self, contest: Contest, run: int) -> tuple[tuple[int, int, int], Played, Standings]:
        sizes, folder = self._sizes(contest, run), self.play_folder(contest, run)
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
    shown = "".join(letter if letter.isprintable() else " " for letter in unicodedata.normalize("NFC", text))
    return " ".join(shown.split())[:most]


def _word(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def _all(folder: Path) -> list[Contest]:
    contests = []
    for path in sorted(folder.glob("*/" + FILE)):
        try:
            contest = read(path.parent)
            if contest.started_ms and not contest.finished_ms:
                _, entries = journal.read(contest.play_folder(path.parent))
                contest.done = len(split_entries(entries)[0])
        except (OSError, msgspec.DecodeError, DamasError) as error:
            log.error("ALARM: the contest in %s cannot be read: %s", path.parent, error)
            continue
        if contest.id == path.parent.name:
            contests.append(contest)
    return contests
