"""Games that move while their server is killed, and the bookkeeping of those who play them.

Every player keeps a list of what was acknowledged to it. At the end that list is held against the database: nothing
acknowledged may be missing, twice there, or in another order; and the games must have gone on.
"""

import asyncio
import json
import random
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from damas.arbiter.ledger import table_of
from damas.server.store.rows import EventRow, broken_link
from ports import lasting_port

SERVER = Path(__file__).with_name("server_process.py")
AWAY = (
    OSError,
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    httpx.TransportError,
    TimeoutError,
    EOFError,
)
WAIT_S = 0.01
"""Between two moves of a player; the more games, the longer."""


class Process:
    """A server that can be killed and started again at the same port."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = lasting_port()
        self._process: subprocess.Popen[str] | None = None
        self.starts: list[float] = []

    async def start(self) -> None:
        began = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, str(SERVER), str(self.data), str(self.port)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout
        line = await asyncio.to_thread(self._process.stdout.readline)
        assert line.strip() == str(self.port), f"the server did not start: {line!r}"
        self.starts.append(time.monotonic() - began)

    def freeze(self) -> None:
        """Stops it as it is: what is sent to it from here on is never read."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    async def end(self, how: signal.Signals) -> int:
        assert self._process
        self._process.send_signal(how)
        code = await asyncio.to_thread(self._process.wait, 60)
        assert self._process.stdout
        self._process.stdout.close()
        return code


@dataclass
class Acked:
    """What a player was promised."""

    game: str
    seq: int
    ply: int
    move: str
    id: str
    at_s: float
    """When, on the monotonic clock."""


@dataclass
class Player:
    """One person with one board, playing both sides, or against a level, one game after the other."""

    port: int
    chance: random.Random
    terms: dict[str, Any]
    wait_s: float = WAIT_S
    acked: list[Acked] = field(default_factory=list)
    games: int = 0
    comebacks: int = 0
    resent: int = 0
    complaints: list[str] = field(default_factory=list)
    _cookie: str = ""
    _game: str = ""
    _pending: tuple[str, int, str] | None = None
    """Id, ply and text of a move that is not answered yet: kept until it is, whatever happens to the line."""

    async def play(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                if not self._game:
                    await self._new_game()
                await self._at_the_board(stop)
            except AWAY:
                self.comebacks += 1
                await asyncio.sleep(self.chance.uniform(0.1, 0.4))

    async def _new_game(self) -> None:
        headers = {"X-Damas": "1", "Cookie": self._cookie}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=5) as http:
            if not self._cookie:
                greeted = await http.get("/api/lobby")
                self._cookie = "; ".join(f"{k}={v}" for k, v in greeted.cookies.items())
                if not self._cookie:  # refused for the moment
                    raise TimeoutError
                headers["Cookie"] = self._cookie
            created = await http.post("/api/games", json=self.terms, headers=headers)
            if created.status_code == 503:
                raise TimeoutError
            assert created.status_code == 201, created.text
            self._game = created.json()["id"]
            self.games += 1

    async def _at_the_board(self, stop: asyncio.Event) -> None:
        url = f"ws://127.0.0.1:{self.port}/game/{self._game}/socket?last=0"
        headers = {"Cookie": self._cookie}
        async with connect(url, additional_headers=headers, ping_interval=None, close_timeout=1) as socket:
            seq, view = 0, None
            while not stop.is_set():
                message = json.loads(await asyncio.wait_for(socket.recv(), 5))
                kind = message["t"]
                if kind == "hello":
                    view, seq = message["view"], message["seq"]
                    self._hold_against(message)
                    self.resent += self._pending is not None
                elif kind == "event":
                    if message["seq"] <= seq or "view" not in message:
                        continue
                    view, seq = message["view"], message["seq"]
                elif kind == "ack":
                    self._is_acked(message)
                    if message["seq"] > seq:  # its event comes next
                        continue
                elif kind in ("nack", "busy"):
                    self._is_refused(message)
                    await asyncio.sleep(message.get("retry_ms", 0) / 1000)
                else:
                    continue
                if view["outcome"] and self._pending is None:
                    self._game = ""
                    return
                await self._next_move(socket, view, seq, again=kind in ("hello", "busy"))

    async def _next_move(self, socket: Any, view: dict[str, Any], seq: int, *, again: bool) -> None:
        if self._pending is None and view["legal"] and self._mine(view):
            await asyncio.sleep(self.chance.uniform(0, 2 * self.wait_s))
            self._pending = (secrets.token_hex(16), view["ply"], self.chance.choice(view["legal"])["text"])
        elif not again:
            return
        if self._pending:
            number, ply, text = self._pending
            await socket.send(
                json.dumps({"t": "move", "id": number, "ply": ply, "last_seq": seq, "move": text})
            )

    @property
    def waits(self) -> bool:
        """Whether a move of this player is not answered yet."""
        return self._pending is not None

    def _mine(self, view: dict[str, Any]) -> bool:
        return self.terms["opponent"]["kind"] == "device" or view["to_move"] == "white"

    def _is_acked(self, message: dict[str, Any]) -> None:
        if self._pending and message["id"] == self._pending[0]:
            number, ply, text = self._pending
            self.acked.append(Acked(self._game, message["seq"], ply, text, number, time.monotonic()))
            self._pending = None

    def _is_refused(self, message: dict[str, Any]) -> None:
        if self._pending and message["id"] == self._pending[0] and message["t"] == "nack":
            self.complaints.append(f"{self._game}: {self._pending} was refused: {message['code']}")
            self._pending = None

    def _hold_against(self, hello: dict[str, Any]) -> None:
        """After every comeback: what was acknowledged is still there."""
        mine = [acked for acked in self.acked if acked.game == self._game]
        moves = hello["view"]["moves"]
        for acked in mine:
            there = moves[acked.ply]["text"] if acked.ply < len(moves) else None
            if there != acked.move:
                self.complaints.append(f"{self._game}: {acked} was lost: {there}")


