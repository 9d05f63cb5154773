"""A real server in this process, on a real port, and people who play on it by HTTP and websocket."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from damas.server.app import create_app
from damas.server.serve import _config, listening_socket
from damas.server.services import Services
from damas.server.settings import Settings

Message = dict[str, Any]


class Server:
    """A running server."""

    def __init__(self, services: Services, port: int) -> None:
        self.services = services
        self.port = port
        self._people: list[Person] = []

    @property
    def rooms(self) -> Any:
        return self.services.rooms

    async def person(self) -> "Person":
        """Somebody new, who has opened a page and so has a cookie."""
        person = Person(self.port)
        self._people.append(person)
        await person.http.get("/api/lobby")
        return person

    def pass_by(self, seconds: float) -> None:
        """The server's clocks jump ahead, and nobody has to wait."""
        clock = self.rooms.time
        mono, wall, jump = clock.mono_ms, clock.wall_ms, int(seconds * 1000)
        clock.mono_ms = lambda: mono() + jump
        clock.wall_ms = lambda: wall() + jump

    def stand(self) -> None:
        """The server's clocks stand still, but for `pass_by`."""
        clock = self.rooms.time
        mono, wall = clock.mono_ms(), clock.wall_ms()
        clock.mono_ms = lambda: mono
        clock.wall_ms = lambda: wall

    @asynccontextmanager
    async def slow_disk(self) -> AsyncIterator[None]:
        """Nothing is written until the end. The event loop goes on, on which PostgreSQL's driver runs too."""
        writer, entered, go = self.services.store.writer, asyncio.Event(), asyncio.Event()
        line: Any = writer._line
        run = line.run

        async def wait(work: object) -> object:
            entered.set()
            await go.wait()
            return await run(work)

        line.run = wait
        held = asyncio.create_task(writer.do(lambda _: None))
        await entered.wait()
        try:
            yield
        finally:
            line.run = run
            go.set()
            await held

    async def written(self, jobs: int) -> None:
        """Waits until so many jobs wait for the disk."""
        async with asyncio.timeout(60):
            while self.services.store.writer.waiting < jobs:
                await asyncio.sleep(0)

    async def at_rest(self, game: str) -> None:
        """Waits until everybody has left a game, and the server knows it."""
        room = await self.rooms.room(game)
        async with asyncio.timeout(60):
            while not room.idle:
                await asyncio.sleep(0.01)

    async def everybody_leaves(self) -> None:
        for person in self._people:
            await person.leave()


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Server]:
    app = create_app(settings)
    listener = listening_socket(settings)
    server = uvicorn.Server(_config(app, settings))
    server.capture_signals = _no_signals  # type: ignore[method-assign]
    running = asyncio.create_task(server.serve(sockets=[listener]))
    services: Services = app.state.services
    while not server.started:
        await asyncio.sleep(0.01)
        if running.done():
            running.result()
    services.rooms.services.computer_players.min_reply_ms = 0
    running_server = Server(services, listener.getsockname()[1])
    try:
        yield running_server
    finally:
        await running_server.everybody_leaves()
        await services.stop_playing()
        server.should_exit = True
        await running


@contextmanager
def _no_signals() -> Any:
    yield


class Person:
    """A browser: cookies, requests, sockets."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.http = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", headers={"X-Damas": "1"}, timeout=60
        )
        self._boards: list[Board] = []

    async def create(self, rulebook: str = "brasileira", kind: str = "friend", **terms: Any) -> str:
        opponent = {"kind": kind} | ({"level": terms.pop("level")} if "level" in terms else {})
        answer = await self.http.post(
            "/api/games", json={"rulebook": rulebook, "opponent": opponent, **terms}
        )
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def join(self, game: str) -> Message:
        answer = await self.http.post(f"/api/games/{game}/join", json={})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def look(self, game: str) -> Message:
        return dict((await self.http.get(f"/api/games/{game}")).json())

    async def sit(
        self, game: str, last: int | None = None, lang: str = "en", role: str = "", page: str = ""
    ) -> "Board":
        """Opens a socket and reads its hello. `page` names the page that opens it, and its attempt: `p&attempt=2`."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        query = f"?lang={lang}" + ("" if last is None else f"&last={last}") + (f"&as={role}" if role else "")
        query += f"&page={page}" if page else ""
        url = f"ws://127.0.0.1:{self.port}/game/{game}/socket{query}"
        board = Board(await connect(url, additional_headers={"Cookie": cookies}, ping_interval=None))
        self._boards.append(board)
        board.cookies = self.http.cookies
        board.hello = await board.next("hello")
        return board

    async def arbiter_link(self, game: str) -> str:
        """The arbiter's link of a game that this person made."""
        answer = await self.http.post(f"/api/games/{game}/arbiter", json={})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["url"])

    async def arbitrate(self, link: str) -> "Board":
        """Opens a socket by an arbiter's link, and gets the role."""
        path, _, key = link.partition("#arbiter=")
        board = await self.sit(path.removeprefix("/game/"), role="arbiter")
        await board.send(t="arbitrate", key=key)
        board.hello = await board.next("hello")
        assert board.hello["you"] == "arbiter"
        return board

    async def leave(self) -> None:
        for board in self._boards:
            await board.close()
        await self.http.aclose()


class Board:
    """One socket of a game, and what has come over it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.hello: Message = {}
        self.cookies: Any = None
        self.seq = 0
        self.view: Message = {}
        self.events: list[Message] = []
        self.heard: list[Message] = []

    async def receive(self) -> Message:
        message: Message = json.loads(await asyncio.wait_for(self.socket.recv(), 60))
        self.heard.append(message)
        if message["t"] in ("hello", "event"):
            if message["t"] == "event":
                self.events.append(message)
            self.seq = message["seq"]
            self.view = message.get("view") or self.view
        return message

    async def next(self, *kinds: str) -> Message:
        """The next message of these kinds; others are read on the way."""
        while True:
            message = await self.receive()
            if message["t"] in kinds:
                return message

    async def until(self, kind: str) -> Message:
        """The next event of that kind."""
        while True:
            message = await self.next("event")
            if message["event"]["kind"] == kind:
                return message

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def move(self, text: str, *, id: str = "", **other: Any) -> Message:
        """Plays a move, and gives its answer."""
        return await self.ask(t="move", id=id, ply=other.pop("ply", self.view["ply"]), move=text, **other)

    async def act(self, do: str, **other: Any) -> Message:
        return await self.ask(t="act", do=do, **other)

    async def intervene(self, do: str, reason: str, **other: Any) -> Message:
        return await self.ask(t="intervene", do=do, reason=reason, **other)

    async def ask(self, **message: Any) -> Message:
        message["id"] = message.get("id") or secrets.token_hex(16)
        await self.send(**{"last_seq": self.seq, **message})
        while True:
            answer = await self.next("ack", "nack", "busy")
            if answer["id"] == message["id"]:
                return answer

    async def turn(self, side: str) -> None:
        """Waits until it is that side's turn, or the game is over."""
        while self.view["to_move"] != side and not self.view["outcome"]:
            await self.next("event")

    async def close(self) -> None:
        await self.socket.close()
