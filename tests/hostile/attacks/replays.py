"""Sockets ask for a long game from its beginning again and again. Counts `replays`, and `closed CODE`."""

import asyncio
import json
import secrets

from websockets.exceptions import ConnectionClosed

from hostile.attacker import Target

SOCKETS, EVENTS = 5, 80
"""A visitor may have five sockets at a game, and each a hundred messages in twenty seconds."""


async def attack(target: Target) -> None:
    game, cookie = await target.game(rulebook="internacional", opponent={"kind": "device"})
    await _lengthen(await target.socket(game, cookie))
    target.count("long game")
    await asyncio.gather(*(_one(target, game, cookie) for _ in range(SOCKETS)))


async def _lengthen(socket) -> None:
    """Plays until the game has many events."""
    seq = 0
    async with socket:
        while seq < EVENTS:
            message = json.loads(await socket.recv())
            view = message.get("view")
            if view is None:
                continue
            seq = message["seq"]
            command = {"t": "move", "ply": view["ply"], "move": view["legal"][0]["text"]}
            command |= {"id": secrets.token_hex(16), "last_seq": seq}
            await socket.send(json.dumps(command))


async def _one(target: Target, game: str, cookie: str) -> None:
    async for socket in target.sockets(game, cookie, pause_s=1.0):
        try:
            reading = asyncio.create_task(_read(socket))
            while True:
                await socket.send(json.dumps({"t": "resume", "last": 0}))
                target.count("replays")
                await asyncio.sleep(0.21)
        except ConnectionClosed:
            target.count(f"closed {socket.close_code}")
        await reading


async def _read(socket) -> None:
    try:
        while True:
            await socket.recv()
    except ConnectionClosed:
        return
