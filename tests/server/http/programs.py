"""Programs that play over HTTP: an account, a token, and streams read line by line."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx

from server.rooms.clients import Server

Line = dict[str, Any]


class Lines:
    """A stream of JSON lines, or of events that are one line each."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()

    async def next(self, *types: str) -> Line:
        """The next line, of one of these types if some are named."""
        async with asyncio.timeout(60):
            async for line in self._lines:
                if not line:
                    continue
                value: Line = json.loads(line.removeprefix("data: "))
                if not types or value["type"] in types:
                    return value
        raise AssertionError("the stream ended")

    async def raw(self) -> str:
        """The next line as it came, blank ones included."""
        async with asyncio.timeout(60):
            return await anext(self._lines)

    async def end(self) -> None:
        """Reads to the end, which must come."""
        async with asyncio.timeout(60):
            async for _ in self._lines:
                pass


def back(server: Server, program: "Program") -> "Program":
    """The same program, at a server that has started again; its connection is the caller's to close."""
    base = f"http://127.0.0.1:{server.port}"
    headers = {"Authorization": f"Bearer {program.token}"}
    return Program(httpx.AsyncClient(base_url=base, headers=headers), program.name, program.token)


class Program:
    """Somebody with a token."""

    def __init__(self, http: httpx.AsyncClient, name: str, token: str) -> None:
        self.http = http
        self.name = name
        self.token = token

    async def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        return (
            await self.http.post(path, json=body, headers=headers)
            if body is not None
            else await self.http.post(path, headers=headers)
        )

    async def do(self, path: str, body: object = None, **headers: str) -> Line:
        answer = await self.post(path, body, **headers)
        assert answer.status_code in (200, 201), answer.text
        return dict(answer.json())

    @asynccontextmanager
    async def stream(self, path: str) -> AsyncIterator[Lines]:
        async with self.http.stream("GET", path) as answer:
            assert answer.status_code == 200, await answer.aread()
            yield Lines(answer)


@asynccontextmanager
async def programs(
    server: Server, *names: str, scopes: tuple[str, ...] = ("bot:play",)
) -> AsyncIterator[list[Program]]:
    """Programs of these names, each with an account of its own."""
    async with AsyncExitStack() as stack:
        made = []
        for name in names:
            base = f"http://127.0.0.1:{server.port}"
            async with httpx.AsyncClient(base_url=base, headers={"X-Damas": "1"}) as person:
                account = {"name": name, "password": "um cavalo sem sela"}
                assert (await person.post("/api/account", json=account)).status_code == 201
                token = (await person.post("/api/account/tokens", json={"scopes": scopes})).json()["token"]
            http = httpx.AsyncClient(base_url=base, headers={"Authorization": f"Bearer {token}"})
            made.append(Program(await stack.enter_async_context(http), name, token))
        yield made
