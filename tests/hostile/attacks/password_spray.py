"""Sixteen clients at one address try one common password after another on every account they know. Counts `status CODE`."""

import asyncio
from itertools import count

from hostile.attacker import ADDRESS, Target

CLIENTS = 16


async def attack(target: Target) -> None:
    numbers = count()
    await asyncio.gather(*(_trying(target, numbers) for _ in range(CLIENTS)))


async def _trying(target: Target, numbers) -> None:
    import httpx

    transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
    base = f"http://127.0.0.1:{target.port}"
    async with httpx.AsyncClient(base_url=base, timeout=240, transport=transport) as http:
        for number in numbers:
            body = {"name": "victim" if number % 10 == 0 else f"player{number}", "password": "senha2024"}
            reply = await http.post("/api/account/login", json=body, headers={"X-Damas": "1"})
            target.count(f"status {reply.status_code}")
            if reply.status_code == 429:
                await asyncio.sleep(0.02)  # else it would only measure how quickly refusals are written
