"""Work that goes on in its worker process until a test ends it."""

import asyncio
import os
from functools import partial
from pathlib import Path
from typing import Any


def block(began: str, ended: str, *_: Any) -> bytes:
    """Names its process in one pipe, and gives what comes out of the other. Worker processes import it from here."""
    Path(began).write_text(str(os.getpid()))
    return Path(ended).read_bytes()


class Blocked:
    """The test's end of the pipes."""

    def __init__(self, folder: Path) -> None:
        self._began, self._ended = folder / "began", folder / "ended"
        os.mkfifo(self._began)
        os.mkfifo(self._ended)
        self.work = partial(block, str(self._began), str(self._ended))
        """To be called in a worker process, with any arguments."""

    async def begun(self) -> int:
        """Waits until the work has begun; the id of its process."""
        return int(await asyncio.to_thread(self._began.read_text))

    async def end(self, result: str) -> None:
        """Ends the work that has begun."""
        await asyncio.to_thread(self._ended.write_text, result)


def is_running(process: int) -> bool:
    """Whether a process has not ended."""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
