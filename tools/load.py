"""Measure how many games a server holds and how quickly it answers: run by `make bench`.

    python tools/load.py --games 1000 --think 2 --seconds 10

Starts a server on SQLite in a temporary folder and plays games on it, each with two websockets; then, for comparison,
sends as many messages a second to a plain echo server. Prints how long an acknowledged move took, from sending it to its
acknowledgement, and the speed of the disk; absolute figures mean something on an idle machine only. The server is then
killed and started again, to measure how soon all its games continue. At last players who think a tenth of the time ask more
of a server with a short queue of writes than it can do: some are told `busy`, and come again with the same move.
"""

import argparse
import asyncio
import gc
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from socket import create_server
from typing import IO, Any

import httpx
import msgspec
import uvicorn
import uvloop
from websockets.asyncio.client import ClientConnection, connect

UNLIMITED = 10_000_000
PATIENCE_S = 5.0
"""A move without an answer for so long is lost."""
SHARES = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}
TARGETS = {"p50": 5.0, "p99": 50.0, "p99.9": 250.0, "memory": 256.0, "restart": 3.0}
"""Milliseconds of an acknowledged move, megabytes of memory, seconds of a restart."""


# The servers, each in a process of its own


def serve(data: str, queue: int, **other_settings: str) -> None:
    """Run the web app without limits a visitor, and print its port; `queue` writes may wait, if it is not 0."""
    from damas.server.serve import listening_socket, run
    from damas.server.settings import Limits, Settings

    # All players have one address, and all games are of the same two visitors.
    limits = Limits(
        connections_per_address=UNLIMITED,
        sockets_per_address=UNLIMITED,
        socket_frames_of_address=UNLIMITED,
        socket_bytes_of_address=UNLIMITED,
        requests_per_second=UNLIMITED,
        requests_per_minute=UNLIMITED,
        games_open=UNLIMITED,
        games_per_day=UNLIMITED,
        games_per_hour_of_address=UNLIMITED,
        first_move_fast_s=UNLIMITED,
        first_move_s=UNLIMITED,
        socket_messages=UNLIMITED,
        socket_frames=UNLIMITED,
        queue=queue or Limits().queue,
    )
    settings = Settings(data=Path(data), port=0, limits=limits, log_level="error", **other_settings)
    listener = listening_socket(settings)
    run(settings, listener, lambda: print(listener.getsockname()[1], flush=True))


