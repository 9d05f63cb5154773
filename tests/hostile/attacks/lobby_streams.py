"""As many streams of the lobby as one address may have, and a lobby that is full and changes all the time.

Counts `opened` and `status 429` of streams, and their `messages`.
"""

import asyncio

import httpx

from hostile.attacker import Target

STREAMS, GAMES, PAUSE_S = 300, 50, 0.25
PLAYERS_ADDRESS = "127.0.0.77"
"""Games are made from an address of their own: another attack may have used up the new games of the usual one."""


async def attack(target: Target) -> None:
    await _fill(target)
    streams = [asyncio.create_task(_follow(target)) for _ in range(STREAMS)]
    while True:
        await target.game(PLAYERS_ADDRESS, opponent={"kind": "seek"})
        target.count("changes")
        await asyncio.sleep(PAUSE_S)
        for stream in streams:
            if stream.done():
                stream.result()


async def _fill(target: Target) -> None:
    """Starts as many public games as the lobby shows."""
    transport = httpx.AsyncHTTPTransport(local_address=PLAYERS_ADDRESS)
    base = f"http://127.0.0.1:{target.port}"
    async with httpx.AsyncClient(base_url=base, timeout=240, transport=transport) as http:
        for _ in range(GAMES):
            game, _ = await target.game(PLAYERS_ADDRESS, opponent={"kind": "seek"})
            await http.post(f"/api/games/{game}/join", json={}, headers={"X-Damas": "1"})


async def _follow(target: Target) -> None:
    reader, writer = await target.connect()
    writer.write(b"GET /api/lobby/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    if await target.status(reader) != "status 200":
        return
    target.count("opened")
    while line := await reader.readline():
        target.count("messages", line.startswith(b"event: lobby"))
    writer.close()
