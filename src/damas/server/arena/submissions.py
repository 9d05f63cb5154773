"""Programs that are sent to a contest: received, prepared one after the other, and entered or refused.

What was acknowledged is on disk: the upload lies in the contest's folder until a preparation has decided about it, so
after a restart, or a crash, it is prepared again.
"""

import asyncio
import contextlib
import logging
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from damas.arena.building.source import MAX_FILES
from damas.server.arena.contest import SUBMISSIONS, UPLOADS, Contest, Entered, Mode, Submission
from damas.server.arena.runner import Runner
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Visitor
from damas.server.shares import Shares
from damas.tournaments.journal import sync_folder, write_file

if TYPE_CHECKING:
    from damas.server.arena.arena import Arena

log = logging.getLogger("damas")

MAX_PENDING = 4
"""Versions of one account that wait for their preparation."""
MAX_RECEIVED = 16
"""Uploads that are received at once."""
PREPARATION_TIMEOUT_S = 600.0
"""When a preparation is given up: it has limits of its own, which are shorter."""
MAX_ATTEMPTS = 3
"""How often a preparation is tried that fails by an error of ours."""


class Submissions:
    """Receives and prepares programs. Belongs to one event loop."""

    def __init__(self, arena: "Arena") -> None:
        self._arena = arena
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()
        """Preparing takes a processor, and contests are played meanwhile."""
        self._receiving = Shares(2, total=MAX_RECEIVED)

    def open(self, contest: Contest) -> None:
        """Prepares what was sent before the server ended, and forgets uploads that were never acknowledged."""
        pending = {each.id: each for each in contest.submissions if each.pending}
        for path in (self._arena.folder(contest) / UPLOADS).glob("*"):
            if path.name not in pending:
                path.unlink(missing_ok=True)
        for path in (self._arena.folder(contest) / UPLOADS).glob(".*"):
            path.unlink(missing_ok=True)
        for submission in pending.values():
            self._start(contest, submission)

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """Preparations that wait or go on."""
        return self._tasks

    # Receiving

    async def receive(
        self,
        contest: Contest,
        who: Visitor,
        *,
        name: str,
        code: str,
        file_name: str,
        mode: Mode,
        body: AsyncIterator[bytes],
    ) -> Submission:
        """Takes a program piece by piece to the disk; it is prepared from then on. Raises `ApiError`."""
        self._check(contest, who, name, code)  # before anything is sent
        draft_id = self._arena.new_id()
        folder = self._arena.folder(contest) / UPLOADS
        draft = folder / f".{draft_id}"
        with self._receiving.hold(who.id):
            try:
                size = await _write(draft, body, self._arena.limits.arena_program_bytes)
                async with self._arena.stage(contest).lock:
                    shown, number = self._check(contest, who, name, code)
                    if not size:
                        raise ApiError(400, "ARENA_NO_FILE")
                    most = self._arena.limits.arena_bytes_per_account
                    if self._arena.bytes_of(who.id) + size > most:
                        raise ApiError(409, "ARENA_PLACE_FULL", most=most >> 20)
                    submission = Submission(
                        id=draft_id,
                        name=shown,
                        owner=who.id,
                        owner_name=who.name,
                        version=number,
                        file_name=file_name[:200],
                        mode=mode,
                        size=size,
                        sent_ms=self._arena.now_ms(),
                    )
                    await asyncio.to_thread(_keep, draft, folder / draft_id)
                    contest.submissions = [*contest.submissions, submission]
                    await self._arena.save(contest)
            finally:
                await asyncio.to_thread(draft.unlink, True)
        self._start(contest, submission)
        return submission

    def _check(self, contest: Contest, who: Visitor, name: str, code: str) -> tuple[str, int]:
        """The name as it will be shown, and the number of its version; raises `ApiError` if it is not taken."""
        shown = self._arena.checked_entry(contest, who, name, code, program=True)
        versions = [each for each in contest.versions(shown) if each.owner == who.id]
        if any(each.pending for each in versions):
            raise ApiError(409, "ARENA_UNDER_WAY", name=shown)
        most = self._arena.limits.arena_versions
        if sum(each.owner == who.id for each in contest.submissions) >= most:
            raise ApiError(409, "ARENA_VERSIONS", most=most)
        others = self._arena.contests.values()
        waiting = sum(each.pending for other in others for each in other.submissions if each.owner == who.id)
        if waiting >= MAX_PENDING:
            raise ApiError(429, "UNDER_WAY", retry_s=10.0)
        return shown, len(versions) + 1

    # Preparing

    def _start(self, contest: Contest, submission: Submission) -> None:
        task = asyncio.create_task(self._prepare(contest, submission))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _prepare(self, contest: Contest, submission: Submission) -> None:
        async with self._one_at_a_time:
            result: dict[str, Any] = {}
            for attempt in range(MAX_ATTEMPTS):
                if contest.id not in self._arena.contests:
                    return
                try:
                    async with asyncio.timeout(PREPARATION_TIMEOUT_S):
                        result = await self._run(contest, submission)
                except TimeoutError:
                    result = {"kind": "refused", "reason": "slow", "facts": {"seconds": "600"}}
                if result:
                    break
                log.error("the preparation of a program ended without a result (attempt %s)", attempt + 1)
            result = result or {"kind": "refused", "reason": "ours", "facts": {}}
            await self._finish(contest, submission, result)

    async def _run(self, contest: Contest, submission: Submission) -> dict[str, Any]:
        """One attempt: the last message of the process that prepares, empty if it gave none."""
        stage, result = self._arena.stage(contest), dict[str, Any]()

        def on_message(message: dict[str, Any]) -> None:
            if message["kind"] == "state":
                stage.preparing[submission.id] = message["state"]
                stage.touch()
            else:
                result.update(message)

        order = {
            "upload": str((self._arena.folder(contest) / UPLOADS / submission.id).absolute()),
            "file_name": submission.file_name,
            "name": submission.name,
            "mode": submission.mode,
            "rulebook": contest.rulebook,
            "time_ms": contest.time_ms,
            "legal": contest.legal,
            "check": contest.check,
            "bytes": self._arena.limits.arena_unpacked_bytes,
            "files": MAX_FILES,
        }
        self._arena.place.mkdir(parents=True, exist_ok=True)
        try:
            text = msgspec.json.encode(order).decode()
            await Runner(self._arena.place, "preparation", text, listener=on_message).run()
        finally:
            stage.preparing.pop(submission.id, None)
        return result

    async def _finish(self, contest: Contest, submission: Submission, result: dict[str, Any]) -> None:
        """Enters the program, or refuses it; first on the disk, then for everybody to see."""
        arena, folder = self._arena, self._arena.folder(contest)
        async with arena.stage(contest).lock:
            if contest.id not in arena.contests:
                return
            if contest.finished_ms or (contest.started_ms and not contest.standing):
                result = {**result, "kind": "refused", "reason": "late", "facts": {}}
            kept = {
                key: result[key] for key in ("reason", "facts", "log", "troubles", "tried") if key in result
            }
            (folder / SUBMISSIONS).mkdir(exist_ok=True)
            text = msgspec.json.encode(kept).decode()
            await asyncio.to_thread(write_file, folder / SUBMISSIONS / f"{submission.id}.json", text)
            ready = result["kind"] == "ready"
            done = msgspec.structs.replace(
                submission,
                state="accepted" if ready else "refused",
                language=str(result.get("language", "")),
                hash=str(result.get("file", ""))[:12],
            )
            contest.submissions = [done if each.id == done.id else each for each in contest.submissions]
            if ready:
                _enter(contest, done, result, arena.new_id(), arena.now_ms())
            await arena.save(contest)
            await asyncio.to_thread((folder / UPLOADS / submission.id).unlink, True)
        await arena.sweep_now()

    @contextlib.asynccontextmanager
    async def not_preparing(self) -> AsyncIterator[bool]:
        """Whether nothing is being prepared; if so, nothing will be while the block lasts."""
        if self._one_at_a_time.locked():
            yield False
            return
        async with self._one_at_a_time:
            yield True

    async def report(self, contest: Contest, submission: Submission) -> dict[str, Any]:
        """How its preparation went: log, troubles and why it was refused."""
        path = self._arena.folder(contest) / SUBMISSIONS / f"{submission.id}.json"
        with contextlib.suppress(FileNotFoundError):
            return dict(msgspec.json.decode(await asyncio.to_thread(path.read_bytes), type=dict[str, Any]))
        return {}


