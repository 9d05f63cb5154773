"""Measure what games against the computer cost the server, by who computes the computer's moves.

    python tools/level_load.py --games 20 --level 4
    python tools/level_load.py --games 1000 --think 20 --seconds 30

Plays the same number of games twice on a new server: at first no page offers to compute, so the server searches for each
reply; then every page does. The pages' part is done here, in processes of its own, by the same engine: the server
cannot tell. People choose among the legal moves at random. Without `--seconds` each game is played to its end.
"""

import argparse
import asyncio
import os
import random
import secrets
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop
from load import Process, in_batches, new_visitor
from websockets.asyncio.client import ClientConnection, connect

LOAD = str(Path(__file__).with_name("load.py"))


def computed(task: dict[str, Any]) -> str:
    """The move of a level, as a page computes it."""
    from damas.engine.levels import LevelPlayer
    from damas.game import Game

    game = Game.start(task["rulebook"], fen=task["game"]["fen"])
    for move in task["game"]["moves"]:
        game = game.play(move)
    player = LevelPlayer(task["rulebook"], task["level"], task["seed"], hash_mb=2)
    best = player.choose(game)
    player.close()
    assert best is not None
    return best.text


class Player:
    """A person against a level."""

    def __init__(self, port: int, think_s: float, seed: int, pool: ProcessPoolExecutor | None) -> None:
        """`pool` computes the level's moves, if the page does."""
        self._port = port
        self._think_s = think_s
        self._chance = random.Random(seed)
        self._pool = pool
        self._sent = 0.0
        self.replies: list[float] = []
        """Seconds from each move to the computer's reply."""
        self._socket: ClientConnection | None = None

    async def open(self, http: httpx.AsyncClient, cookie: str, level: int) -> None:
        """Creates the game and connects."""
        opponent = {"kind": "level", "level": level}
        terms = {"rulebook": "brasileira", "opponent": opponent, "color": "white"}
        made = await http.post("/api/games", json=terms, headers={"X-Damas": "1", "Cookie": cookie})
        url = f"ws://127.0.0.1:{self._port}/game/{made.json()['id']}/socket"
        options: dict[str, Any] = {"ping_interval": None, "compression": None, "open_timeout": 60}
        self._socket = await connect(url, additional_headers={"Cookie": cookie}, **options)
        if self._pool:
            await self._send(t="compute", ready=True)

    async def _send(self, **message: Any) -> None:
        assert self._socket
        await self._socket.send(msgspec.json.encode(message).decode())

    async def _move(self, seq: int, ply: int, move: str, **side: str) -> None:
        await self._send(t="move", id=secrets.token_hex(16), ply=ply, last_seq=seq, move=move, **side)

    async def play(self) -> None:
        """Plays to the end of the game."""
        seq, loop = 0, asyncio.get_running_loop()
        assert self._socket
        async for text in self._socket:
            message = msgspec.json.decode(text)
            seq, view = max(seq, message.get("seq") or 0), message.get("view")
            if message["t"] == "ping":
                await self._send(t="pong", n=message["n"])
            elif message["t"] == "think":
                move = await loop.run_in_executor(self._pool, computed, message)
                await asyncio.sleep(message["reply_ms"] / 1000)
                await self._move(seq, message["ply"], move, side=message["side"])
            if not view:
                continue
            if self._sent and (view["to_move"] == "white" or view["outcome"]):
                self.replies.append(time.perf_counter() - self._sent)
                self._sent = 0.0
            if view["outcome"]:
                return
            if view["to_move"] == "white" and not self._sent:
                await asyncio.sleep(self._chance.uniform(0, 2 * self._think_s))
                self._sent = time.perf_counter()
                await self._move(seq, view["ply"], self._chance.choice(view["legal"])["text"])

    async def close(self) -> None:
        """Closes the socket."""
        if self._socket:
            await self._socket.close()


async def level_moves(http: httpx.AsyncClient) -> dict[str, float]:
    """The server's count of levels' moves, by who computed them."""
    lines = (await http.get("/metrics")).text.splitlines()
    counts = [line.split() for line in lines if line.startswith("damas_level_moves_total{")]
    return {name.split('"')[1]: float(count) for name, count in counts}


async def measure(options: argparse.Namespace, pool: ProcessPoolExecutor | None) -> str:
    """One line of the table."""
    with tempfile.TemporaryDirectory(prefix="damas-levels-") as folder:
        server = Process(sys.executable, LOAD, "--serve", folder, "--queue", "0")
        try:
            players = [Player(server.port, options.think, seed, pool) for seed in range(options.games)]
            no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
            base = f"http://127.0.0.1:{server.port}"
            async with httpx.AsyncClient(base_url=base, timeout=60, cookies=no_cookies) as http:
                cookies = [await new_visitor(http) for _ in players]
                await in_batches(
                    [
                        partial(player.open, http, cookie, options.level)
                        for player, cookie in zip(players, cookies, strict=True)
                    ]
                )
                tasks = [asyncio.create_task(player.play()) for player in players]
                began, cpu = time.perf_counter(), server.cpu_s()
                await asyncio.wait(tasks, timeout=options.seconds)
                seconds, cpu = time.perf_counter() - began, server.cpu_s() - cpu
                counts = await level_moves(http)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await in_batches([player.close for player in players], 100)
        finally:
            server.stop()
    replies = sorted(reply for player in players for reply in player.replies)
    by_server, by_page = counts.get("server", 0), counts.get("page", 0)
    return (
        f"{'pages' if pool else 'server':<8} {by_server:>9.0f} {by_page:>9.0f} {seconds:>8.1f} {cpu:>9.2f} "
        f"{1000 * cpu / max(1, by_server + by_page):>9.1f} {100 * cpu / seconds:>7.1f} % "
        f"{1000 * replies[len(replies) // 2]:>9.0f} {1000 * replies[int(0.99 * len(replies))]:>7.0f}"
    )


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--level", type=int, default=4)
    parser.add_argument("--think", type=float, default=0.2, help="seconds a person thinks, on average")
    parser.add_argument("--seconds", type=float, help="how long to play; to the end of all games if left out")
    options = parser.parse_args()
    print(
        f"{options.games} games against level {options.level}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    print(
        f"{'by':<8} {'searches':>9} {'by pages':>9} {'seconds':>8} {'CPU s':>9} {'ms/move':>9} {'of a core':>9} "
        f"{'reply p50':>9} {'p99 ms':>7}"
    )
    print(await measure(options, None), flush=True)
    with ProcessPoolExecutor(2) as pool:
        print(await measure(options, pool))


if __name__ == "__main__":
    uvloop.run(main())
