"""An organiser sends bombs, endless bodies and 16 MB of noise to a contest of their own, eight at a time.

Counts `status CODE`, and `bombs refused`: versions whose preparation has ended so.
"""

import asyncio
import io
import os
import zipfile
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import httpx

from hostile.attacker import Target

CLIENTS = 8
ADDRESS = "127.0.0.71"
MIB = 1 << 20


def bomb() -> bytes:
    """400 kB that would be 400 MB."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"{number}.txt", b"0" * (20 * MIB))
        archive.writestr("main.py", "print()")
    return data.getvalue()


async def endless() -> AsyncIterator[bytes]:
    piece = os.urandom(MIB)
    while True:
        yield piece


async def attack(target: Target) -> None:
    bombs = await asyncio.to_thread(bomb)
    noise = b"PK\3\4" + os.urandom(16 * MIB - 100)
    numbers = count()
    transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
    base = f"http://127.0.0.1:{target.port}"
    headers = {"X-Damas": "1", "Content-Type": "application/octet-stream"}
    async with httpx.AsyncClient(base_url=base, headers=headers, timeout=240, transport=transport) as http:

        async def post(path: str, **body: Any) -> Any:
            json = {"Content-Type": "application/json"}
            return (await http.post(path, headers=json, **body)).raise_for_status().json()

        await post("/api/account", json={"name": "Bomba", "password": "um cavalo sem sela"})
        contest = f"/api/arena/{(await post('/api/arena', json={'title': 'Bombas', 'most': 64}))['id']}"

        async def send(client: int) -> None:
            while True:
                number = next(numbers)
                body = (bombs, noise, endless())[(client + number) % 3]
                facts = {"name": f"Bomba {number}", "file": "bot.zip"}
                try:
                    answer = await http.post(f"{contest}/programs", params=facts, content=body)
                    target.count(f"status {answer.status_code}")
                except httpx.HTTPError:  # refused while it was sending
                    target.count("cut off")

        async def look() -> None:
            while True:
                sent = (await http.get(contest)).json().get("submissions", ())
                target.counts["bombs refused"] = sum(each["state"] == "refused" for each in sent)
                await asyncio.sleep(1)

        await asyncio.gather(look(), *(send(client) for client in range(CLIENTS)))
