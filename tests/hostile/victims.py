"""Honest players beside an attack: games over real websockets, and visitors who open pages and new games.

Each address is a school with some pupils: no limit of the server may ever refuse one of them.
"""

import asyncio
import time
from contextlib import suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx
from load import Game, in_batches, new_visitor, quantiles

GAMES_PER_ADDRESS = 20
"""Games of one school."""
FIRST_ADDRESS = 10
"""The schools are 127.0.0.10, 127.0.0.11 and so on; an attacker has an address of its own."""
PAGES = ("/", "/api/lobby", "/static/shell.js", "/rules")
"""What a visitor opens."""


class Victims:
    """Games that go on until `close`. `refused` counts whatever an honest client was denied."""

    def __init__(self, port: int, games: int, think_s: float) -> None:
        self._port = port
        self._think_s = think_s
        self._games: list[Game] = []
        self._playing: list[asyncio.Task[None]] = []
        self._wanted = games
        self._pages_refused: list[str] = []
        self.visit_ms: list[float] = []

    async def open(self) -> None:
        """Opens all games and begins to play."""
        await self.open_more(self._wanted)

    async def open_more(self, games: int) -> None:
        """Opens further games and begins to play."""
        first = len(self._games)
        new = [
            Game(self._port, self._think_s, seed, _address(seed // GAMES_PER_ADDRESS))
            for seed in range(first, first + games)
        ]
        schools = [new[start : start + GAMES_PER_ADDRESS] for start in range(0, games, GAMES_PER_ADDRESS)]
        await asyncio.gather(
            *(self._open_school(first + GAMES_PER_ADDRESS * n, some) for n, some in enumerate(schools))
        )
        self._games += new
        self._playing += [asyncio.create_task(game.play()) for game in new]

    async def _open_school(self, number: int, games: list[Game]) -> None:
        """Opens games of one address; `number` is that of the first."""
        async with _browser(self._port, _address(number // GAMES_PER_ADDRESS)) as http:
            white, black = await new_visitor(http), await new_visitor(http)
            await in_batches([_opening(game, http, white, black) for game in games], 10)

    async def visit(self) -> None:
        """Opens the pages once, as a new visitor; notes what was refused."""
        async with _browser(self._port, _address(0)) as http:
            for page in PAGES:
                began = time.perf_counter()
                try:
                    reply = await http.get(page)
                except httpx.HTTPError as error:
                    self._pages_refused.append(f"{page} {error!r}")
                    continue
                self.visit_ms.append((time.perf_counter() - began) * 1000)
                if reply.status_code != 200:
                    self._pages_refused.append(f"{page} {reply.status_code}")

    async def moves(self, each: int) -> None:
        """Waits until every game has gone on by so many moves, or is over."""
        goals = {game: len(game.times) + each for game in self._games}
        while not all(game.over or len(game.times) >= goal for game, goal in goals.items()):
            assert not self.lost, f"{self.lost} sockets of players were closed"
            for task in self._playing:
                if task.done():
                    task.result()  # whatever went wrong at a player is raised
            await asyncio.sleep(0.05)

    def progress(self) -> str:
        """What each game has come to."""
        return "; ".join(
            f"game {number}: {len(game.times)} moves, {len(game.answers()) - len(game.times)} unanswered, "
            f"{game.refused} refused, {game.busy} busy{', over' * game.over}"
            for number, game in enumerate(self._games)
        )

    def figures(self, since: float) -> dict[str, float]:
        """Milliseconds from a move to its answer, for moves sent since that time; moves without an answer count
        with the time they have waited.
        """
        return quantiles([ms for game in self._games for sent, ms in game.answers() if sent >= since])

    @property
    def lost(self) -> int:
        """Sockets that the server has closed while their game went on. (After it players say nothing more, and who is
        silent for half a minute is closed.)
        """
        playing = (game for game in self._games if not game.over)
        return sum(socket.close_code is not None for game in playing for socket in game.sockets)

    @property
    def refused(self) -> list[str]:
        """What honest clients were denied."""
        moves = [f"{game.refused + game.busy} moves" for game in self._games if game.refused or game.busy]
        return [*moves, *self._pages_refused, *([f"{self.lost} sockets"] if self.lost else [])]

    async def close(self) -> None:
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        with suppress(Exception):
            await in_batches([game.close for game in self._games], 100)


def _address(number: int) -> str:
    return f"127.0.0.{FIRST_ADDRESS + number}"


def _browser(port: int, address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}",
        timeout=240,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # every request names its own visitor
        transport=httpx.AsyncHTTPTransport(local_address=address),
    )


def _opening(game: Game, http: httpx.AsyncClient, white: str, black: str):
    return lambda: game.open(http, white, black)
