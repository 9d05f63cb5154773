"""200 games of one address, each of which moves as often as its socket may. Counts `moves`, `nacks`, `busy`, `closed CODE`."""

import asyncio
import json
import secrets

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from hostile.attacker import Target

GAMES, PAUSE_S = 200, 0.22
"""A socket may send a hundred messages in twenty seconds."""


async def attack(target: Target) -> None:
    await asyncio.gather(*(_one(target, number) for number in range(target.crowd(GAMES))))


async def _one(target: Target, number: int) -> None:
    await asyncio.sleep(number * 0.02)
    while True:
        try:
            game, cookie = await target.game(opponent={"kind": "device"})
            async with await target.socket(game, cookie) as socket:
                await play(target, socket)
        except ConnectionClosed as closed:
            target.count(f"closed {closed.rcvd and closed.rcvd.code}")
        except (InvalidHandshake, OSError, KeyError):
            target.count("refused")
        await asyncio.sleep(0.5)


async def play(target: Target, socket, side: str = "") -> None:
    """Plays the first move of each position, of both sides or one, until the game is over."""
    seq = 0
    async for text in socket:
        message = json.loads(text)
        if message["t"] in ("nack", "busy"):
            target.count(message["t"])
        view = message.get("view")
        if view is None or message["seq"] <= seq:
            continue
        if view["outcome"]:
            return
        seq = message["seq"]
        if side and view["to_move"] != side:
            continue
        await asyncio.sleep(PAUSE_S)
        command = {"t": "move", "ply": view["ply"], "move": view["legal"][0]["text"]}
        await socket.send(json.dumps(command | {"id": secrets.token_hex(16), "last_seq": seq}))
        target.count("moves")
