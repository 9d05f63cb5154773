"""How many games a server holds, and how quickly it answers: run by `make bench`.

    python tools/load.py --games 1000 --think 2 --seconds 10

Starts a server on SQLite in a folder of its own and plays so many games on it, two real sockets each; then a plain echo
server, with as many messages a second, for comparison. Prints how long an acknowledged move took, from sending it to
its answer, with the disk and the machine beside it: absolute figures mean something on an idle machine only. At the end
the server is killed and started again, to see how soon all its games can go on.
"""

import argparse
import asyncio
import gc
import os
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvicorn
import uvloop
from websockets.asyncio.client import ClientConnection, connect

MANY = 10_000_000
TARGETS = {"p50": 5.0, "p99": 50.0, "p99.9": 250.0}
MOST_MB = 256
MOST_RESTART_S = 3.0


# The servers, each in a process of its own


def serve(data: str, port: int) -> None:
    from damas.server.serve import listening_socket, run
    from damas.server.settings import Limits, Settings

    limits = Limits(
        sockets_per_address=MANY, requests_per_minute=MANY, first_move_fast_s=MANY, first_move_s=MANY
    )
    settings = Settings(data=Path(data), port=port, limits=limits, log_level="error")
    listener = listening_socket(settings)
    run(settings, listener, lambda: print(listener.getsockname()[1], flush=True))


async def echo_app(
    scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    """The least that a websocket server can do."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


def echo(port: int) -> None:
    config = uvicorn.Config(
        echo_app,
        port=port,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        loop="uvloop",
        lifespan="off",
        log_level="error",
        backlog=4096,
    )
    server = uvicorn.Server(config)

    async def run() -> None:
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        print(server.servers[0].sockets[0].getsockname()[1], flush=True)
        await serving

    uvloop.run(run())


class Process:
    """One of them, on a core of its own where there are two."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        self.port = int(self._process.stdout.readline())
        if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
            os.sched_setaffinity(self._process.pid, {0})

    def memory_mb(self) -> float:
        """The most it has held."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text()
        except OSError:
            return float("nan")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024

    def cpu_s(self) -> float:
        """The time it has computed."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return float("nan")
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, *, kill: bool = False) -> None:
        self._process.kill() if kill else self._process.terminate()
        self._process.wait(10)
        assert self._process.stdout
        self._process.stdout.close()


# The players


class Seen(msgspec.Struct):
    """As much of a view as a player needs."""

    ply: int
    to_move: str
    legal: list[dict[str, Any]]
    outcome: Any = None


class Heard(msgspec.Struct):
    t: str
    seq: int = 0
    id: str | None = None
    n: int | str = 0
    view: Seen | None = None


_decode = msgspec.json.Decoder(Heard).decode


class Game:
    """Two people at two sockets, who think for a while and move."""

    def __init__(self, port: int, think_s: float, seed: int) -> None:
        self._port = port
        self._think_s = think_s
        self._chance = random.Random(seed)
        self.took: list[tuple[float, float]] = []
        """When a move was sent, and how long its answer took, in milliseconds."""
        self.refused = 0
        self._sockets: list[ClientConnection] = []
        self._id = ""

    async def open(self, http: httpx.AsyncClient, white: str, black: str) -> None:
        """Makes the game, and has both sit down at it."""
        terms = {"rulebook": "brasileira", "opponent": {"kind": "friend"}, "color": "white", "time": "60+5"}
        made = await http.post("/api/games", json=terms, headers={"X-Damas": "1", "Cookie": white})
        self._id = made.json()["id"]
        await http.post(f"/api/games/{self._id}/join", json={}, headers={"X-Damas": "1", "Cookie": black})
        for cookie in (white, black):
            url = f"ws://127.0.0.1:{self._port}/game/{self._id}/socket"
            self._sockets.append(
                await connect(
                    url, additional_headers={"Cookie": cookie}, ping_interval=None, compression=None
                )
            )

    async def play(self) -> None:
        await asyncio.gather(
            *(self._sit(socket, side) for socket, side in zip(self._sockets, ("white", "black"), strict=True))
        )

    async def _sit(self, socket: ClientConnection, side: str) -> None:
        waiting, sent, seq = "", 0.0, 0
        async for text in socket:
            heard = _decode(text)
            if heard.t == "ping":
                await socket.send(msgspec.json.encode({"t": "pong", "n": heard.n}).decode())
            elif heard.t in ("ack", "nack", "busy") and heard.id == waiting:
                self.took.append((sent, (time.perf_counter() - sent) * 1000))
                self.refused += heard.t != "ack"
            if heard.view is None or heard.view.outcome or heard.view.to_move != side or heard.seq <= seq:
                continue
            seq = heard.seq
            await asyncio.sleep(self._chance.uniform(0, 2 * self._think_s))
            move = self._chance.choice(heard.view.legal)["text"]
            waiting = secrets.token_hex(16)
            message = {"t": "move", "id": waiting, "ply": heard.view.ply, "last_seq": seq, "move": move}
            sent = time.perf_counter()
            await socket.send(msgspec.json.encode(message).decode())

    async def close(self) -> None:
        for socket in self._sockets:
            await socket.close()


