"""1,100 connections say nothing. Counts `opened`, and `closed` or a status."""

from hostile.attacker import Target
from hostile.attacks.half_requests import hold_open


async def attack(target: Target) -> None:
    await hold_open(target, b"", b"")
