"""Twenty visitors of one address want searches and reports, and leave them again. Counts `status CODE`, `messages`."""

import asyncio

import httpx

from hostile.attacker import ADDRESS, Target

VISITORS = 20
STREAM = "/api/analysis/stream?rulebook=internacional&lines=5"
MOVES = ["32-28", "18-23", "38-32", "12-18"]


async def attack(target: Target) -> None:
    await asyncio.gather(*(_one(target, number) for number in range(target.crowd(VISITORS))))


async def _one(target: Target, number: int) -> None:
    transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
    base = f"http://127.0.0.1:{target.port}"
    async with httpx.AsyncClient(base_url=base, timeout=60, transport=transport) as http:
        while True:
            if number % 4 == 0:
                body = {"rulebook": "internacional", "moves": MOVES}
                reply = await http.post("/api/analysis/report", json=body, headers={"X-Damas": "1"})
                target.count(f"status {reply.status_code}")
            else:
                async with http.stream("GET", STREAM) as reply:
                    target.count(f"status {reply.status_code}")
                    async for _ in reply.aiter_lines():
                        target.count("messages")
                        if target.counts["messages"] % 50 == 0:
                            break
            await asyncio.sleep(0.05)
