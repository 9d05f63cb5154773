"""A stranger makes games as fast as it may, each as a new visitor. Counts `status 201`, `status 429`."""

import asyncio

import httpx

from hostile.attacker import ADDRESS, Target

AT_ONCE = 20


async def attack(target: Target) -> None:
    terms = {"rulebook": "brasileira", "opponent": {"kind": "device"}, "time": "60+5"}
    transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
    base = f"http://127.0.0.1:{target.port}"

    async def one() -> None:
        while True:
            reply = await http.post("/api/games", json=terms, headers={"X-Damas": "1"})
            http.cookies.clear()
            target.count(f"status {reply.status_code}")
            if reply.status_code == 429:
                await asyncio.sleep(0.5)

    async with httpx.AsyncClient(base_url=base, timeout=60, transport=transport) as http:
        await asyncio.gather(*(one() for _ in range(AT_ONCE)))