@dataclass
class Findings:
    """What a run has shown."""

    kills: int
    games: int
    acked: int
    resent: int
    comebacks: int
    seconds: float
    starts: list[float]
    wrong: list[str]

    def __str__(self) -> str:
        starts = sorted(self.starts)
        return (
            f"{self.kills} kills, {self.games} games, {self.acked} moves acknowledged, "
            f"{self.resent} sent again, {self.comebacks} comebacks, {self.seconds:.0f} s; "
            f"ready again after {starts[len(starts) // 2]:.2f} s (median), {starts[-1]:.2f} s at most; "
            f"{len(self.wrong)} wrong"
        )


KINDS: tuple[dict[str, Any], ...] = (
    {"rulebook": "brasileira", "opponent": {"kind": "device"}, "time": "10+5"},
    {"rulebook": "faraes", "opponent": {"kind": "device"}},
    {"rulebook": "internacional", "opponent": {"kind": "device"}, "time": "5+3"},
    {"rulebook": "portuguesa", "opponent": {"kind": "device"}},
    {"rulebook": "concurso", "opponent": {"kind": "level", "level": 1}, "colour": "white"},
)


async def kill_again_and_again(
    data: Path, *, kills: int, games: int, seed: int, pause_s: float = 0.6
) -> Findings:
    """Kills the server so often while so many games move, and tells what came of it."""
    chance = random.Random(seed)
    process = Process(data)
    await process.start()
    stop = asyncio.Event()
    wait = max(WAIT_S, games / 600)
    players = [
        Player(process.port, random.Random(f"{seed}/{n}"), KINDS[n % len(KINDS)], wait) for n in range(games)
    ]
    playing = [asyncio.create_task(player.play(stop)) for player in players]
    began = time.monotonic()
    wrong: list[str] = []
    for kill in range(kills + 1):
        if not await _goes_on(players, everybody=kill == kills):
            wrong.append(f"no game went on after kill {kill}")
        if kill < kills:
            await asyncio.sleep(pause_s * chance.uniform(0, 1))
            process.freeze()
            async with asyncio.timeout(60):
                while sum(player.waits for player in players) < len(players) // 2:
                    await asyncio.sleep(0.01)
            await process.end(signal.SIGKILL)
            await process.start()
    quiet = [n for n, player in enumerate(players) if not player.acked]
    stop.set()
    await asyncio.wait(playing, timeout=10)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    if await process.end(signal.SIGTERM) not in (0, -signal.SIGTERM):
        wrong.append("the server did not stop by itself")
    wrong += [f"player {n} never moved" for n in quiet]
    wrong += [complaint for player in players for complaint in player.complaints]
    wrong += held_against_the_disk(data / "damas.sqlite3", [a for player in players for a in player.acked])
    return Findings(
        kills,
        sum(player.games for player in players),
        sum(len(player.acked) for player in players),
        sum(player.resent for player in players),
        sum(player.comebacks for player in players),
        time.monotonic() - began,
        process.starts,
        wrong,
    )


async def _goes_on(players: list[Player], timeout_s: float = 60, *, everybody: bool = False) -> bool:
    """Whether half as many moves as there are games are acknowledged before the timeout.

    With `everybody` it also waits until every player has had a move acknowledged at some time.
    """
    wanted = sum(len(player.acked) for player in players) + len(players) // 2
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if sum(len(player.acked) for player in players) >= wanted and (
            not everybody or all(player.acked for player in players)
        ):
            return True
        await asyncio.sleep(0.01)
    return False


def held_against_the_disk(path: Path, acked: list[Acked]) -> list[str]:
    """Everything that is wrong with the database, given what was promised."""
    wrong = []
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        if (check := database.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            wrong.append(f"integrity check: {check}")
        games: dict[str, list[EventRow]] = {}
        for row in database.execute("SELECT * FROM event ORDER BY game, seq"):
            values = dict(row)
            values["client_id"] = values.pop("client_msg_id")
            games.setdefault(values.pop("game"), []).append(EventRow(**values))
    database.close()
    return wrong + held_against(games, acked)


def held_against(games: dict[str, list[EventRow]], acked: list[Acked]) -> list[str]:
    """Everything that is wrong with the events of these games, given what was promised."""
    wrong = []
    for game, rows in games.items():
        if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
            wrong.append(f"{game}: its events are not numbered one by one")
        if (seq := broken_link(rows)) is not None:
            wrong.append(f"{game}: the chain breaks at {seq}")
        if [row.epoch for row in rows] != sorted(row.epoch for row in rows):
            wrong.append(f"{game}: an earlier owner wrote after a later one")
        table_of(row.data for row in rows)  # plays every move again, or raises
    by_id = {row.client_id: row for rows in games.values() for row in rows if row.client_id}
    ids = [row.client_id for rows in games.values() for row in rows if row.client_id]
    if len(ids) != len(set(ids)):
        wrong.append("an id happened twice")
    for promise in acked:
        row = by_id.get(promise.id)
        if row is None:
            wrong.append(f"lost: {promise}")
        elif row.ply != promise.ply + 1 or json.loads(row.data)["move"] != promise.move:
            wrong.append(f"not as promised: {promise}, but {row.ply} {row.data}")
    return wrong