async def echo_app(
    scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    """Answer every websocket message with itself."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


def echo() -> None:
    """Run the echo server, and print its port."""
    listener = create_server(("127.0.0.1", 0), backlog=4096)
    print(listener.getsockname()[1], flush=True)
    options = {"ws": "websockets-sansio", "ws_per_message_deflate": False, "loop": "uvloop"}
    config = uvicorn.Config(echo_app, lifespan="off", log_level="error", **options)
    uvicorn.Server(config).run(sockets=[listener])


class Process:
    """A server in a process of its own, which prints its port or its address first."""

    def __init__(self, *command: str, log: IO[str] | None = None) -> None:
        """Start it; what it logs goes to `log`."""
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        self.pid = self._process.pid
        assert self._process.stdout
        self.port = int(self._process.stdout.readline().rpartition(":")[2])

    @classmethod
    def ours(cls, *arguments: str) -> "Process":
        """Start one of the servers of this file."""
        return cls(sys.executable, __file__, *arguments)

    def memory_mb(self) -> float:
        """Return the peak memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024

    def cpu_s(self) -> float:
        """Return the processor time."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, *, kill: bool = False) -> None:
        """Terminate the process, or kill it."""
        self._process.kill() if kill else self._process.terminate()
        self._process.wait(10)
        assert self._process.stdout
        self._process.stdout.close()


# The players


class View(msgspec.Struct):
    """The fields of a game's view that a player needs."""

    ply: int
    to_move: str
    legal: list[dict[str, Any]]
    outcome: Any = None


class Message(msgspec.Struct):
    """The fields of a server's message that a player needs."""

    t: str
    seq: int = 0
    id: str | None = None
    n: int | str = 0
    retry_ms: int = 0
    view: View | None = None


_decode = msgspec.json.Decoder(Message).decode


class Game:
    """Two players at two sockets, who think for a while and move."""

    def __init__(self, port: int, think_s: float, seed: int, address: str | None = None) -> None:
        """`address` is the one that both players connect from."""
        self._port = port
        self._local = (address, 0) if address else None
        self._think_s = think_s
        self._chance = random.Random(seed)
        self.times: list[tuple[float, float]] = []
        """When each move was sent, and how many milliseconds its answer took."""
        self._unanswered: dict[str, tuple[float, str]] = {}
        """When each move without an answer was sent, and its text, by its id."""
        self.refused = self.busy = 0
        self.over = False
        self.sockets: list[ClientConnection] = []
        self._id = ""

    async def open(self, http: httpx.AsyncClient, white: str, black: str) -> None:
        """Create the game and connect both players."""
        terms = {"rulebook": "brasileira", "opponent": {"kind": "friend"}, "color": "white", "time": "60+5"}
        made = await http.post("/api/games", json=terms, headers={"X-Damas": "1", "Cookie": white})
        self._id = made.json()["id"]
        await http.post(f"/api/games/{self._id}/join", json={}, headers={"X-Damas": "1", "Cookie": black})
        url = f"ws://127.0.0.1:{self._port}/game/{self._id}/socket"
        for cookie in (white, black):
            headers = {"Cookie": cookie}
            options = {"ping_interval": None, "compression": None, "open_timeout": 60}
            if self._local:
                options["local_addr"] = self._local
            self.sockets.append(await connect(url, additional_headers=headers, **options))

    async def play(self) -> None:
        """Play until the task is cancelled."""
        white, black = self.sockets
        await asyncio.gather(self._play_side(white, "white"), self._play_side(black, "black"))

    async def _play_side(self, socket: ClientConnection, side: str) -> None:
        seq = 0
        async for text in socket:
            message = _decode(text)
            if message.t == "ping":
                await socket.send(msgspec.json.encode({"t": "pong", "n": message.n}).decode())
            elif message.t == "busy" and message.id in self._unanswered:
                self.busy += 1
                await asyncio.sleep(message.retry_ms / 1000)
                await socket.send(self._unanswered[message.id][1])
            elif message.t in ("ack", "nack") and message.id in self._unanswered:
                sent, _ = self._unanswered.pop(message.id)
                self.times.append((sent, (time.perf_counter() - sent) * 1000))
                self.refused += message.t == "nack"
            view = message.view
            self.over = self.over or bool(view and view.outcome)
            if view is None or view.outcome or view.to_move != side or message.seq <= seq:
                continue
            seq = message.seq
            await asyncio.sleep(self._chance.uniform(0, 2 * self._think_s))
            move = self._chance.choice(view.legal)["text"]
            move_id = secrets.token_hex(16)
            command = {"t": "move", "id": move_id, "ply": view.ply, "last_seq": seq, "move": move}
            text = msgspec.json.encode(command).decode()
            self._unanswered[move_id] = time.perf_counter(), text
            await socket.send(text)

    def answers(self) -> list[tuple[float, float]]:
        """Return `times` with the moves that still wait for an answer, as if it came now."""
        now = time.perf_counter()
        return [*self.times, *((sent, (now - sent) * 1000) for sent, _ in self._unanswered.values())]

    async def close(self) -> None:
        """Close both sockets."""
        for socket in self.sockets:
            await socket.close()


async def new_visitor(http: httpx.AsyncClient) -> str:
    """Return the cookie of a new visitor."""
    reply = await http.get("/api/lobby")
    return "; ".join(f"{name}={value}" for name, value in reply.cookies.items())


async def in_batches(tasks: list[Callable[[], Awaitable[None]]], size: int = 20) -> None:
    """Run tasks, at most `size` at a time."""
    for start in range(0, len(tasks), size):
        await asyncio.gather(*(task() for task in tasks[start : start + size]))


async def play_games(process: Process, games: int, think_s: float, seconds: float) -> dict[str, float]:
    """Play games for some seconds and return the figures of their moves."""
    playing = [Game(process.port, think_s, seed) for seed in range(games)]
    began = time.perf_counter()
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # every request names its own visitor
    base = f"http://127.0.0.1:{process.port}"
    async with httpx.AsyncClient(base_url=base, timeout=60, cookies=no_cookies) as http:
        white, black = await new_visitor(http), await new_visitor(http)
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
    times = [ms for game in playing for sent, ms in game.times if start <= sent < end]
    return {
        "cpu_ms": 1000 * computed / max(1, len(times)),
        **quantiles(times),
        "rate": len(times) / (end - start),
        "memory": memory,
        "opened": opened,
        "refused": sum(game.refused for game in playing),
        "busy": sum(game.busy for game in playing),
        "unanswered": sum(ms > 1000 * PATIENCE_S for game in playing for _, ms in game.answers()),
    }


async def live_games(process: Process) -> int:
    """Return the number of live games from the server's metrics."""
    async with httpx.AsyncClient(timeout=60) as http:
        text = (await http.get(f"http://127.0.0.1:{process.port}/metrics")).text
    return next(
        int(float(line.split()[1])) for line in text.splitlines() if line.startswith("damas_live_games ")
    )


async def restart(process: Process, folder: str) -> tuple[Process, dict[str, float]]:
    """Kill the server and start another; return it with the seconds until it answers and until all games are live."""
    before = await live_games(process)
    began = time.perf_counter()
    process.stop(kill=True)
    again = Process.ours("--serve", folder, "--queue", "0")
    opened = time.perf_counter() - began
    while await live_games(again) < before and time.perf_counter() - began < 60:
        await asyncio.sleep(0.05)
    return again, {"games": before, "open": opened, "all": time.perf_counter() - began}


async def echo_messages(process: Process, sockets: int, rate: float, seconds: float) -> dict[str, float]:
    """Send as many messages a second as moves were made, of the size of a move."""
    times: list[float] = []
    message = msgspec.json.encode(
        {"t": "move", "id": secrets.token_hex(16), "ply": 10, "last_seq": 11, "move": "c3-d4"}
    ).decode()

    async def talk(seed: int) -> None:
        chance = random.Random(seed)
        url = f"ws://127.0.0.1:{process.port}/"
        async with connect(url, ping_interval=None, compression=None) as socket:
            while time.perf_counter() < end:
                await asyncio.sleep(chance.uniform(0, 2 * sockets / rate))
                sent = time.perf_counter()
                await socket.send(message)
                await socket.recv()
                times.append((time.perf_counter() - sent) * 1000)

    end = time.perf_counter() + seconds + 2
    await asyncio.gather(*(talk(seed) for seed in range(sockets)))
    return {**quantiles(times), "rate": len(times) / (seconds + 2)}


# What is printed


def quantiles(values: list[float]) -> dict[str, float]:
    """Return the quantiles of `SHARES`."""
    ordered = sorted(values) or [float("nan")]
    return {name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in SHARES.items()}


def disk_ms(folder: Path, count: int = 200) -> str:
    """Return the median and the 99th percentile of writing 4 KiB to the disk, in milliseconds."""
    times = []
    with (folder / "probe").open("wb", buffering=0) as file:
        for _ in range(count):
            file.write(os.urandom(4096))
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    figures = quantiles(times)
    return f"{figures['p50']:.2f}/{figures['p99']:.2f} ms"


def row(name: str, figures: dict[str, float]) -> str:
    """Return one line of the table."""
    shown = " / ".join(f"{figures[key]:.1f}" for key in SHARES)
    memory = f"{figures['memory']:.0f} MB" if "memory" in figures else "–"
    return f"{name:<34} {figures['rate']:>8.0f}/s  {shown:>20} ms  {memory:>8}"


async def measure(options: argparse.Namespace) -> int:
    """Run all measurements and print them."""
    with tempfile.TemporaryDirectory(prefix="damas-load-", dir=options.folder) as folder:
        before = disk_ms(Path(folder))
        server = Process.ours("--serve", folder, "--queue", "0")
        try:
            games = await play_games(server, options.games, options.think, options.seconds)
            server, restarted = await restart(server, folder)
        finally:
            server.stop()
        after = disk_ms(Path(folder))
    with tempfile.TemporaryDirectory(prefix="damas-load-", dir=options.folder) as folder:
        server = Process.ours("--serve", folder, "--queue", str(options.queue))
        try:
            above = await play_games(server, options.games, options.think / 10, options.seconds / 2)
        finally:
            server.stop()
    plain = Process.ours("--echo")
    try:
        echoed = await echo_messages(plain, min(200, options.games), games["rate"], options.seconds / 2)
    finally:
        plain.stop()
    print(f"{'':<34} {'rate':>10}  {'p50 / p99 / p99.9':>20}     {'memory':>8}")
    print(row(f"{options.games} games, {2 * options.games} sockets", games))
    print(row("echo, nothing stored", echoed))
    print(row("above capacity", above))
    print(f"the server computes {games['cpu_ms']:.2f} ms a move, {above['cpu_ms']:.2f} above capacity")
    print(
        f"above capacity, with a queue of {options.queue} writes: {above['busy']:.0f} answers were busy, "
        f"{above['refused']:.0f} moves refused, {above['unanswered']:.0f} without an answer for {PATIENCE_S:g} s"
    )
    print(f"opened in {games['opened']:.1f} s; {games['refused']:.0f} refused; {os.cpu_count()} cores")
    print(f"fdatasync of 4 KiB, p50/p99: {before} before, {after} after; load {os.getloadavg()[0]:.1f}")
    print(
        f"killed and started again: answers after {restarted['open']:.1f} s, all {restarted['games']:.0f} games go on "
        f"after {restarted['all']:.1f} s"
    )
    figures = {**games, "restart": restarted["all"]}
    missed = [
        f"{name} {figures[name]:.1f} > {most:g}" for name, most in TARGETS.items() if figures[name] > most
    ]
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
    parser.add_argument("--queue", type=int, default=64, help="writes that may wait in the last measurement")
    parser.add_argument("--strict", action="store_true", help="end with 1 if a target is missed")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--echo", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.queue)
        return 0
    if options.echo:
        echo()
        return 0
    return uvloop.run(measure(options))


if __name__ == "__main__":
    sys.exit(main())
