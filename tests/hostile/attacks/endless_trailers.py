"""One connection after another ends a body with headers that do not end. Counts `status 431`, or `closed`."""

from hostile.attacker import Target
from hostile.attacks.huge_header import send_without_end
from hostile.attacks.tiny_chunks import HEAD


async def attack(target: Target) -> None:
    await send_without_end(target, HEAD + b"0\r\nX-Long: ", b"a" * 65_536)