def _enter(contest: Contest, submission: Submission, result: dict[str, Any], id: str, now_ms: int) -> None:
    """Puts the program into the contest, in the place of its earlier version."""
    earlier = next((entry for entry in contest.entries if entry.name == submission.name), None)
    entered = Entered(
        id=earlier.id if earlier else id,
        name=submission.name,
        owner=submission.owner,
        owner_name=submission.owner_name,
        kind="program",
        file=result["file"],
        ending=result["ending"],
        main=result["main"],
        data=result["data"],
        mode=submission.mode,
        size=max(submission.size, int(result["size"])),
        version=submission.version,
        entered_ms=now_ms,
    )
    rest = [entered if entry is earlier else entry for entry in contest.entries]
    contest.entries = rest if earlier else [*rest, entered]
    contest.renewed = True


async def _write(path: Path, body: AsyncIterator[bytes], most: int) -> int:
    """Writes a body to the disk, never more than a piece of it in memory; returns its bytes."""
    size = 0
    await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
    with await asyncio.to_thread(path.open, "wb") as file:
        async for piece in body:
            size += len(piece)
            if size > most:
                raise ApiError(413, "TOO_LARGE", most=most)
            await asyncio.to_thread(file.write, piece)
        await asyncio.to_thread(file.flush)
        await asyncio.to_thread(os.fsync, file.fileno())
    return size


def _keep(draft: Path, path: Path) -> None:
    """Gives a complete upload its name, on disk."""
    shutil.move(draft, path)
    sync_folder(path.parent)