async def somebody(http: httpx.AsyncClient) -> str:
    """The cookie of a new visitor."""
    greeted = await http.get("/api/lobby")
    return "; ".join(f"{name}={value}" for name, value in greeted.cookies.items())


async def in_batches(works: list[Callable[[], Awaitable[None]]], size: int = 20) -> None:
    for start in range(0, len(works), size):
        await asyncio.gather(*(work() for work in works[start : start + size]))


async def play_games(process: Process, games: int, think_s: float, seconds: float) -> dict[str, float]:
    playing = [Game(process.port, think_s, seed) for seed in range(games)]
    began = time.perf_counter()
    forgetful = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # everybody is somebody else
    base = f"http://127.0.0.1:{process.port}"
    async with httpx.AsyncClient(base_url=base, timeout=60, cookies=forgetful) as http:
        white, black = await somebody(http), await somebody(http)
        await in_batches([partial(game.open, http, white, black) for game in playing])
    opened = time.perf_counter() - began
    tasks = [asyncio.create_task(game.play()) for game in playing]
    # At first nobody has moved, and the moves of all come faster and faster, to e times the first rate when the slowest
    # have made their first: twice as long, until they are out of step.
    await asyncio.sleep(4 * think_s)
    gc.disable()  # the players' own pauses are not the server's
    start, computed = time.perf_counter(), process.cpu_s()
    await asyncio.sleep(seconds)
    end, computed = time.perf_counter(), process.cpu_s() - computed
    gc.enable()
    memory = process.memory_mb()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await in_batches([game.close for game in playing], 100)
    took = [ms for game in playing for sent, ms in game.took if start <= sent < end]
    refused = sum(game.refused for game in playing)
    return {
        "cpu_ms": 1000 * computed / max(1, len(took)),
        **quantiles(took),
        "rate": len(took) / (end - start),
        "memory": memory,
        "opened": opened,
        "refused": refused,
    }


async def live_games(process: Process) -> int:
    """As the server counts them."""
    async with httpx.AsyncClient(timeout=60) as http:
        text = (await http.get(f"http://127.0.0.1:{process.port}/metrics")).text
    return next(
        int(float(line.split()[1])) for line in text.splitlines() if line.startswith("damas_live_games ")
    )


async def restart(process: Process, folder: str) -> tuple[Process, dict[str, float]]:
    """Kills it in the middle of everything. A game that somebody asks for goes on at once; the clocks of all run again
    when all are taken up, which is what is waited for.
    """
    before = await live_games(process)
    began = time.perf_counter()
    process.stop(kill=True)
    again = Process("--serve", folder)
    opened = time.perf_counter() - began
    while await live_games(again) < before and time.perf_counter() - began < 60:
        await asyncio.sleep(0.05)
    return again, {"games": before, "open": opened, "all": time.perf_counter() - began}


async def echo_messages(process: Process, sockets: int, rate: float, seconds: float) -> dict[str, float]:
    """As many messages a second as moves were made, of the size of a move."""
    took: list[float] = []
    message = msgspec.json.encode(
        {"t": "move", "id": secrets.token_hex(16), "ply": 10, "last_seq": 11, "move": "c3-d4"}
    ).decode()

    async def talk(seed: int) -> None:
        chance = random.Random(seed)
        url = f"ws://127.0.0.1:{process.port}/"
        async with connect(url, ping_interval=None, compression=None) as socket:
            ready.append(1)
            while time.perf_counter() < end:
                await asyncio.sleep(chance.uniform(0, 2 * sockets / rate))
                sent = time.perf_counter()
                await socket.send(message)
                await socket.recv()
                took.append((time.perf_counter() - sent) * 1000)

    ready: list[int] = []
    end = time.perf_counter() + seconds + 2
    await asyncio.gather(*(talk(seed) for seed in range(sockets)))
    return {**quantiles(took), "rate": len(took) / (seconds + 2)}


