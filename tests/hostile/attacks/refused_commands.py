"""190 sockets of one address send commands that are refused, as many as each may. Counts `sent`, `closed CODE`."""

import asyncio
import json
import secrets

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from hostile.attacker import Target

SOCKETS, PAUSE_S = 190, 0.205
"""A socket may send a hundred messages in twenty seconds, and a visitor have five sockets at a game."""


async def attack(target: Target) -> None:
    sockets = target.crowd(SOCKETS)
    games = [await target.game(opponent={"kind": "device"}) for _ in range(0, sockets, 5)]
    await asyncio.gather(*(_one(target, *games[number // 5]) for number in range(sockets)))


async def _one(target: Target, game: str, cookie: str) -> None:
    while True:
        try:
            async with await target.socket(game, cookie) as socket:
                reading = asyncio.create_task(_read(target, socket))
                while not reading.done():
                    move = {
                        "t": "move",
                        "ply": 0,
                        "move": "h2-h8",
                        "id": secrets.token_hex(16),
                        "last_seq": 1,
                    }
                    await socket.send(json.dumps(move))
                    target.count("sent")
                    await asyncio.sleep(PAUSE_S)
        except ConnectionClosed as closed:
            target.count(f"closed {closed.rcvd and closed.rcvd.code}")
        except (InvalidHandshake, OSError):
            target.count("refused")
        await asyncio.sleep(0.5)


async def _read(target: Target, socket) -> None:
    try:
        while True:
            message = json.loads(await socket.recv())
            target.count(f"got {message['t']}")
    except ConnectionClosed:
        pass
