"""Several nodes behind a plain balancer, games that move, and everything that can happen to nodes and their database.

Every player keeps a list of what was acknowledged. At the end it is held against the database: nothing may be missing or twice
there, no chain may fork, and all games must have gone on.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sqlalchemy import select

from damas.server.settings import Settings
from damas.server.store import schema
from damas.server.store.append import event_columns, event_row
from damas.server.store.database import open_database
from damas.server.store.rows import EventRow
from ports import lasting_port
from server.conftest import Cluster
from server.protocol.killing import KINDS, WAIT_S, Player, held_against

PROGRAM = Path(__file__).with_name("node_process.py")
TESTS = str(Path(__file__).parents[2])
LEASE_S = 3.0

What = Literal["kill", "stop", "database", "rolling"]
"""kill -9 of a node; SIGSTOP past its lease; a restart of PostgreSQL; SIGTERM and start of each node in turn."""


class Node:
    """A process that can be killed, stopped and started again under its name."""

    def __init__(self, name: str, folder: Path, database: str) -> None:
        self.name = name
        self._folder = folder / name
        self._database = database
        self.port = lasting_port()
        self._process: subprocess.Popen[str] | None = None

    async def start(self) -> None:
        while True:
            self._process = subprocess.Popen(
                [sys.executable, str(PROGRAM), str(self._folder), str(self.port), self._database, self.name],
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": TESTS},
            )
            assert self._process.stdout
            line = await asyncio.to_thread(self._process.stdout.readline)
            if line.strip() == str(self.port):
                return
            await self._gone()  # the database was restarting: a supervisor would try again too

    def send(self, number: signal.Signals) -> None:
        assert self._process
        self._process.send_signal(number)

    async def end(self, how: signal.Signals) -> int:
        self.send(how)
        return await self._gone()

    async def _gone(self) -> int:
        assert self._process and self._process.stdout
        code = await asyncio.to_thread(self._process.wait, 60)
        self._process.stdout.close()
        return code


class Balancer:
    """Takes connections at one port and leads each to the next node that lets it in."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes
        self._next = 0
        self.port = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._lead, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        assert self._server
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            with suppress(OSError):
                there = await self._connect()
                await asyncio.gather(_pump(reader, there[1]), _pump(there[0], writer))
        except asyncio.CancelledError:
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        for _ in self._nodes:
            self._next += 1
            node = self._nodes[self._next % len(self._nodes)]
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", node.port)
        raise ConnectionRefusedError


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@dataclass
class Report:
    """What a storm has shown."""

    happened: dict[str, int]
    games: int = 0
    acked: int = 0
    resent: int = 0
    seconds: float = 0.0
    takeovers: list[float] = field(default_factory=list)
    """Seconds from the kill of a node to the next acknowledged move of each of its games."""
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        what = ", ".join(f"{count} {name}" for name, count in self.happened.items())
        times = sorted(self.takeovers)
        taken = (
            f"takeover p50 {times[len(times) // 2]:.2f} s, p99 {times[int(len(times) * 0.99)]:.2f} s "
            f"({len(times)} games)"
            if times
            else "no game taken over"
        )
        return (
            f"{what}; {self.games} games, {self.acked} moves acknowledged, {self.resent} sent again, "
            f"{self.seconds:.0f} s; {taken}; {len(self.wrong)} wrong"
        )


