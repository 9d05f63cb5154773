"""A hundred games of one address against the strongest level, each answered at once. Counts `moves`, `closed CODE`."""

import asyncio

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from hostile.attacker import Target
from hostile.attacks.quick_moves import play

GAMES = 100


async def attack(target: Target) -> None:
    await asyncio.gather(*(_one(target) for _ in range(target.crowd(GAMES))))


async def _one(target: Target) -> None:
    while True:
        try:
            terms = {"opponent": {"kind": "level", "level": 8}, "color": "white", "rulebook": "internacional"}
            game, cookie = await target.game(**terms)
            async with await target.socket(game, cookie) as socket:
                await play(target, socket, "white")
        except ConnectionClosed as closed:
            target.count(f"closed {closed.rcvd and closed.rcvd.code}")
        except (InvalidHandshake, OSError, KeyError):
            target.count("refused")
        await asyncio.sleep(0.5)
