"""kill -9 while games are written: what was acknowledged is on disk, once, in order."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.backup import backup
from server.store.writer_process import GAMES

KILLS = {
    "sqlite": int(os.environ.get("DAMAS_TEST_KILLS", "12")),
    "postgresql": int(os.environ.get("DAMAS_TEST_KILLS", "5")),
}


class WriterProcess:
    """The process to be killed, and the acknowledgements it has given."""

    def __init__(self, settings: Settings, kind: str) -> None:
        program = Path(__file__).with_name("writer_process.py")
        command = [sys.executable, str(program), settings.database_url, str(settings.data), kind]
        tests = str(program.parents[2])
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": tests},
        )
        self._lines: Queue[str] = Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.acked: dict[tuple[str, int], str] = {}

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)

    def _until(self, word: str, seconds: float = 60.0) -> str:
        """Reads on, acknowledgements among it, to a line that begins with this word."""
        deadline = time.monotonic() + seconds
        while True:
            first, *rest = self._lines.get(timeout=max(0.0, deadline - time.monotonic())).split()
            if first == "ack":
                name, seq, chain = rest
                assert (name, int(seq)) not in self.acked, "acknowledged twice"
                self.acked[name, int(seq)] = chain
            if first == word:
                return rest[0] if rest else ""

    def kill_after(self, seconds: float, since: str = "ack", times: int = 1) -> None:
        """Kills it so many seconds after it has said `since` so many times."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        pid = int(self._until("pid"))
        for _ in range(times):
            self._until(since)
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
        self._until("dead")

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()


def seeds() -> Iterator[random.Random]:
    seed = int(os.environ.get("DAMAS_TEST_SEED", random.SystemRandom().randrange(10**6)))
    print(f"DAMAS_TEST_SEED={seed}")  # shown when the test fails; give it back to replay
    yield random.Random(seed)


async def lost(store: Store, acked: dict[tuple[str, int], str]) -> set[tuple[str, int]]:
    """Which acknowledged events are not on disk as they were acknowledged."""
    on_disk = {(name, row.seq): row.chain for name in GAMES for row in await store.games.events(name)}
    return {key for key, chain in acked.items() if on_disk.get(key) != chain}


async def test_what_was_acknowledged_survives_kill_9(settings: Settings, tmp_path: Path) -> None:
    kind = "sqlite" if settings.sqlite_path else "postgresql"
    (chance,) = seeds()
    process = WriterProcess(settings, "honest")
    for number in range(KILLS[kind]):
        # Most while games are being written; every sixth while they are still being taken.
        if number % 6 == 5:
            process.kill_after(chance.uniform(0.0, 0.05), since="open")
        else:
            process.kill_after(chance.uniform(0.0, 0.02), times=chance.randint(13, 30))
    process.close()
    assert len(process.acked) > 10 * KILLS[kind]

    if settings.sqlite_path is not None:
        with sqlite3.connect(settings.sqlite_path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
    store = await Store.open(settings)
    assert await lost(store, process.acked) == set()
    for name in GAMES:
        # Nothing twice and nothing out of order; beyond what was acknowledged, one event for each kill at most.
        numbers = [row.seq for row in await store.games.events(name)]
        assert numbers == list(range(1, len(numbers) + 1))
        acked = sum(game == name for game, _seq in process.acked)
        assert acked <= len(numbers) <= acked + KILLS[kind]
    report = await backup(settings, tmp_path / "copy")  # which follows every chain
    assert report.moves >= len(process.acked)
    await store.close()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_an_early_acknowledgement_would_be_noticed(settings: Settings) -> None:
    (chance,) = seeds()
    process = WriterProcess(settings, "liar")
    for _ in range(10):
        process.kill_after(chance.uniform(0.02, 0.1))
        store = await Store.open(settings)
        missing = await lost(store, process.acked)
        await store.close()
        if missing:
            break
    process.close()
    assert missing
