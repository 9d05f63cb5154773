"""Organisers, authors, and their programs: one that plays, one that lies, one that takes its time."""

import asyncio
from typing import Any

import httpx
import pytest

from damas.matches.box import tiers

PASSWORD = "um cavalo sem sela"

HONEST = """import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif said["type"] == "move?":
        print(json.dumps({"move": said["legal"][0], "nonce": said["nonce"]}), flush=True)
"""
SCRIPT = """require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const said = JSON.parse(line);
  if (said.type === 'hello') console.log(JSON.stringify({ type: 'ready' }));
  if (said.type === 'move?') console.log(JSON.stringify({ move: said.legal[0], nonce: said.nonce }));
});
"""
TEXT = "import sys\nsys.stdin.readline()\nfor line in sys.stdin:\n    print('9,9 8,8', flush=True)\n"
LIAR = HONEST.replace('said["legal"][0]', '"9,9 8,8"')
SLOW = HONEST.replace('        print(json.dumps({"move"', '        time.sleep(0.02)\n        print(json.dumps({"move"').replace(
    "json, sys", "json, sys, time"
)  # fmt: skip


def contained() -> None:
    """Skips the test where no containment tier holds."""
    if all(tiers.tiers().values()):
        pytest.skip("not proved: no containment tier here")


class Member:
    """Somebody with an account, at a page."""

    def __init__(self, port: int) -> None:
        self.http = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", headers={"X-Damas": "1", "Accept-Language": "en"}, timeout=60
        )

    async def sign_up(self, name: str) -> "Member":
        answer = await self.http.post("/api/account", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        return self

    async def contest(self, **terms: Any) -> str:
        wanted = {"title": "Liga", "time_ms": 2000, "games": 2, "check": False, **terms}
        answer = await self.http.post("/api/arena", json=wanted)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def enter(self, contest: str, name: str, kind: str = "random", **more: Any) -> httpx.Response:
        return await self.http.post(
            f"/api/arena/{contest}/entries", json={"name": name, "kind": kind, **more}
        )

    async def send(
        self, contest: str, name: str, text: str | bytes, file: str = "bot.py", **more: str
    ) -> httpx.Response:
        """Sends a program; the answer comes before it is prepared."""
        return await self.http.post(
            f"/api/arena/{contest}/programs",
            params={"name": name, "file": file, **more},
            content=text,
            headers={"Content-Type": "application/octet-stream"},
        )

    async def prepared(self, contest: str, id: str, seconds: float = 120) -> dict[str, Any]:
        """How the preparation of a version ended."""
        async with asyncio.timeout(seconds):
            while True:
                reply = await self.http.get(f"/api/arena/{contest}/submissions/{id}")
                assert reply.status_code == 200, reply.text
                if reply.json()["state"] in ("accepted", "refused"):
                    return dict(reply.json())
                await asyncio.sleep(0.1)

    async def upload(
        self, contest: str, name: str, text: str | bytes, file: str = "bot.py", **more: str
    ) -> dict[str, Any]:
        """Sends a program and waits until it has entered; returns it as an entrant."""
        sent = await self.send(contest, name, text, file, **more)
        assert sent.status_code == 202, sent.text
        end = await self.prepared(contest, sent.json()["id"])
        assert end["state"] == "accepted", end
        return next(e for e in (await self.look(contest))["entries"] if e["name"] == name)

    async def started(self, **terms: Any) -> str:
        """A contest that is being played between the program `Lento`, which takes its time, and `Acaso`."""
        contest = await self.contest(**terms)
        await self.upload(contest, "Lento", SLOW)
        await self.enter(contest, "Acaso")
        await self.do(contest, "start")
        return contest

    async def do(self, contest: str, what: str, **body: Any) -> httpx.Response:
        return await self.http.post(f"/api/arena/{contest}/{what}", json=body)

    async def look(self, contest: str) -> dict[str, Any]:
        return dict((await self.http.get(f"/api/arena/{contest}")).json())

    async def until(self, contest: str, *status: str, done: int = 0, seconds: float = 60) -> dict[str, Any]:
        """Waits until the contest has come so far."""
        async with asyncio.timeout(seconds):
            while True:
                reply = await self.look(contest)
                if reply["status"] in status and reply["done"] >= done:
                    return reply
                await asyncio.sleep(0.1)
