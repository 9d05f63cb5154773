"""Eight clients ask about positions with a hundred thousand ways to capture, and for endings. Counts `status CODE`."""

import asyncio

from hostile.attacker import ADDRESS, Target

CLIENTS = 8
HARD = "W:WKd8:BKc8,Kc7,Kd2,Kf7,Kb6,Kf3,Kd5,Ke5,Kb2,Kc1,Kh5,Kc3,Ke8,Kg6,Kc4,Ka5"
"""Sixteen kings around one, whose captures branch without end."""
QUESTIONS = (
    ("/api/explain", {"rulebook": "turca", "fen": HARD, "move": "d8xg6"}),
    ("/api/compare", {"rulebook": "turca", "fen": HARD}),
    ("/api/analysis/line", {"rulebook": "turca", "fen": HARD, "moves": ["d8xd1"] * 50}),
    ("/api/position", {"rulebook": "turca", "fen": HARD}),
    ("/api/endings", {"rulebook": "brasileira", "ending": "man-man"}),
    ("/api/tablebase", {"rulebook": "brasileira", "fen": "W:WKa1,Kc1,Ke1:BKh6"}),
)
"""Each within every limit, and without a login."""


async def attack(target: Target) -> None:
    await asyncio.gather(*(asking(target, QUESTIONS, number) for number in range(CLIENTS)))


async def asking(target: Target, questions, number: int, address: str = ADDRESS) -> None:
    """One client that asks one question after the other."""
    import httpx

    transport = httpx.AsyncHTTPTransport(local_address=address)
    base = f"http://127.0.0.1:{target.port}"
    async with httpx.AsyncClient(base_url=base, timeout=60, transport=transport) as http:
        while True:
            path, body = questions[number % len(questions)]
            number += 1
            if body is None:
                reply = await http.get(path)
            else:
                reply = await http.post(path, json=body, headers={"X-Damas": "1"})
            target.count(f"status {reply.status_code}")
            if reply.status_code == 429:
                target.count("429 with a time" if int(reply.headers["retry-after"]) >= 1 else "429 without")
                await asyncio.sleep(0.02)  # else it would only measure how quickly refusals are written