# What is printed


def quantiles(took: list[float]) -> dict[str, float]:
    ordered = sorted(took) or [float("nan")]
    return {name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in SHARES.items()}


SHARES = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}


def disk_ms(folder: Path, times: int = 200) -> tuple[float, float]:
    """Fdatasync of 4 KiB, half of them within the first figure, all but a hundredth within the second."""
    took = []
    with (folder / "probe").open("wb", buffering=0) as file:
        for _ in range(times):
            file.write(os.urandom(4096))
            began = time.perf_counter()
            os.fdatasync(file.fileno()) if hasattr(os, "fdatasync") else os.fsync(file.fileno())
            took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took), sorted(took)[int(0.99 * times)]


def pressure() -> str:
    """How much of the last ten seconds something waited for a core."""
    try:
        first = Path("/proc/pressure/cpu").read_text().split()[1]
    except OSError:
        return "unknown"
    return f"{first.removeprefix('avg10=')} %"


def row(name: str, found: dict[str, float]) -> str:
    shown = " / ".join(f"{found[key]:.1f}" for key in SHARES)
    memory = f"{found['memory']:.0f} MB" if "memory" in found else "–"
    return f"{name:<34} {found['rate']:>8.0f}/s  {shown:>20} ms  {memory:>8}"


async def measure(options: argparse.Namespace) -> int:
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, set(range(1, os.cpu_count() or 2)))
    with tempfile.TemporaryDirectory(prefix="damas-load-", dir=options.folder) as folder:
        before = disk_ms(Path(folder))
        server = Process("--serve", folder)
        try:
            games = await play_games(server, options.games, options.think, options.seconds)
            waited = pressure()
            server, restarted = await restart(server, folder)
        finally:
            server.stop()
        after = disk_ms(Path(folder))
    plain = Process("--echo")
    try:
        echoed = await echo_messages(plain, min(200, options.games), games["rate"], options.seconds / 2)
    finally:
        plain.stop()
    print(f"{'':<34} {'rate':>10}  {'p50 / p99 / p99.9':>20}     {'memory':>8}")
    print(row(f"{options.games} games, {2 * options.games} sockets", games))
    print(row("echo, nothing stored", echoed))
    print(f"the server computes {games['cpu_ms']:.2f} ms a move")
    print(f"opened in {games['opened']:.1f} s; {games['refused']:.0f} refused; {os.cpu_count()} cores")
    print(
        f"fdatasync of 4 KiB, p50/p99: {before[0]:.2f}/{before[1]:.2f} ms before, {after[0]:.2f}/{after[1]:.2f} after"
    )
    print(f"CPU pressure at the end of the run: {waited}")
    print(
        f"killed and started again: answers after {restarted['open']:.1f} s, all {restarted['games']:.0f} games go on "
        f"after {restarted['all']:.1f} s"
    )
    missed = [
        f"{name} {games[name]:.1f} > {most:.0f} ms" for name, most in TARGETS.items() if games[name] > most
    ]
    missed += [f"memory {games['memory']:.0f} > {MOST_MB} MB"] if games["memory"] > MOST_MB else []
    missed += (
        [f"restart {restarted['all']:.1f} > {MOST_RESTART_S:.0f} s"]
        if restarted["all"] > MOST_RESTART_S
        else []
    )
    print("targets met" if not missed else f"targets missed: {', '.join(missed)}")
    return 1 if missed and options.strict else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--think", type=float, default=2.0, help="seconds a player thinks, on average")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long to measure")
    parser.add_argument("--folder", help="where to put the database: the disk that is measured")
    parser.add_argument("--strict", action="store_true", help="end with 1 if a target is missed")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--echo", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, 0)
        return 0
    if options.echo:
        echo(0)
        return 0
    return uvloop.run(measure(options))


if __name__ == "__main__":
    sys.exit(main())
