"""An attack in a process of its own: `python attacker.py NAME PORT [SHARE]`.

An attack is a module of `hostile.attacks` with `async def attack(target)`, which goes on until it is cancelled or has
nothing more to do. It counts what it does and what it gets (`target.count("closed 1008")`); the counts are printed as JSON
whenever they change. Closing its standard input ends it.
"""

import asyncio
import json
import os
import resource
import ssl  # noqa: F401 (asyncio imports it late otherwise, when there may be no file left to open)
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake

ADDRESS = "127.0.0.66"
"""The attacker's address, unless the attack says another."""
REPORT_INTERVAL_S = 0.05
"""How often the counts are looked at."""


class Target:
    """The server under attack, as the attacker sees it."""

    def __init__(self, port: int, share: float = 1.0) -> None:
        self.port = port
        self._share = share
        self.counts: Counter[str] = Counter()

    def crowd(self, size: int) -> int:
        """How many of a crowd of this size come: all of them, or the share that a quick test asks for."""
        return max(1, round(size * self._share))

    def count(self, what: str, amount: int = 1) -> None:
        """Counts something the attacker did or got."""
        self.counts[what] += amount

    async def connect(self, address: str = ADDRESS) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from an address."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))

    async def status(self, reader: asyncio.StreamReader) -> str:
        """Reads the status of an answer and counts it: `status 431`, or `closed` if there is none."""
        try:
            line = await reader.readline()
        except (ConnectionError, ValueError):
            line = b""
        status = f"status {line.split()[1].decode()}" if line.startswith(b"HTTP/1.1 ") else "closed"
        self.count(status)
        return status

    async def game(self, address: str = ADDRESS, **terms: Any) -> tuple[str, str]:
        """Makes a game, by link unless the terms say otherwise: its id and the cookie of its maker."""
        transport = httpx.AsyncHTTPTransport(local_address=address)
        base = f"http://127.0.0.1:{self.port}"
        async with httpx.AsyncClient(base_url=base, timeout=240, transport=transport) as http:
            terms = {"rulebook": "brasileira", "opponent": {"kind": "friend"}, **terms}
            made = await http.post("/api/games", json=terms, headers={"X-Damas": "1"})
            cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
            return str(made.json()["id"]), cookie

    async def socket(self, game: str, cookie: str = "", address: str = ADDRESS) -> Any:
        """A websocket of a game, as the library sees it; `transport` of it writes raw frames."""
        return await connect(
            f"ws://127.0.0.1:{self.port}/game/{game}/socket",
            additional_headers={"Cookie": cookie} if cookie else {},
            local_addr=(address, 0),
            ping_interval=None,
            compression=None,
            open_timeout=240,
        )

    async def sockets(self, game: str, cookie: str, pause_s: float = 0.1) -> AsyncIterator[Any]:
        """One socket of a game after another; where none is had, counts `refused` and tries again after a pause."""
        while True:
            try:
                socket = await self.socket(game, cookie)
            except (InvalidHandshake, OSError):
                self.count("refused")
                await asyncio.sleep(pause_s)
            else:
                yield socket


class Attacker:
    """A running attack."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.counts: Counter[str] = Counter()
        self._changed = asyncio.Event()
        self.begun = asyncio.Event()
        """Set when its process has started, which takes time of its own."""
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._process.stdout
        async for line in self._process.stdout:
            self.counts = Counter(json.loads(line))
            self.begun.set()
            self._changed.set()
        self.begun.set()
        self._changed.set()

    @property
    def ended(self) -> bool:
        """Whether its process has ended, which happens before `stop` only where something went wrong in it."""
        return self._reading.done()

    async def under_way(self, seconds: float) -> None:
        """Waits until it has counted anything, or so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.counts.total() and not self.ended:
                    self._changed.clear()
                    await self._changed.wait()

    async def until(self, *events: str, times: int = 1) -> str:
        """Waits until one of these was counted so often; gives it."""
        while True:
            self._changed.clear()
            for event in events:
                if self.counts[event] >= times:
                    return event
            assert not self.ended, f"the attack ended with {dict(self.counts)}"
            await self._changed.wait()

    async def stop(self) -> None:
        """Ends it."""
        assert self._process.stdin
        self._process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 5)
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading


@asynccontextmanager
async def attacking(name: str, port: int, share: float = 1.0) -> AsyncIterator[Attacker]:
    """An attack that goes on for the time of the `with` block, by this share of its crowd."""
    command = (sys.executable, __file__, name, str(port), str(share))
    process = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=2**20
    )
    attacker = Attacker(process)
    try:
        await attacker.begun.wait()
        yield attacker
    finally:
        await attacker.stop()


async def _run(name: str, target: Target) -> None:
    loop = asyncio.get_running_loop()
    attack = asyncio.create_task(import_module(f"hostile.attacks.{name}").attack(target))
    stopped = loop.run_in_executor(None, sys.stdin.read)
    reported = None
    while not stopped.done():
        if target.counts != reported:
            reported = target.counts.copy()
            print(json.dumps(reported), flush=True)
        if attack.done():
            attack.result()  # whatever went wrong in it is printed
        await asyncio.sleep(REPORT_INTERVAL_S)
    attack.cancel()
    await asyncio.gather(attack, return_exceptions=True)


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from http_clients import share_preparations

    share_preparations()
    os.nice(10)  # where machines have few cores, the attacker must not take the players' own
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with suppress(BrokenPipeError):
        asyncio.run(_run(sys.argv[1], Target(int(sys.argv[2]), *map(float, sys.argv[3:]))))


if __name__ == "__main__":
    main()
