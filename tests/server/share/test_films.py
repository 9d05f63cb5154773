"""Films of games: bounded in size, in memory and in number, and given up when nobody waits for them."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from damas.game import Position, Record
from damas.server import pictures
from damas.server.settings import Settings
from damas.server.work import files
from server.blocked import Blocked, is_running
from server.rooms.clients import Server, serving

FILM = "/position.gif?rulebook=brasileira&moves=c3-d4"

LONGEST = """
import resource, sys
from damas.game import Position, Record
from damas.server import pictures
record = Record(Position.from_fen("W:WKa1:BKh6", "brasileira"))
while pictures.length(record) < pictures.MAX_FRAMES:
    record = record.play(("a1-b2", "h6-g5", "b2-a1", "g5-h6")[record.length % 4])
pictures.gif(Record(record.start), size=pictures.MAX_FILM_SIZE)
unit = 1 if sys.platform == "darwin" else 1024
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
film = pictures.gif(record, size=pictures.MAX_FILM_SIZE)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before - len(film))
"""


def shuffled(frames: int) -> Record:
    """Two kings that go to and fro."""
    record = Record(Position.from_fen("W:WKa1:BKh6", "brasileira"))
    while pictures.length(record) < frames:
        record = record.play(("a1-b2", "h6-g5", "b2-a1", "g5-h6")[record.length % 4])
    return record


@pytest.mark.skipif(sys.platform == "win32", reason="no resource module there")
def test_the_longest_film_holds_a_few_pictures_in_memory():
    ran = subprocess.run([sys.executable, "-c", LONGEST], capture_output=True, text=True, check=True)
    one = pictures.MAX_FILM_SIZE**2 * 3
    assert int(ran.stdout) < 40 * one, "of 300 pictures a handful at a time"


def test_a_film_has_so_many_pictures_and_no_more():
    longest = shuffled(pictures.MAX_FRAMES)
    assert pictures.length(longest) == sum(1 for _ in pictures.film(longest)) == pictures.MAX_FRAMES
    assert pictures.gif(longest, size=80)[:6] == b"GIF89a"
    with pytest.raises(pictures.FilmTooLong):
        pictures.gif(shuffled(pictures.MAX_FRAMES + 1), size=80)


async def test_what_is_too_large_is_refused_with_the_limits(server):
    person = await server.person()
    assert (await person.http.get(f"{FILM}&size=480")).status_code == 200
    answer = await person.http.get(f"{FILM}&size=481&lang=en")
    assert answer.status_code == 413
    error = answer.json()["error"]
    assert (error["code"], error["frames"], error["size"]) == ("FILM_TOO_LARGE", 300, 480)
    assert "300" in error["message"] and "480" in error["message"]
    moves = ".".join(("a1-b2", "h6-g5", "b2-a1", "g5-h6")[ply % 4] for ply in range(pictures.MAX_FRAMES))
    long = f"/position.gif?rulebook=brasileira&fen=W:WKa1:BKh6&size=80&moves={moves}"
    assert (await person.http.get(long)).status_code == 413


@pytest.fixture
def projector(blocked: Blocked, monkeypatch: pytest.MonkeyPatch) -> Blocked:
    """Films go on until they are ended."""
    monkeypatch.setattr(files, "film", blocked.work)
    return blocked


async def test_an_address_has_one_film_at_a_time(server: Server, projector: Blocked):
    one, two = await server.person(), await server.person()
    first = asyncio.create_task(one.http.get(FILM))
    assert await projector.begun() != os.getpid()
    second = await two.http.get(FILM)
    assert (second.status_code, second.json()["error"]["code"]) == (429, "UNDER_WAY")
    assert int(second.headers["retry-after"]) >= 1
    await projector.end("GIF89a")
    assert (await first).content == b"GIF89a"
    again = asyncio.create_task(two.http.get(FILM))
    await projector.begun()
    await projector.end("GIF89a")
    assert (await again).status_code == 200, "the turn was given back"


async def test_a_film_ends_when_its_asker_leaves(server: Server, projector: Blocked):
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as leaver:
        asking = asyncio.create_task(leaver.get(FILM))
        process = await projector.begun()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
    while is_running(process) or server.services.films.shares.held:
        await asyncio.sleep(0.01)


async def test_a_film_under_way_does_not_hold_up_the_stop(tmp_path: Path, projector: Blocked):
    """Its process is killed."""
    async with serving(Settings(data=tmp_path / "data", port=0)) as server:
        client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=60)
        asking = asyncio.create_task(client.get(FILM))
        process = await projector.begun()
        await server.services.stop_playing()
        answer = await asking
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "RESTARTING")
        await client.aclose()
    while is_running(process):
        await asyncio.sleep(0.01)
