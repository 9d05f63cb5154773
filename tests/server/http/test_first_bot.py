"""The bot of the how-to page: it plays a whole game, and killed in the middle it goes on (S7)."""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.http.programs import Program, programs
from server.rooms.clients import Server

FOLDER = Path(__file__).parents[3] / "docs/how-to"


def code_of(page: str) -> str:
    [code] = re.findall(r"```python\n(.*?)```", (FOLDER / page).read_text("utf-8"), re.DOTALL)
    return str(code)


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    code = code_of("write-a-bot-over-http.md")
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 36
    path = tmp_path / "bot.py"
    path.write_text(code)
    return path


def test_both_pages_have_the_same_bot() -> None:
    def said(page: str) -> str:
        return re.sub(r"  #.*", "", code_of(page))

    assert said("write-a-bot-over-http.md") == said("escreva-um-robo.md")


@contextmanager
def running(bot: Path, server: Server, program: Program) -> Iterator[subprocess.Popen[str]]:
    """The bot as a process, killed without warning at the end."""
    url = f"http://127.0.0.1:{server.port}"
    command = [sys.executable, str(bot), url, program.token]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


async def ply(program: Program, game: str) -> tuple[int, str]:
    view = (await program.http.get(f"/api/games/{game}")).json()
    return view["view"]["ply"], view["status"]


async def until(program: Program, game: str, wanted: int, seconds: float = 60) -> str:
    """Waits until so many plies have been played, or the game is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        played, status = await ply(program, game)
        if played >= wanted or status != "playing":
            return status
        await asyncio.sleep(0.05)
    raise AssertionError(f"only {played} plies in {seconds} s")


async def test_the_bot_of_the_page_plays_and_goes_on_after_a_kill(server: Server, bot: Path) -> None:
    async with programs(server, "Ana") as [ana]:
        game = (await ana.do("/api/challenge/ai", {"rulebook": "brasileira", "level": 1, "color": "white"}))[
            "id"
        ]
        with running(bot, server, ana):
            assert await until(ana, game, 6) == "playing"
        at, _ = await ply(ana, game)
        with running(bot, server, ana) as second:
            assert await until(ana, game, 10_000) == "over"
            assert (await ply(ana, game))[0] > at
            assert second.stdout
            reply = await asyncio.wait_for(asyncio.to_thread(second.stdout.readline), 60)
            assert "brasileira" in reply


async def test_the_bot_accepts_a_challenge(server: Server, bot: Path) -> None:
    async with programs(server, "Ana", "Rui") as [ana, rui]:
        with running(bot, server, rui):
            wanted = {"rulebook": "portuguesa", "color": "white", "fen": "W:W10:B14,K13"}
            async with ana.stream("/api/stream/event") as lines:
                game = (await ana.do("/api/challenge/Rui", wanted))["id"]
                await lines.next("gameStart")
            await ana.do(f"/api/bot/game/{game}/move/10x17")
            await until(ana, game, 2)
