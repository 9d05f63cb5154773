"""Starts and stops a process of the arena: one that plays a contest, or one that prepares a program."""

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

MAX_LINE_BYTES = 1 << 20
"""Longest message of the process."""
EXIT_TIMEOUT_S = 0.8
"""How long the process may take to end when it is asked to."""


class Runner:
    """One run of the process; `listener` receives its messages."""

    def __init__(
        self, place: Path, module: str, *arguments: str, listener: Callable[[dict[str, Any]], None]
    ) -> None:
        self._place, self._module, self._arguments, self._listener = place, module, arguments, listener
        self._process: Process | None = None

    async def run(self) -> int:
        """Runs until it ends by itself or by `stop`; returns its exit code."""
        # -P: no module is imported from the folder with strangers' programs.
        command = (sys.executable, "-P", "-m", f"damas.server.arena.{self._module}", *self._arguments)
        self._process = process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, cwd=self._place, limit=MAX_LINE_BYTES, start_new_session=True
        )
        assert process.stdout
        try:
            async for line in process.stdout:
                try:
                    self._listener(msgspec.json.decode(line, type=dict[str, Any]))
                except (msgspec.DecodeError, KeyError):
                    log.warning("a process of the arena wrote %r", line[:200])
            return await process.wait()
        finally:
            await self.stop()

    async def stop(self) -> None:
        """Asks it to end, and kills it if that takes too long; its programs end with it."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        if process.stdin:
            process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), EXIT_TIMEOUT_S)
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
