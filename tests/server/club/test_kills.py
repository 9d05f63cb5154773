"""A server that is killed while results come in: nothing confirmed is lost, and what is sent again counts once."""

import asyncio
import signal
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from server.protocol.killing import Process

PLAYERS = 24


class Desk:
    """A desk that enters the results of a round robin, and repeats what got no answer."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.cookies = httpx.Cookies()
        self.id = ""
        self.confirmed: dict[tuple[int, int], str] = {}
        self.is_over = False
        """Whether every board has a result: nothing more comes until the server is killed."""

    def browser(self) -> httpx.AsyncClient:
        address = f"http://127.0.0.1:{self.process.port}"
        return httpx.AsyncClient(base_url=address, headers={"X-Damas": "1"}, cookies=self.cookies, timeout=60)

    async def open(self) -> None:
        async with self.browser() as browser:
            wanted = {"template": "fenae", "title": "Open"}
            made = await browser.post("/api/club", json=wanted)
            self.id = made.raise_for_status().json()["id"]
            self.cookies = browser.cookies
            names = "\n".join(f"P{number}" for number in range(PLAYERS))
            await self.act(browser, "import", text=names)

    async def act(self, browser: httpx.AsyncClient, do: str, **fields: Any) -> None:
        answer = await browser.post(f"/api/club/{self.id}/actions", json={"do": do, **fields})
        assert answer.status_code == 200, answer.text

    async def look(self) -> dict[str, Any]:
        async with self.browser() as browser:
            reply = await browser.get(f"/api/club/{self.id}")
            view: dict[str, Any] = reply.raise_for_status().json()["tournament"]
            return view

    async def score(self, browser: httpx.AsyncClient, number: int, board: int, result: str) -> None:
        await self.act(browser, "score", round=number, board=board, result=result, id=f"{number}-{board}")
        self.confirmed[number, board] = result

    async def enter_results(self) -> None:
        """Enters everything that is missing, round after round, until the server is gone."""
        async with self.browser() as browser:
            while True:
                view = await self.look()
                played, self.is_over = view["played"], view["over"]
                if self.is_over:
                    continue
                if not played or played[-1]["complete"]:
                    await self.act(browser, "draft", id=f"draft {len(played) + 1}")
                    await self.act(browser, "publish", round=len(played) + 1, id=f"publish {len(played) + 1}")
                    continue
                number = played[-1]["round"]
                missing = [each["board"] for each in played[-1]["boards"] if not each["result"]]
                await asyncio.gather(
                    *(
                        self.score(browser, number, board, "10="[(board + number) % 3].replace("1", "1-0"))
                        for board in missing[:4]
                    )
                )

    async def check(self) -> None:
        """Every confirmed result is there, and each was entered once."""
        played = (await self.look())["played"]
        entered = {
            (each["round"], board["board"]) for each in played for board in each["boards"] if board["games"]
        }
        assert set(self.confirmed) <= entered
        async with self.browser() as browser:
            log = (await browser.get(f"/api/club/{self.id}/log")).raise_for_status().json()["log"]
        scored = [line["message"] for line in log if line["kind"] == "scored"]
        assert len(scored) == len(set(scored)) == len(entered)


async def kill(data: Path, kills: int, seed: int) -> None:
    random, process = Random(seed), Process(data)
    await process.start()
    try:
        desk = Desk(process)
        await desk.open()
        for _ in range(kills):
            if (await desk.look())["over"]:
                await desk.open()
                desk.confirmed.clear()
                desk.is_over = False
            wanted = len(desk.confirmed) + random.randrange(1, 15)
            entering = asyncio.create_task(desk.enter_results())
            while len(desk.confirmed) < wanted and not desk.is_over and not entering.done():
                await asyncio.sleep(0.001)
            await process.end(signal.SIGKILL)
            with pytest.raises(httpx.TransportError):
                await entering
            await process.start()
            await desk.check()
        assert desk.confirmed
    finally:
        await process.end(signal.SIGKILL)


async def test_no_confirmed_result_is_lost_by_a_kill(tmp_path: Path) -> None:
    await kill(tmp_path, 2, seed=1)


@pytest.mark.soak
async def test_no_confirmed_result_is_lost_by_a_hundred_kills(tmp_path: Path) -> None:
    await kill(tmp_path, 100, seed=2)
