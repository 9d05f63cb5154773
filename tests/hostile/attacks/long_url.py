"""One connection after another asks for an address without an end. Counts `status 414` or `status 431`, or `closed`."""

from hostile.attacker import Target
from hostile.attacks.huge_header import PIECE, send_without_end


async def attack(target: Target) -> None:
    await send_without_end(target, b"GET /", PIECE)
