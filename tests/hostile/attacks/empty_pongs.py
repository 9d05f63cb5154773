"""Sockets send empty pongs that nobody asked for. Counts `frames`, and `closed CODE`."""

from hostile.attacker import Target
from hostile.attacks.empty_pings import flood

FRAME = b"\x8a\x80\x00\x00\x00\x00"


async def attack(target: Target) -> None:
    await flood(target, FRAME)
