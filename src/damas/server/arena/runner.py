"""The process that plays a contest, as the server sees it."""

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

log = logging.getLogger("damas")

LONGEST_LINE = 1 << 20
GOODBYE_S = 0.8
"""In which a process that is asked to end may do so; what it has written by then is all there."""


class Runner:
    def __init__(self, place: Path, folder: Path, games: int, hear: Callable[[dict[str, Any]], None]) -> None:
        self._place, self._folder, self._games, self._hear = place, folder, games, hear
        self._process: Process | None = None

    async def run(self) -> int:
        """Until it ends, by itself or by `stop`; how it ended."""
        # -P: no module is ever looked for where programs of strangers lie.
        command = (
            sys.executable,
            "-P",
            "-m",
            "damas.server.arena.child",
            str(self._folder),
            str(self._games),
        )
        self._process = process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, cwd=self._place, limit=LONGEST_LINE, start_new_session=True
        )
        assert process.stdout
        try:
            async for line in process.stdout:
                try:
                    self._hear(msgspec.json.decode(line, type=dict[str, Any]))
                except (msgspec.DecodeError, KeyError):
                    log.warning("the arena's process said %r", line[:200])
            return await process.wait()
        finally:
            await self.stop()

    async def stop(self) -> None:
        """It is asked, and if it takes too long, killed: whatever it started ends with it."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        if process.stdin:
            process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GOODBYE_S)
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