class Storm:
    """The nodes, their players, and what happens to them."""

    def __init__(
        self, folder: Path, cluster: Cluster, *, nodes: int, games: int, seed: int, wait_s: float = WAIT_S
    ) -> None:
        self.chance = random.Random(seed)
        self._cluster = cluster
        self._folder = folder
        self._url = cluster.create()
        self._nodes = [Node(f"node{number}", folder, self._url) for number in range(1, nodes + 1)]
        self._balancer = Balancer(self._nodes)
        self._games = games
        self._seed = seed
        self._wait_s = wait_s
        self.players: list[Player] = []
        self.takeovers: list[float] = []

    async def run(self, happenings: list[What]) -> Report:
        began, stop = time.monotonic(), asyncio.Event()
        await self._nodes[0].start()  # it makes the tables
        await asyncio.gather(*(node.start() for node in self._nodes[1:]))
        await self._balancer.open()
        wait = max(self._wait_s, self._games / 300)
        self.players = [
            Player(self._balancer.port, random.Random(f"{self._seed}/{n}"), KINDS[n % len(KINDS)], wait)
            for n in range(self._games)
        ]
        playing = [asyncio.create_task(player.play(stop)) for player in self.players]
        report = Report({what: happenings.count(what) for what in dict.fromkeys(happenings)})
        try:
            if not await self._everybody_moves():
                report.wrong.append("not every game began")
            for number, what in enumerate(happenings):
                await asyncio.sleep(self.chance.uniform(0, 0.5))
                await self._happen(what)
                if not await self._everybody_moves():
                    report.wrong.append(f"not every game went on after {what}, number {number}")
        finally:
            stop.set()
            await asyncio.wait(playing, timeout=10)
            for task in playing:
                task.cancel()
            ends = await asyncio.gather(*playing, return_exceptions=True)
            report.wrong += [f"a player: {end!r}" for end in ends if isinstance(end, Exception)]
            await self._balancer.close()
            codes = await asyncio.gather(*(node.end(signal.SIGTERM) for node in self._nodes))
        if any(code not in (0, -signal.SIGTERM) for code in codes):
            report.wrong.append(f"a node did not stop by itself: {codes}")
        acked = [each for player in self.players for each in player.acked]
        report.games = sum(player.games for player in self.players)
        report.acked, report.resent = len(acked), sum(player.resent for player in self.players)
        report.seconds, report.takeovers = time.monotonic() - began, self.takeovers
        report.wrong += [complaint for player in self.players for complaint in player.complaints]
        report.wrong += held_against(await self._stored(), acked)
        return report

    async def _happen(self, what: What) -> None:
        node = self.chance.choice(self._nodes)
        if what == "kill":
            hit = await self._games_of(node)
            killed = time.monotonic()
            await node.end(signal.SIGKILL)
            await self._until_taken_over(hit, killed)
            await node.start()
        elif what == "stop":
            node.send(signal.SIGSTOP)
            await asyncio.sleep(LEASE_S * self.chance.uniform(1.1, 2))
            node.send(signal.SIGCONT)
        elif what == "database":
            await asyncio.to_thread(self._cluster.stop, self.chance.choice(("fast", "immediate")))
            await asyncio.to_thread(self._cluster.start)
        else:
            for each in self._nodes:
                await each.end(signal.SIGTERM)
                await each.start()

    async def _games_of(self, node: Node) -> dict[str, Player]:
        """The games that a node owns, and who plays them."""
        owner = schema.game_owner
        database = await open_database(self._settings)
        try:
            rows = await database.rows(select(owner.c.game).where(owner.c.node == node.name))
        finally:
            await database.close()
        owned = {row.game for row in rows}
        return {player._game: player for player in self.players if player._game in owned}

    async def _until_taken_over(self, games: dict[str, Player], killed: float) -> None:
        """Waits until every game has had a move after the kill, at most a minute, and notes how long each took."""
        deadline = killed + 60
        waiting = dict(games)
        while waiting and time.monotonic() < deadline:
            for game, player in tuple(waiting.items()):
                later = next((each for each in reversed(player.acked) if each.at_s > killed), None)
                if later or player._game != game:
                    del waiting[game]
                    if later and later.game == game:
                        self.takeovers.append(later.at_s - killed)
            await asyncio.sleep(0.02)

    async def _everybody_moves(self) -> bool:
        """Whether every player gets a move acknowledged from now on."""
        now, deadline = time.monotonic(), time.monotonic() + 120
        while time.monotonic() < deadline:
            if all(player.acked and player.acked[-1].at_s > now for player in self.players):
                return True
            await asyncio.sleep(0.02)
        return False

    @property
    def _settings(self) -> Settings:
        return Settings(data=self._folder, database_url=self._url, node=f"observer{time.monotonic_ns()}")

    async def _stored(self) -> dict[str, list[EventRow]]:
        database = await open_database(self._settings)
        event = schema.event
        games: dict[str, list[EventRow]] = {}
        try:
            async for _, rows in database.snapshot([event], 1000):  # type: ignore[attr-defined]
                for row in rows:
                    values = [row[column.name] for column in event_columns]
                    games.setdefault(row["game"], []).append(event_row(values))
        finally:
            await database.close()
        for rows in games.values():
            rows.sort(key=lambda row: row.seq)
        return games
